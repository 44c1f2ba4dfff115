//! The classes of bytes that the [states](crate::tokens::states) of a piece distinguish.

use crate::tokens::words::WordPrefix;

/// What a byte means for the pieces around it.
#[derive(Clone, Copy)]
pub(super) enum Symbol {
    Upper,
    /// `a`, `i`, `o` or `u`.
    LowerVowel,
    OtherLower,
    Digit,
    Space,
    Tab,
    OtherBlank,
    LineBreak,
    JointSign,
    PathSign,
    OtherSign,
    Apostrophe,
    /// A sign that is the same as the one before it.
    RepeatedSign,
    /// A byte outside ASCII.
    NonAscii,
}

impl Symbol {
    pub(super) const ALL: [Self; 14] = [
        Self::Upper,
        Self::LowerVowel,
        Self::OtherLower,
        Self::Digit,
        Self::Space,
        Self::Tab,
        Self::OtherBlank,
        Self::LineBreak,
        Self::JointSign,
        Self::PathSign,
        Self::OtherSign,
        Self::Apostrophe,
        Self::RepeatedSign,
        Self::NonAscii,
    ];

    const fn from_byte(byte: u8) -> Self {
        match byte {
            b'A'..=b'Z' => Self::Upper,
            b'a' | b'i' | b'o' | b'u' => Self::LowerVowel,
            b'a'..=b'z' => Self::OtherLower,
            b'0'..=b'9' => Self::Digit,
            b' ' => Self::Space,
            b'\t' => Self::Tab,
            0x0b | 0x0c => Self::OtherBlank,
            b'\n' | b'\r' => Self::LineBreak,
            b'\'' => Self::Apostrophe,
            0x80.. => Self::NonAscii,
            _ => match WordPrefix::from_byte(byte) {
                WordPrefix::Joint => Self::JointSign,
                WordPrefix::Path => Self::PathSign,
                _ => Self::OtherSign,
            },
        }
    }

    pub(super) const fn is_letter(self) -> bool {
        matches!(self, Self::Upper | Self::LowerVowel | Self::OtherLower)
    }

    pub(super) const fn is_blank(self) -> bool {
        matches!(self, Self::Space | Self::Tab | Self::OtherBlank)
    }

    /// A sign other than the one before it.
    pub(super) const fn is_new_sign(self) -> bool {
        matches!(self, Self::JointSign | Self::PathSign | Self::OtherSign | Self::Apostrophe)
    }

    /// The prefix of a word after this blank or sign.
    pub(super) const fn as_prefix(self) -> WordPrefix {
        match self {
            Self::Space => WordPrefix::Space,
            Self::Tab | Self::JointSign => WordPrefix::Joint,
            Self::PathSign => WordPrefix::Path,
            _ => WordPrefix::Other,
        }
    }
}

/// The symbol of each byte, and of each byte that repeats the one before it.
pub(super) static SYMBOLS: [[Symbol; 256]; 2] = {
    let mut symbols = [[Symbol::NonAscii; 256]; 2];
    let mut byte = 0;
    while byte < 0x80 {
        let symbol = Symbol::from_byte(byte);
        symbols[0][byte as usize] = symbol;
        symbols[1][byte as usize] = if symbol.is_new_sign() { Symbol::RepeatedSign } else { symbol };
        byte += 1;
    }
    symbols
};
