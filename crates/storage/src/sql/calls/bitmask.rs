//! What a look at some calls can find, in two numbers, so that it need not be taken where there is nothing.

use toolgate_domain::call::FailureReason;

use crate::CallOutcome;

/// Bits of outcomes and of types of clients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CallBitmask {
    /// The bit 0 for success, that of its number for a failure.
    pub(super) outcomes: i64,
    /// A bit for each type; some share one.
    pub(super) client_types: i64,
}

impl CallBitmask {
    /// Of one call.
    pub(super) fn from_call(failure: Option<FailureReason>, client_type: &str) -> Self {
        Self { outcomes: outcome_bit(failure), client_types: client_bit(client_type) }
    }

    /// Of any call with this outcome.
    pub(super) fn for_outcome(outcome: CallOutcome) -> i64 {
        let success = outcome_bit(None);
        match outcome {
            CallOutcome::Success => success,
            CallOutcome::Failure => !success,
            // What a newer version calls otherwise is shown as internal.
            CallOutcome::FailedWith(FailureReason::Internal) => {
                !(outcome_number_bit(FailureReason::Internal.number()) - 1)
            }
            CallOutcome::FailedWith(reason) => outcome_bit(Some(reason)),
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.outcomes |= other.outcomes;
        self.client_types |= other.client_types;
    }
}

pub(super) fn outcome_bit(failure: Option<FailureReason>) -> i64 {
    outcome_number_bit(failure.map_or(0, FailureReason::number))
}

/// The bit of an outcome's number: 0 for success, else that of the reason.
pub(super) fn outcome_number_bit(number: u8) -> i64 {
    1 << number.min(62)
}

/// The same for a type for ever, for it is stored: FNV-1a.
pub(super) fn client_bit(client_type: &str) -> i64 {
    let hash = client_type
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    1 << (hash % 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_found_by_their_marks_and_by_no_others() {
        let because = CallOutcome::FailedWith;
        let reasons: Vec<FailureReason> =
            FailureReason::NAMES.iter().map(|name| FailureReason::parse(name).unwrap()).collect();
        for reason in &reasons {
            let bitmask = CallBitmask::from_call(Some(*reason), "cursor");
            let found = |outcome| bitmask.outcomes & CallBitmask::for_outcome(outcome) != 0;
            assert!(found(CallOutcome::Failure) && found(because(*reason)) && !found(CallOutcome::Success));
            assert!(reasons.iter().all(|other| other == reason || !found(because(*other))));
        }
        for newer in [17, 40, u8::MAX] {
            let shown = FailureReason::from_number(newer).unwrap();
            assert_ne!(outcome_number_bit(newer) & CallBitmask::for_outcome(because(shown)), 0);
        }
        let success = CallBitmask::from_call(None, "cursor").outcomes;
        assert_eq!(
            (
                success & CallBitmask::for_outcome(CallOutcome::Success),
                success & CallBitmask::for_outcome(CallOutcome::Failure)
            ),
            (1, 0)
        );
    }

    #[test]
    fn the_bit_of_a_type_is_the_one_it_always_was() {
        let bits = ["cursor", "claude-desktop", "unknown", ""].map(|name| client_bit(name).trailing_zeros());
        assert_eq!(bits, [54, 32, 62, 23]);
    }
}
