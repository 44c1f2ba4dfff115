//! Splits a text into the pieces that o200k looks up: a word with at most one character before it, up to three digits,
//! a run of signs with the line breaks after it, a run of blanks. Reports the classes of each piece.

use crate::tokens::letters::{BYTE_KINDS, ByteKind, Character, character_at, seldom_pair};
use crate::tokens::weights::TokenClass;
use crate::tokens::words::{AsciiWord, LetterCase, WordPrefix};

/// Most signs or blanks of one kind that are one token.
pub(super) const RUN_MAX: usize = 64;

/// Receives the pieces of a text.
pub(super) trait PieceSink {
    /// A class that occurs `count` times.
    fn add(&mut self, class: TokenClass, count: u64);

    fn add_word(&mut self, word: AsciiWord);
}

/// Reports all pieces.
pub(super) fn scan(bytes: &[u8], sink: &mut impl PieceSink) {
    let mut scanner = PieceScanner { bytes, at: 0, sink };
    while scanner.at < bytes.len() {
        scanner.piece();
    }
}

/// Reports the first piece, and those after it that start outside ASCII, with or without a prefix. Returns their
/// length.
pub(super) fn scan_outside_ascii(bytes: &[u8], sink: &mut impl PieceSink) -> usize {
    let mut scanner = PieceScanner { bytes, at: 0, sink };
    loop {
        scanner.piece();
        let next = bytes.get(scanner.at..).unwrap_or_default();
        if next.iter().take(2).all(u8::is_ascii) {
            return scanner.at;
        }
    }
}

/// The properties of a word's letters on which its classes depend.
#[derive(Default)]
struct WordLetters {
    /// Capitals in ASCII.
    upper: usize,
    /// Lower-case letters, and letters of alphabets outside ASCII in either case.
    lower: usize,
    seldom_pairs: u32,
    /// The last letter, if it is in ASCII.
    last: u8,
    alphabet: Option<TokenClass>,
}

struct PieceScanner<'t, S> {
    bytes: &'t [u8],
    at: usize,
    sink: &'t mut S,
}

impl<S: PieceSink> PieceScanner<'_, S> {
    fn piece(&mut self) {
        match self.kind_at(self.at) {
            None => {}
            Some(ByteKind::Upper | ByteKind::Lower) => self.word(WordPrefix::None),
            Some(ByteKind::Digit) => self.digits(),
            Some(ByteKind::Blank | ByteKind::Sign) if self.is_letter_at(self.at + 1) => self.word_after(self.at),
            Some(ByteKind::Blank | ByteKind::LineBreak) => self.blanks(),
            Some(ByteKind::NonAscii) if self.is_letter_at(self.at) => self.word(WordPrefix::None),
            Some(ByteKind::Sign | ByteKind::NonAscii) => self.signs(false),
        }
    }

    fn kind_at(&self, at: usize) -> Option<ByteKind> {
        self.bytes.get(at).map(|byte| BYTE_KINDS[usize::from(*byte)])
    }

    fn is_letter_at(&self, at: usize) -> bool {
        match self.kind_at(at) {
            Some(ByteKind::Upper | ByteKind::Lower) => true,
            Some(ByteKind::NonAscii) => !matches!(character_at(self.bytes, at).0, Character::Symbol(_)),
            _ => false,
        }
    }

    /// Skips the bytes of this kind and returns their number.
    fn skip(&mut self, kind: ByteKind) -> usize {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| BYTE_KINDS[usize::from(**byte)] == kind).count();
        self.at += length;
        length
    }

    fn digits(&mut self) {
        let digits = self.skip(ByteKind::Digit);
        self.add_whole(digits.div_ceil(3));
    }

    fn add_whole(&mut self, pieces: usize) {
        self.sink.add(TokenClass::Whole, pieces as u64);
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
        self.add_whole((line_start - start).div_ceil(RUN_MAX));
        let indent = self.at - line_start;
        let (Some(next), Some(last)) = (self.kind_at(self.at), indent.checked_sub(1)) else {
            return self.add_whole(indent.div_ceil(RUN_MAX));
        };
        self.add_whole(last.div_ceil(RUN_MAX));
        if self.is_letter_at(self.at) {
            self.word_after(self.at - 1);
        } else if self.bytes[self.at - 1] == b' ' && next != ByteKind::Digit {
            self.signs(true);
        } else {
            self.add_whole(1);
        }
    }

    /// The word after the character at `prefix`.
    fn word_after(&mut self, prefix: usize) {
        self.at = prefix + 1;
        self.word(WordPrefix::from_byte(self.bytes[prefix]));
    }

    /// Upper-case letters and the lower-case letters after them; the next upper-case letter starts another word.
    fn word(&mut self, prefix: WordPrefix) {
        let mut word = WordLetters::default();
        self.upper_letters(&mut word);
        self.lower_letters(&mut word);
        match self.bytes.get(self.at) {
            Some(0x80..) => self.letters_outside_ascii(&mut word),
            Some(b'\'') => self.at += contraction_length(&self.bytes[self.at..]),
            _ => {}
        }
        let letters = word.upper + word.lower;
        if word.alphabet.is_some() || letters == 0 {
            return self.add_foreign_word(&word, prefix);
        }
        self.sink.add_word(AsciiWord {
            prefix,
            case: LetterCase::from_counts(word.upper, word.lower),
            letters,
            ends_in_vowel: matches!(word.last, b'a' | b'i' | b'o' | b'u'),
            seldom_pairs: word.seldom_pairs,
        });
    }

    fn upper_letters(&mut self, word: &mut WordLetters) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        for &byte in rest.iter().take_while(|byte| byte.is_ascii_uppercase()) {
            word.last = byte;
            word.upper += 1;
        }
        self.at += word.upper;
    }

    fn lower_letters(&mut self, word: &mut WordLetters) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let mut letters = 0;
        for &byte in rest.iter().take_while(|byte| byte.is_ascii_lowercase()) {
            word.seldom_pairs += seldom_pair(word.last, byte);
            word.last = byte;
            letters += 1;
        }
        word.lower += letters;
        self.at += letters;
    }

    /// The rest of a word from a character outside ASCII on.
    #[inline(never)] // keeps the common path of a word short
    fn letters_outside_ascii(&mut self, word: &mut WordLetters) {
        while self.kind_at(self.at) == Some(ByteKind::NonAscii) && self.letter_outside_ascii(word) {
            self.lower_letters(word);
        }
        if self.bytes.get(self.at) == Some(&b'\'') {
            self.at += contraction_length(&self.bytes[self.at..]);
        }
    }

    /// Skips a letter outside ASCII; `false` if the character is not a letter.
    fn letter_outside_ascii(&mut self, word: &mut WordLetters) -> bool {
        let (character, length) = character_at(self.bytes, self.at);
        match character {
            Character::Alphabetic(class) => {
                word.lower += 1;
                word.alphabet = word.alphabet.max(Some(class));
            }
            Character::Single(class) => self.sink.add(class, 1),
            Character::Symbol(_) => return false,
        }
        word.last = 0;
        self.at += length;
        true
    }

    /// A word with letters of an alphabet outside ASCII, or only with letters that have their own cost.
    #[inline(never)]
    fn add_foreign_word(&mut self, word: &WordLetters, prefix: WordPrefix) {
        if let Some(alphabet) = word.alphabet {
            let included = if alphabet == TokenClass::HangulSyllable { 1 } else { 2 };
            self.add_whole(1);
            self.sink.add(alphabet, (word.upper + word.lower).saturating_sub(included) as u64);
        }
        // The vocabulary has most foreign words only after a space.
        match prefix {
            WordPrefix::None if word.alphabet.is_some() => self.sink.add(TokenClass::ForeignWithoutSpace, 1),
            WordPrefix::None | WordPrefix::Space => {}
            _ => self.sink.add(TokenClass::ForeignAfterSign, 1),
        }
    }

    /// Signs, with the line breaks after them. A sign that repeats the one before it costs nothing: the vocabulary has
    /// long runs of `-`, `=` and brackets.
    fn signs(&mut self, after_space: bool) {
        let start = self.at;
        let (mut previous, mut changes) = (None, 0);
        while let Some(&byte) = self.bytes.get(self.at) {
            match BYTE_KINDS[usize::from(byte)] {
                ByteKind::Sign => {
                    changes += u64::from(previous != Some(byte));
                    previous = Some(byte);
                    self.at += 1;
                }
                ByteKind::NonAscii => {
                    let (Character::Symbol(class), length) = character_at(self.bytes, self.at) else { break };
                    self.sink.add(class, 1);
                    self.at += length;
                }
                _ => break,
            }
        }
        if changes > 0 {
            self.add_whole((self.at - start).div_ceil(RUN_MAX));
            self.add_long_signs(changes, after_space);
        }
        self.skip(ByteKind::LineBreak);
    }

    fn add_long_signs(&mut self, signs: u64, after_space: bool) {
        if signs > 3 {
            self.sink.add(TokenClass::FourSigns, 1);
            self.sink.add(TokenClass::FurtherSign, signs - 4);
        }
        if signs > 2 && after_space {
            self.sink.add(TokenClass::SpaceBeforeSigns, 1);
        }
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
