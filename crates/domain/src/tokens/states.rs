//! The rules of [`pieces`](crate::tokens::pieces) for ASCII as states of the piece in progress.

use crate::tokens::symbols::Symbol;
use crate::tokens::weights::TokenClass;
use crate::tokens::words::{LetterCase, WORD_COSTS, WordPrefix};

/// Words with more letters and runs with more signs have no state: they are rare.
pub(super) const LETTERS_MAX: usize = 14;
pub(super) const SIGNS_MAX: usize = 12;

const PREFIXES: usize = WordPrefix::ALL.len();
/// The cost of a piece that is in the vocabulary.
pub(super) const WHOLE: u64 = TokenClass::Whole.thousandths();

/// What precedes the last of several blanks.
#[derive(Clone, Copy)]
pub(super) enum BlanksBefore {
    Nothing,
    Blanks,
    Breaks,
    BreaksAndBlanks,
}

impl BlanksBefore {
    pub(super) const ALL: [Self; 4] = [Self::Nothing, Self::Blanks, Self::Breaks, Self::BreaksAndBlanks];

    /// The cost of the pieces before the last blank.
    pub(super) const fn cost(self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Blanks | Self::Breaks => WHOLE,
            Self::BreaksAndBlanks => 2 * WHOLE,
        }
    }

    pub(super) const fn and_blank(self) -> Self {
        match self {
            Self::Nothing | Self::Blanks => Self::Blanks,
            Self::Breaks | Self::BreaksAndBlanks => Self::BreaksAndBlanks,
        }
    }
}

/// What the piece in progress consists of.
#[derive(Clone, Copy)]
pub(super) enum PieceState {
    Start,
    /// The end of this piece is left to the scanner of pieces.
    Undecided,
    /// One to three digits.
    Digits(usize),
    /// Blanks up to a line break.
    Breaks,
    /// Line breaks that belong to the signs before them.
    BreaksAfterSigns,
    /// Blanks after the last line break. The last one may become the prefix of a word.
    Blanks(BlanksBefore, WordPrefix),
    /// One sign, which may become the prefix of a word.
    Sign(WordPrefix),
    /// Signs, without those that repeat the one before them.
    Signs {
        signs: usize,
        after_space: bool,
    },
    Word {
        prefix: WordPrefix,
        case: LetterCase,
        letters: usize,
        ends_in_vowel: bool,
    },
}

// the indices of the first state of each kind
const FIRST_BLANKS: usize = 7;
const FIRST_SIGN: usize = FIRST_BLANKS + BlanksBefore::ALL.len() * PREFIXES;
const FIRST_SIGNS: usize = FIRST_SIGN + PREFIXES;
const FIRST_WORD: usize = FIRST_SIGNS + 2 * SIGNS_MAX;

impl PieceState {
    pub(super) const COUNT: usize = FIRST_WORD + PREFIXES * LetterCase::ALL.len() * 2 * LETTERS_MAX;

    pub(super) const fn index(self) -> usize {
        match self {
            Self::Start => 0,
            Self::Undecided => 1,
            Self::Breaks => 2,
            Self::BreaksAfterSigns => 3,
            Self::Digits(digits) => 3 + digits,
            Self::Blanks(before, kind) => FIRST_BLANKS + before as usize * PREFIXES + kind as usize,
            Self::Sign(kind) => FIRST_SIGN + kind as usize,
            Self::Signs { signs, after_space } => FIRST_SIGNS + after_space as usize * SIGNS_MAX + signs - 1,
            Self::Word { prefix, case, letters, ends_in_vowel } => {
                let form = (prefix as usize * LetterCase::ALL.len() + case as usize) * 2 + ends_in_vowel as usize;
                FIRST_WORD + form * LETTERS_MAX + letters - 1
            }
        }
    }

    /// The cost of the piece if it ends here, in thousandths of a token, without seldom pairs of letters.
    pub(super) const fn cost(self) -> u64 {
        match self {
            Self::Start | Self::Undecided | Self::BreaksAfterSigns => 0,
            Self::Digits(_) | Self::Breaks | Self::Sign(_) => WHOLE,
            Self::Blanks(before, _) => before.cost() + WHOLE,
            Self::Signs { signs, after_space } => signs_cost(signs, after_space),
            Self::Word { prefix, case, letters, ends_in_vowel } => {
                WORD_COSTS[prefix as usize][case as usize][ends_in_vowel as usize][letters].word
            }
        }
    }

    /// Whether seldom pairs of letters add to the cost.
    pub(super) const fn counts_pairs(self) -> bool {
        match self {
            Self::Word { prefix, case, letters, ends_in_vowel } => {
                WORD_COSTS[prefix as usize][case as usize][ends_in_vowel as usize][letters].seldom_pair > 0
            }
            _ => false,
        }
    }

    /// The state after a byte that starts a piece.
    pub(super) const fn first(symbol: Symbol) -> Self {
        match symbol {
            _ if symbol.is_letter() => Self::first_letter(WordPrefix::None, symbol),
            _ if symbol.is_blank() => Self::Blanks(BlanksBefore::Nothing, symbol.as_prefix()),
            _ if symbol.is_new_sign() => Self::Sign(symbol.as_prefix()),
            Symbol::Digit => Self::Digits(1),
            Symbol::LineBreak => Self::Breaks,
            _ => Self::Undecided,
        }
    }

    pub(super) const fn first_letter(prefix: WordPrefix, symbol: Symbol) -> Self {
        let case = if matches!(symbol, Symbol::Upper) { LetterCase::Capitalized } else { LetterCase::Lower };
        Self::Word { prefix, case, letters: 1, ends_in_vowel: matches!(symbol, Symbol::LowerVowel) }
    }
}

const fn signs_cost(signs: usize, after_space: bool) -> u64 {
    let mut sum = WHOLE;
    if signs > 3 {
        sum += TokenClass::FourSigns.thousandths() + TokenClass::FurtherSign.thousandths() * (signs as u64 - 4);
    }
    if signs > 2 && after_space {
        sum += TokenClass::SpaceBeforeSigns.thousandths();
    }
    sum
}
