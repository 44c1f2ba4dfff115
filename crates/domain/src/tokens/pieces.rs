//! Splits a text into the pieces that o200k looks up: a word with at most one character before it, up to three digits,
//! a run of signs with the line breaks after it, a run of blanks. Reports the classes of each piece.

use crate::tokens::letters::{BYTE_KINDS, ByteKind, Character, classify, decode, seldom_pair};
use crate::tokens::weights::TokenClass;

/// Signs or blanks of one kind that make one token.
const RUN_MAX: usize = 64;

/// Reports the classes of all pieces, each with the number of its occurrences.
pub(super) fn scan(bytes: &[u8], report: impl FnMut(TokenClass, u64)) {
    let mut scanner = PieceScanner { bytes, at: 0, report };
    while let Some(kind) = scanner.kind_at(scanner.at) {
        match kind {
            ByteKind::Upper | ByteKind::Lower => scanner.word(WordPrefix::None),
            ByteKind::Digit => scanner.digits(),
            ByteKind::Blank | ByteKind::Sign if scanner.is_letter_at(scanner.at + 1) => scanner.word_after(scanner.at),
            ByteKind::Blank | ByteKind::LineBreak => scanner.blanks(),
            ByteKind::NonAscii if scanner.is_letter_at(scanner.at) => scanner.word(WordPrefix::None),
            ByteKind::Sign | ByteKind::NonAscii => scanner.signs(false),
        }
    }
}

/// The character that belongs to the piece of the word after it. The vocabulary has more words with some than others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordPrefix {
    None,
    Space,
    /// As in `object.name`, `call(name`, `first_name`.
    Joint,
    /// As in `/path`, `well-known`.
    Path,
    Other,
}

impl WordPrefix {
    fn from_byte(byte: u8) -> Self {
        match byte {
            b' ' => Self::Space,
            b'_' | b'.' | b'(' | b'\t' => Self::Joint,
            b'/' | b'-' | b'[' | b'<' => Self::Path,
            _ => Self::Other,
        }
    }
}

/// What the classes of a word depend on.
#[derive(Default)]
struct WordShape {
    upper: u64,
    /// Lower-case letters, and letters of alphabets outside ASCII in either case.
    lower: u64,
    seldom_pairs: u64,
    /// The last letter, if it is in ASCII.
    last: u8,
    alphabet: Option<TokenClass>,
}

struct PieceScanner<'t, R> {
    bytes: &'t [u8],
    at: usize,
    report: R,
}

impl<R: FnMut(TokenClass, u64)> PieceScanner<'_, R> {
    fn kind_at(&self, at: usize) -> Option<ByteKind> {
        self.bytes.get(at).map(|byte| BYTE_KINDS[usize::from(*byte)])
    }

    fn is_letter_at(&self, at: usize) -> bool {
        match self.kind_at(at) {
            Some(ByteKind::Upper | ByteKind::Lower) => true,
            Some(ByteKind::NonAscii) => !matches!(classify(decode(self.bytes, at).0), Character::Symbol(_)),
            _ => false,
        }
    }

    /// Skips the bytes of this kind and returns their number.
    fn skip(&mut self, kind: ByteKind) -> usize {
        let start = self.at;
        while self.kind_at(self.at) == Some(kind) {
            self.at += 1;
        }
        self.at - start
    }

    fn digits(&mut self) {
        let digits = self.skip(ByteKind::Digit);
        self.report_whole(digits.div_ceil(3));
    }

    fn report_whole(&mut self, pieces: usize) {
        (self.report)(TokenClass::Whole, pieces as u64);
    }

    /// Blanks up to the last line break are a piece, and so are the blanks after it except the last one, which belongs
    /// to the word or the signs that follow.
    fn blanks(&mut self) {
        let start = self.at;
        let mut line_start = start;
        loop {
            match self.kind_at(self.at) {
                Some(ByteKind::Blank) => self.at += 1,
                Some(ByteKind::LineBreak) => {
                    self.at += 1;
                    line_start = self.at;
                }
                _ => break,
            }
        }
        self.report_whole((line_start - start).div_ceil(RUN_MAX));
        let indent = self.at - line_start;
        let (Some(next), Some(last)) = (self.kind_at(self.at), indent.checked_sub(1)) else {
            return self.report_whole(indent.div_ceil(RUN_MAX));
        };
        self.report_whole(last.div_ceil(RUN_MAX));
        if self.is_letter_at(self.at) {
            self.word_after(self.at - 1);
        } else if self.bytes[self.at - 1] == b' ' && next != ByteKind::Digit {
            self.signs(true);
        } else {
            self.report_whole(1);
        }
    }

    /// The word after the character at `prefix`.
    fn word_after(&mut self, prefix: usize) {
        self.at = prefix + 1;
        self.word(WordPrefix::from_byte(self.bytes[prefix]));
    }

    /// Upper-case letters and the lower-case letters after them; the next upper-case letter starts another word.
    fn word(&mut self, prefix: WordPrefix) {
        let start = self.at;
        let mut word = WordShape { upper: self.skip(ByteKind::Upper) as u64, ..WordShape::default() };
        if self.at > start {
            word.last = self.bytes[self.at - 1];
        }
        loop {
            self.lower_letters(&mut word);
            if self.kind_at(self.at) != Some(ByteKind::NonAscii) || !self.letter_outside_ascii(&mut word) {
                break;
            }
        }
        if self.bytes.get(self.at) == Some(&b'\'') {
            self.at += contraction_length(&self.bytes[self.at..]);
        }
        self.report_word(&word, prefix);
    }

    fn lower_letters(&mut self, word: &mut WordShape) {
        // local copies stay in registers: this loop sees most bytes of a text
        let (mut at, mut last, mut seldom_pairs) = (self.at, word.last, 0);
        while let Some(&byte) = self.bytes.get(at) {
            if !byte.is_ascii_lowercase() {
                break;
            }
            seldom_pairs += seldom_pair(last, byte);
            last = byte;
            at += 1;
        }
        word.lower += (at - self.at) as u64;
        word.seldom_pairs += seldom_pairs;
        (self.at, word.last) = (at, last);
    }

    /// Skips a letter outside ASCII; false if the character is none.
    fn letter_outside_ascii(&mut self, word: &mut WordShape) -> bool {
        let (code_point, length) = decode(self.bytes, self.at);
        match classify(code_point) {
            Character::Alphabetic(class) => {
                word.lower += 1;
                word.alphabet = word.alphabet.max(Some(class));
            }
            Character::Single(class) => (self.report)(class, 1),
            Character::Symbol(_) => return false,
        }
        word.last = 0;
        self.at += length;
        true
    }

    fn report_word(&mut self, word: &WordShape, prefix: WordPrefix) {
        let letters = word.upper + word.lower;
        let spaced = prefix == WordPrefix::Space;
        let report = &mut self.report;
        if let Some(alphabet) = word.alphabet {
            report(TokenClass::Whole, 1);
            report(alphabet, letters.saturating_sub(if alphabet == TokenClass::HangulSyllable { 1 } else { 2 }));
            report_other_prefix(prefix, report);
        } else if letters == 0 {
            if prefix != WordPrefix::None {
                report_other_prefix(prefix, report);
            }
        } else if word.upper > 1 && word.lower == 0 {
            report(TokenClass::Whole, 1);
            if spaced {
                report(TokenClass::FurtherLetter, letters.saturating_sub(12));
            } else if letters > 2 {
                report(TokenClass::CapitalWord, 1);
                report(TokenClass::Capital, letters.saturating_sub(4));
            }
        } else if word.upper > 1 {
            report(if spaced { TokenClass::MixedWordAfterSpace } else { TokenClass::MixedWord }, 1);
            report(TokenClass::MixedLetter, letters.min(12).saturating_sub(3));
            report(TokenClass::FurtherLetter, letters.saturating_sub(12));
            if !spaced && prefix != WordPrefix::None {
                report(TokenClass::OtherPrefix, 1);
            }
        } else {
            report_plain_word(word, prefix, report);
        }
    }

    /// Signs, with the line breaks after them. A sign that repeats the one before it costs nothing: the vocabulary has
    /// long runs of `-`, `=` and brackets.
    fn signs(&mut self, after_space: bool) {
        let start = self.at;
        let (mut previous, mut changes) = (0, 0);
        while let Some(&byte) = self.bytes.get(self.at) {
            match BYTE_KINDS[usize::from(byte)] {
                ByteKind::Sign => {
                    changes += u64::from(byte != previous);
                    previous = byte;
                    self.at += 1;
                }
                ByteKind::NonAscii => {
                    let (code_point, length) = decode(self.bytes, self.at);
                    let Character::Symbol(class) = classify(code_point) else { break };
                    (self.report)(class, 1);
                    self.at += length;
                }
                _ => break,
            }
        }
        if changes > 0 {
            self.report_whole((self.at - start).div_ceil(RUN_MAX));
            self.report_long_signs(changes, after_space);
        }
        self.skip(ByteKind::LineBreak);
    }

    fn report_long_signs(&mut self, signs: u64, after_space: bool) {
        if signs > 3 {
            (self.report)(TokenClass::FourSigns, 1);
            (self.report)(TokenClass::FurtherSign, signs - 4);
        }
        if signs > 2 && after_space {
            (self.report)(TokenClass::SpaceBeforeSigns, 1);
        }
    }
}

/// A word in lower case, or with a capital first letter. Most words are such words: conditions are counts of zero or one
/// instead of branches, which would often be predicted wrongly.
fn report_plain_word(word: &WordShape, prefix: WordPrefix, report: &mut impl FnMut(TokenClass, u64)) {
    let letters = word.upper + word.lower;
    let (joint, path) = (prefix == WordPrefix::Joint, prefix == WordPrefix::Path);
    let (long, medium) = (letters > 8, letters > 5);
    let after_sign = joint | path | (prefix == WordPrefix::Other);
    let ends_in_vowel = matches!(word.last, b'a' | b'i' | b'o' | b'u');
    report(TokenClass::Whole, 1);
    report(TokenClass::LongWord, u64::from(long & !joint & !path));
    report(TokenClass::JointWord, u64::from(joint & !long));
    report(TokenClass::LongJointWord, u64::from(joint & long));
    report(TokenClass::PathWord, u64::from(path & !medium));
    report(TokenClass::MediumPathWord, u64::from(path & medium & !long));
    report(TokenClass::LongPathWord, u64::from(path & long));
    report(TokenClass::FurtherLetter, letters.saturating_sub(12));
    report(TokenClass::SeldomPair, word.seldom_pairs * u64::from(letters > 3));
    report(TokenClass::VowelEnd, u64::from(ends_in_vowel & (letters > 4)));
    report(TokenClass::OtherPrefix, u64::from(prefix == WordPrefix::Other));
    report(TokenClass::CapitalizedAfterSign, u64::from(after_sign & (word.upper == 1) & (letters > 1)));
}

/// A prefix of a word outside ASCII: the vocabulary has most such words only after a space.
fn report_other_prefix(prefix: WordPrefix, report: &mut impl FnMut(TokenClass, u64)) {
    match prefix {
        WordPrefix::None => report(TokenClass::ForeignWithoutSpace, 1),
        WordPrefix::Space => {}
        _ => report(TokenClass::ForeignAfterSign, 1),
    }
}

/// The length of an English contraction such as `'s` or `'ll`, which belongs to the word before it.
fn contraction_length(rest: &[u8]) -> usize {
    match rest {
        [b'\'', b's' | b't' | b'm' | b'd' | b'S' | b'T' | b'M' | b'D', ..] => 2,
        [b'\'', b'r' | b'v' | b'R' | b'V', b'e' | b'E', ..] | [b'\'', b'l' | b'L', b'l' | b'L', ..] => 3,
        _ => 0,
    }
}
