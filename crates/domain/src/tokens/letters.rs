//! The classes of characters that the estimate distinguishes.

use crate::tokens::weights::TokenClass;

/// The kind of character that starts with a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteKind {
    Upper,
    Lower,
    Digit,
    Blank,
    LineBreak,
    Sign,
    NonAscii,
}

/// The kind of every byte.
pub(super) const BYTE_KINDS: [ByteKind; 256] = {
    let mut kinds = [ByteKind::Sign; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte {
            0x41..=0x5a => ByteKind::Upper,
            0x61..=0x7a => ByteKind::Lower,
            0x30..=0x39 => ByteKind::Digit,
            0x09 | 0x0b | 0x0c | 0x20 => ByteKind::Blank,
            0x0a | 0x0d => ByteKind::LineBreak,
            0x80.. => ByteKind::NonAscii,
            _ => ByteKind::Sign,
        };
        byte += 1;
    }
    kinds
};

/// A character outside ASCII.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Character {
    /// A letter of a word whose cost depends on its length. A word with letters of several classes has the cost of the
    /// class that is last in the order of [`TokenClass`].
    Alphabetic(TokenClass),
    /// A letter, syllable or mark inside a word that has its own cost.
    Single(TokenClass),
    /// Neither a letter nor a digit: punctuation, symbols, emoji.
    Symbol(TokenClass),
}

/// The class of the character outside ASCII that starts at `at`, and its length in bytes. The bytes are UTF-8.
pub(super) fn character_at(bytes: &[u8], at: usize) -> (Character, usize) {
    if let Some(&[lead @ 0xc0..0xe0, tail, ..]) = bytes.get(at..) {
        let code_point = usize::from(lead & 0x1f) << 6 | usize::from(tail & 0x3f);
        return (TWO_BYTE_CHARACTERS[code_point], 2);
    }
    let (code_point, length) = decode(bytes, at);
    (classify(code_point), length)
}

/// The classes of the characters that are two bytes in UTF-8.
static TWO_BYTE_CHARACTERS: [Character; 0x800] = {
    let mut characters = [classify(0); 0x800];
    let mut code_point = 0x80;
    while code_point < 0x800 {
        characters[code_point as usize] = classify(code_point);
        code_point += 1;
    }
    characters
};

/// Classifies a character outside ASCII by its Unicode block.
const fn classify(code_point: u32) -> Character {
    use Character::{Alphabetic, Single, Symbol};
    match code_point {
        0x80..=0xa9 | 0xab..=0xb4 | 0xb6..=0xb9 | 0xbb..=0xbf | 0xd7 | 0xf7 // signs of Latin-1
        | 0x60c | 0x61b | 0x61f | 0x964 | 0x965 // Arabic and Indian punctuation
        | 0x2000..=0x2bff | 0x3000..=0x3004 | 0x3008..=0x3020 | 0x30fb
        | 0xfe00..=0xfe4f | 0xfeff..=0xff20 | 0xff3b..=0xff40 | 0xff5b..=0xff65 => Symbol(TokenClass::Symbol),
        0x80..=0xff => Alphabetic(TokenClass::WesternLatinLetter),
        0x1a0 | 0x1a1 | 0x1af | 0x1b0 | 0x1ea0..=0x1eff => Alphabetic(TokenClass::VietnameseLetter),
        0x100..=0x2ff | 0x1e00..=0x1e9f => Alphabetic(TokenClass::OtherLatinLetter),
        0x300..=0x36f => Single(TokenClass::CombiningMark),
        0x370..=0x3ff | 0x1f00..=0x1fff => Alphabetic(TokenClass::GreekLetter),
        // Russian, without the hard sign, which is frequent only in Bulgarian; Armenian and Georgian cost as much
        0x410..=0x429 | 0x42b..=0x449 | 0x44b..=0x44f | 0x530..=0x58f | 0x10a0..=0x10ff => {
            Alphabetic(TokenClass::CyrillicLetter)
        }
        0x400..=0x52f => Alphabetic(TokenClass::OtherCyrillicLetter),
        0x590..=0x5ff => Alphabetic(TokenClass::HebrewLetter),
        0x600..=0x77f | 0xfb50..=0xfdff | 0xfe70..=0xfefc => Alphabetic(TokenClass::ArabicLetter),
        0x900..=0x97f => Alphabetic(TokenClass::DevanagariLetter),
        // Gurmukhi, Telugu, Burmese, Khmer
        0xa00..=0xa7f | 0xc00..=0xc7f | 0x1000..=0x109f | 0x1780..=0x17ff => Single(TokenClass::OtherAsianLetter),
        0x980..=0xdff => Alphabetic(TokenClass::IndicLetter),
        0xe00..=0xe7f => Single(TokenClass::ThaiLetter),
        0x3005..=0x30ff | 0xff66..=0xff9f => Single(TokenClass::Kana),
        0x1100..=0x11ff | 0x3130..=0x318f | 0xac00..=0xd7ff => Alphabetic(TokenClass::HangulSyllable),
        0x2e80..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff => Single(TokenClass::Ideograph),
        0xe000..=0xf8ff | 0xfff0..=0xffff | 0x1_f000.. => Symbol(TokenClass::Emoji),
        _ => Single(TokenClass::OtherLetter),
    }
}

/// The code point that starts at `at`, and its length in bytes. The bytes are UTF-8.
fn decode(bytes: &[u8], at: usize) -> (u32, usize) {
    let byte = |offset: usize| bytes.get(at + offset).map_or(0, |byte| u32::from(*byte));
    let tail = |offset: usize| byte(offset) & 0x3f;
    match byte(0) {
        lead @ 0xf0.. => ((lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4),
        lead @ 0xe0.. => ((lead & 0x0f) << 12 | tail(1) << 6 | tail(2), 3),
        lead @ 0xc0.. => ((lead & 0x1f) << 6 | tail(1), 2),
        lead => (lead, 1),
    }
}

/// For each letter the letters that seldom follow it in words of one token. A word with such pairs is rare, in another
/// language than English, or random.
const SELDOM_FOLLOWERS: [&str; 26] = [
    "aeoq",
    "bcfqvwz",
    "bdfgjmnpvwxz",
    "bfhknqvxz",
    "ijkouz",
    "bcdjkmpvwxz",
    "abdfjpqwxz",
    "cdfghjpsvxz",
    "hijwy",
    "bcfhijlmqrtwxy",
    "acdhijkloprtuvxyz",
    "cghjkmnxz",
    "cdfghjqrtvwxyz",
    "bhjqxz",
    "hq",
    "bcfjknqvwxz",
    "abcdefghijkmnopqrstvwxyz",
    "hjxz",
    "bdgjrvxz",
    "bjknqvxz",
    "hjquvwz",
    "bdfghjklmnpqrstuvwxyz",
    "bcdfgjkmpqtuvwyz",
    "bdgjklmnoqrsuvwz",
    "abcdfghjkquvx",
    "bcdfghjklmnpqrsuvwx",
];

/// [`SELDOM_FOLLOWERS`] as bits for each byte, zero unless it is a letter. The index of a bit is the lower five bits of
/// a letter in either case.
static SELDOM_MASKS: [u32; 256] = {
    let mut masks = [0; 256];
    let mut letter = 0;
    while letter < SELDOM_FOLLOWERS.len() {
        let followers = SELDOM_FOLLOWERS[letter].as_bytes();
        let (mut mask, mut index) = (0, 0);
        while index < followers.len() {
            mask |= 1 << (followers[index] & 31);
            index += 1;
        }
        masks[0x41 + letter] = mask;
        masks[0x61 + letter] = mask;
        letter += 1;
    }
    masks
};

/// 1 if the second byte, which is an ASCII letter, seldom follows the first, else 0. Upper and lower case are equal.
pub(super) fn seldom_pair(first: u8, second: u8) -> u32 {
    SELDOM_MASKS[usize::from(first)] >> (second & 31) & 1
}
