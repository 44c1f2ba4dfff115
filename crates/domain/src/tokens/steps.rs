//! What a byte does to the piece in progress.

use crate::tokens::states::{BlanksBefore, LETTERS_MAX, PieceState, SIGNS_MAX, WHOLE};
use crate::tokens::symbols::Symbol;
use crate::tokens::words::{LetterCase, WordPrefix};

/// Where the piece in progress starts.
#[derive(Clone, Copy)]
pub(super) enum PieceStart {
    Unchanged,
    PreviousByte,
    ThisByte,
    NextByte,
}

/// The step from one state to the next.
#[derive(Clone, Copy)]
pub(super) struct ScanStep {
    pub(super) next: PieceState,
    pub(super) start: PieceStart,
    /// The cost of the pieces that end before the new start, in thousandths of a token.
    pub(super) finished_cost: u64,
    /// Whether the seldom pairs of letters since the old start add to the cost.
    pub(super) counts_pairs: bool,
}

impl ScanStep {
    pub(super) const fn new(state: PieceState, symbol: Symbol) -> Self {
        match (state, symbol) {
            (PieceState::Digits(digits @ ..3), Symbol::Digit) => Self::within(PieceState::Digits(digits + 1)),
            (PieceState::BreaksAfterSigns, Symbol::LineBreak) => Self::break_after_signs(state),
            (PieceState::Start | PieceState::Digits(_) | PieceState::BreaksAfterSigns, _) => {
                Self::first_of_piece(state, symbol)
            }
            // an apostrophe after a word may start a contraction
            (PieceState::Undecided, _) | (_, Symbol::NonAscii) | (PieceState::Word { .. }, Symbol::Apostrophe) => {
                Self::within(PieceState::Undecided)
            }
            (PieceState::Breaks, Symbol::LineBreak) => Self::within(state),
            (PieceState::Breaks, _) if symbol.is_blank() => {
                Self::within(PieceState::Blanks(BlanksBefore::Breaks, symbol.as_prefix()))
            }
            (PieceState::Blanks(before, kind), _) => Self::after_blanks(before, kind, symbol),
            (PieceState::Sign(kind), _) if symbol.is_letter() => Self::within(PieceState::first_letter(kind, symbol)),
            (PieceState::Sign(_), _) => Self::after_signs(1, false, symbol),
            (PieceState::Signs { signs, after_space }, _) => Self::after_signs(signs, after_space, symbol),
            (PieceState::Word { prefix, case, letters, .. }, _) if symbol.is_letter() => {
                match case_after(case, letters, symbol) {
                    Some(case) => Self::letter(prefix, case, letters, symbol),
                    None => Self::first_of_piece(state, symbol),
                }
            }
            (PieceState::Breaks | PieceState::Word { .. }, _) => Self::first_of_piece(state, symbol),
        }
    }

    /// The byte belongs to the piece in progress.
    const fn within(next: PieceState) -> Self {
        Self { next, start: PieceStart::Unchanged, finished_cost: 0, counts_pairs: false }
    }

    /// The byte is the first of another piece.
    const fn first_of_piece(state: PieceState, symbol: Symbol) -> Self {
        Self {
            next: PieceState::first(symbol),
            start: PieceStart::ThisByte,
            finished_cost: state.cost(),
            counts_pairs: state.counts_pairs(),
        }
    }

    const fn break_after_signs(state: PieceState) -> Self {
        Self {
            next: PieceState::BreaksAfterSigns,
            start: PieceStart::NextByte,
            finished_cost: state.cost(),
            counts_pairs: false,
        }
    }

    const fn after_signs(signs: usize, after_space: bool, symbol: Symbol) -> Self {
        let state = PieceState::Signs { signs, after_space };
        match symbol {
            Symbol::RepeatedSign => Self::within(state),
            Symbol::LineBreak => Self::break_after_signs(state),
            _ if !symbol.is_new_sign() => Self::first_of_piece(state, symbol),
            _ if signs == SIGNS_MAX => Self::within(PieceState::Undecided),
            _ => Self::within(PieceState::Signs { signs: signs + 1, after_space }),
        }
    }

    /// The last blank belongs to a word, and a space to signs, that follow it.
    const fn after_blanks(before: BlanksBefore, kind: WordPrefix, symbol: Symbol) -> Self {
        let next = match symbol {
            Symbol::LineBreak => return Self::within(PieceState::Breaks),
            _ if symbol.is_blank() => {
                return Self::within(PieceState::Blanks(before.and_blank(), symbol.as_prefix()));
            }
            _ if symbol.is_letter() => PieceState::first_letter(kind, symbol),
            _ if symbol.is_new_sign() && matches!(kind, WordPrefix::Space) => {
                PieceState::Signs { signs: 1, after_space: true }
            }
            _ => {
                let finished_cost = before.cost() + WHOLE;
                let next = PieceState::first(symbol);
                return Self { next, start: PieceStart::ThisByte, finished_cost, counts_pairs: false };
            }
        };
        Self { next, start: PieceStart::PreviousByte, finished_cost: before.cost(), counts_pairs: false }
    }

    /// Another letter of a word.
    const fn letter(prefix: WordPrefix, case: LetterCase, letters: usize, symbol: Symbol) -> Self {
        if letters == LETTERS_MAX {
            return Self::within(PieceState::Undecided);
        }
        let ends_in_vowel = matches!(symbol, Symbol::LowerVowel);
        Self::within(PieceState::Word { prefix, case, letters: letters + 1, ends_in_vowel })
    }
}

/// The case of a word after one more letter; `None` if the letter starts another word.
const fn case_after(case: LetterCase, letters: usize, letter: Symbol) -> Option<LetterCase> {
    match (case, letter) {
        (LetterCase::Capitalized, Symbol::Upper) if letters == 1 => Some(LetterCase::Capitals),
        (LetterCase::Capitals, Symbol::Upper) => Some(case),
        (_, Symbol::Upper) => None,
        (LetterCase::Capitals, _) => Some(LetterCase::Mixed),
        _ => Some(case),
    }
}
