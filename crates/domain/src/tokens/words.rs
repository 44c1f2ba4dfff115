//! The cost of words in ASCII letters. Most of a text consists of such words, so a table has their costs.

use crate::tokens::weights::{ClassCounts, TokenClass, cost};

/// The character before a word, which belongs to its piece. The vocabulary has more words with some prefixes than with
/// others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WordPrefix {
    None,
    Space,
    /// As in `object.name`, `call(name`, `first_name`.
    Joint,
    /// As in `/path`, `well-known`.
    Path,
    Other,
}

impl WordPrefix {
    pub(super) const ALL: [Self; 5] = [Self::None, Self::Space, Self::Joint, Self::Path, Self::Other];

    pub(super) const fn from_byte(byte: u8) -> Self {
        match byte {
            b' ' => Self::Space,
            b'_' | b'.' | b'(' | b'\t' => Self::Joint,
            b'/' | b'-' | b'[' | b'<' => Self::Path,
            _ => Self::Other,
        }
    }
}

/// Which letters of a word are capitals.
#[derive(Clone, Copy)]
pub(super) enum LetterCase {
    Lower,
    /// The first letter.
    Capitalized,
    /// All of several letters.
    Capitals,
    /// Several letters, before small ones.
    Mixed,
}

impl LetterCase {
    pub(super) const ALL: [Self; 4] = [Self::Lower, Self::Capitalized, Self::Capitals, Self::Mixed];

    /// The case of a word of `upper` capitals and then `lower` small letters.
    pub(super) fn from_counts(upper: usize, lower: usize) -> Self {
        match (upper, lower) {
            (0, _) => Self::Lower,
            (1, _) => Self::Capitalized,
            (_, 0) => Self::Capitals,
            _ => Self::Mixed,
        }
    }
}

/// What the classes of a word depend on. It has at least one letter.
#[derive(Clone, Copy)]
pub(super) struct AsciiWord {
    pub(super) prefix: WordPrefix,
    pub(super) case: LetterCase,
    pub(super) letters: usize,
    pub(super) ends_in_vowel: bool,
    pub(super) seldom_pairs: u32,
}

impl AsciiWord {
    /// The cost in thousandths of a token.
    pub(super) fn cost(self) -> u64 {
        let costs = &WORD_COSTS[self.prefix as usize][self.case as usize][usize::from(self.ends_in_vowel)];
        match costs.get(self.letters) {
            Some(cost) => cost.word + cost.seldom_pair * u64::from(self.seldom_pairs),
            None => cost(&self.class_counts()),
        }
    }

    pub(super) const fn class_counts(self) -> ClassCounts {
        match self.case {
            LetterCase::Lower | LetterCase::Capitalized => self.plain_counts(),
            LetterCase::Capitals => self.capitals_counts(),
            LetterCase::Mixed => self.mixed_counts(),
        }
    }

    const fn plain_counts(self) -> ClassCounts {
        let mut counts = [0; _];
        let (long, medium) = (self.letters > 8, self.letters > 5);
        counts[TokenClass::Whole as usize] = 1;
        match self.prefix {
            WordPrefix::None | WordPrefix::Space => counts[TokenClass::LongWord as usize] = long as u64,
            WordPrefix::Joint if long => counts[TokenClass::LongJointWord as usize] = 1,
            WordPrefix::Joint => counts[TokenClass::JointWord as usize] = 1,
            WordPrefix::Path if long => counts[TokenClass::LongPathWord as usize] = 1,
            WordPrefix::Path if medium => counts[TokenClass::MediumPathWord as usize] = 1,
            WordPrefix::Path => counts[TokenClass::PathWord as usize] = 1,
            WordPrefix::Other => {
                counts[TokenClass::LongWord as usize] = long as u64;
                counts[TokenClass::OtherPrefix as usize] = 1;
            }
        }
        if self.letters > 1 && self.is_after_sign() && matches!(self.case, LetterCase::Capitalized) {
            counts[TokenClass::CapitalizedAfterSign as usize] = 1;
        }
        if self.letters > 3 {
            counts[TokenClass::SeldomPair as usize] = self.seldom_pairs as u64;
        }
        counts[TokenClass::VowelEnd as usize] = (self.ends_in_vowel && self.letters > 4) as u64;
        counts[TokenClass::FurtherLetter as usize] = self.letters_after(12);
        counts
    }

    const fn capitals_counts(self) -> ClassCounts {
        let mut counts = [0; _];
        counts[TokenClass::Whole as usize] = 1;
        if matches!(self.prefix, WordPrefix::Space) {
            counts[TokenClass::FurtherLetter as usize] = self.letters_after(12);
        } else if self.letters > 2 {
            counts[TokenClass::CapitalWord as usize] = 1;
            counts[TokenClass::Capital as usize] = self.letters_after(4);
        }
        counts
    }

    const fn mixed_counts(self) -> ClassCounts {
        let mut counts = [0; _];
        let spaced = matches!(self.prefix, WordPrefix::Space);
        let class = if spaced { TokenClass::MixedWordAfterSpace } else { TokenClass::MixedWord };
        counts[class as usize] = 1;
        counts[TokenClass::MixedLetter as usize] = self.letters_after(3) - self.letters_after(12);
        counts[TokenClass::FurtherLetter as usize] = self.letters_after(12);
        counts[TokenClass::OtherPrefix as usize] = self.is_after_sign() as u64;
        counts
    }

    const fn is_after_sign(self) -> bool {
        !matches!(self.prefix, WordPrefix::None | WordPrefix::Space)
    }

    const fn letters_after(self, letters: usize) -> u64 {
        self.letters.saturating_sub(letters) as u64
    }
}

/// The costs in thousandths of a token.
#[derive(Clone, Copy)]
pub(super) struct WordCost {
    pub(super) word: u64,
    /// Of each seldom pair of letters.
    pub(super) seldom_pair: u64,
}

/// Longer words are so rare that their classes are counted.
const TABLE_LETTERS: usize = 24;

/// Costs by prefix, case, whether the last letter is a vowel, and number of letters.
pub(super) static WORD_COSTS: [[[[WordCost; TABLE_LETTERS]; 2]; LetterCase::ALL.len()]; WordPrefix::ALL.len()] = {
    let mut table = [[[[WordCost { word: 0, seldom_pair: 0 }; _]; _]; _]; _];
    let mut index = 0;
    while index < WordPrefix::ALL.len() * LetterCase::ALL.len() * 2 * TABLE_LETTERS {
        let (letters, rest) = (index % TABLE_LETTERS, index / TABLE_LETTERS);
        let (vowel, rest) = (rest % 2, rest / 2);
        let (case, prefix) = (rest % LetterCase::ALL.len(), rest / LetterCase::ALL.len());
        let mut word = AsciiWord {
            prefix: WordPrefix::ALL[prefix],
            case: LetterCase::ALL[case],
            letters,
            ends_in_vowel: vowel == 1,
            seldom_pairs: 0,
        };
        let base = cost(&word.class_counts());
        word.seldom_pairs = 1;
        let seldom_pair = cost(&word.class_counts()) - base;
        table[prefix][case][vowel][letters] = WordCost { word: base, seldom_pair };
        index += 1;
    }
    table
};
