//! Estimates ASCII with a table of all steps. The pieces of a text have no predictable lengths: branches for each byte
//! would often be predicted wrongly, and a look-up costs the same for every byte.

use crate::tokens::letters::seldom_pair;
use crate::tokens::pieces::RUN_MAX;
use crate::tokens::states::{BlanksBefore, LETTERS_MAX, PieceState, SIGNS_MAX};
use crate::tokens::steps::{PieceStart, ScanStep};
use crate::tokens::symbols::{SYMBOLS, Symbol};
use crate::tokens::weights::TokenClass;
use crate::tokens::words::{LetterCase, WordPrefix};

/// The steps for each symbol, by state. Two arrays, because the next step waits only for `next`.
struct StepTable {
    /// Indices of states.
    next: [[u16; PieceState::COUNT]; Symbol::ALL.len()],
    effects: [[Effects; PieceState::COUNT]; Symbol::ALL.len()],
}

/// What a step does, except for the next state: 13 bits of cost, two of a [`PieceStart`], one for pairs of letters.
#[derive(Clone, Copy)]
struct Effects(u16);

impl Effects {
    const fn new(step: ScanStep) -> Self {
        assert!(step.finished_cost < 1 << 13);
        Self(to_u16(step.finished_cost) | (step.start as u16) << 13 | (step.counts_pairs as u16) << 15)
    }

    fn finished_cost(self) -> u64 {
        u64::from(self.0 & 0x1fff)
    }

    fn start(self) -> usize {
        usize::from(self.0 >> 13 & 3)
    }

    /// All bits if pairs count, else none.
    fn pairs_mask(self) -> u64 {
        u64::from(self.0 >> 15).wrapping_neg()
    }
}

const fn to_u16(number: u64) -> u16 {
    let [low, high, ..] = number.to_le_bytes();
    u16::from_le_bytes([low, high])
}

static STEPS: StepTable = {
    let mut table = StepTable { next: [[0; _]; _], effects: [[Effects(0); _]; _] };
    table.add_state(PieceState::Start);
    table.add_state(PieceState::Undecided);
    table.add_state(PieceState::Breaks);
    table.add_state(PieceState::BreaksAfterSigns);
    table.add_digits();
    table.add_signs();
    let mut prefix = 0;
    while prefix < WordPrefix::ALL.len() {
        table.add_prefixes(WordPrefix::ALL[prefix]);
        table.add_words(WordPrefix::ALL[prefix]);
        prefix += 1;
    }
    table
};

impl StepTable {
    const fn add_state(&mut self, state: PieceState) {
        let mut column = 0;
        while column < Symbol::ALL.len() {
            let step = ScanStep::new(state, Symbol::ALL[column]);
            self.next[column][state.index()] = to_u16(step.next.index() as u64);
            self.effects[column][state.index()] = Effects::new(step);
            column += 1;
        }
    }

    const fn add_digits(&mut self) {
        let mut digits = 1;
        while digits <= 3 {
            self.add_state(PieceState::Digits(digits));
            digits += 1;
        }
    }

    const fn add_signs(&mut self) {
        let mut signs = 1;
        while signs <= SIGNS_MAX {
            self.add_state(PieceState::Signs { signs, after_space: false });
            self.add_state(PieceState::Signs { signs, after_space: true });
            signs += 1;
        }
    }

    const fn add_prefixes(&mut self, kind: WordPrefix) {
        self.add_state(PieceState::Sign(kind));
        let mut before = 0;
        while before < BlanksBefore::ALL.len() {
            self.add_state(PieceState::Blanks(BlanksBefore::ALL[before], kind));
            before += 1;
        }
    }

    const fn add_words(&mut self, prefix: WordPrefix) {
        let mut index = 0;
        while index < LetterCase::ALL.len() * LETTERS_MAX {
            let (case, letters) = (LetterCase::ALL[index / LETTERS_MAX], index % LETTERS_MAX + 1);
            self.add_state(PieceState::Word { prefix, case, letters, ends_in_vowel: false });
            self.add_state(PieceState::Word { prefix, case, letters, ends_in_vowel: true });
            index += 1;
        }
    }
}

/// Bytes between two checks for an undecided piece; that state has no way out, so a late check does no harm.
const CHECK_INTERVAL: usize = 4;

/// The leading pieces of a text that the table decides.
pub(super) struct DecidedPieces {
    /// In thousandths of a token.
    pub(super) cost: u64,
    pub(super) length: usize,
}

impl DecidedPieces {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let (mut state, mut at, mut start, mut cost) = (PieceState::Start.index(), 0, 0, 0);
        let (mut pairs, mut pairs_at_start, mut counted_pairs) = (0, 0, 0);
        let mut previous = 0;
        let (chunks, _) = bytes.as_chunks::<CHECK_INTERVAL>();
        for chunk in chunks {
            for &byte in chunk {
                let symbol = SYMBOLS[usize::from(byte == previous)][usize::from(byte)] as usize;
                let effects = STEPS.effects[symbol][state];
                state = usize::from(STEPS.next[symbol][state]);
                cost += effects.finished_cost();
                counted_pairs += (pairs - pairs_at_start) & effects.pairs_mask();
                pairs += u64::from(seldom_pair(previous, byte));
                // a conditional move instead of a branch
                let moved = effects.start() != PieceStart::Unchanged as usize;
                start = if moved { at + effects.start() - PieceStart::ThisByte as usize } else { start };
                pairs_at_start = if moved { pairs } else { pairs_at_start };
                previous = byte;
                at += 1;
            }
            if state == PieceState::Undecided.index() || at - start > RUN_MAX - CHECK_INTERVAL {
                break;
            }
        }
        if state == PieceState::BreaksAfterSigns.index() {
            start += bytes[start..].iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        }
        Self { cost: cost + counted_pairs * TokenClass::SeldomPair.thousandths(), length: start }
    }
}
