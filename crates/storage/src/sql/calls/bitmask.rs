//! Bitmasks of the outcomes and client types in a block, so that a scan can skip blocks without a match.

use toolgate_domain::call::FailureReason;

use crate::calls::CallOutcome;

/// Bits of outcomes and client types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CallBitmask {
    /// Bit 0 for success, the bit of the reason's number for a failure.
    pub(super) outcomes: i64,
    /// One bit for each client type; several types may share a bit.
    pub(super) client_types: i64,
}

impl CallBitmask {
    /// The bits of one call.
    pub(super) fn from_call(failure: Option<FailureReason>, client_type: &str) -> Self {
        Self { outcomes: outcome_bit(failure), client_types: client_bit(client_type) }
    }

    /// All outcome bits that match `outcome`.
    pub(super) fn for_outcome(outcome: CallOutcome) -> i64 {
        let success = outcome_bit(None);
        match outcome {
            CallOutcome::Success => success,
            CallOutcome::Failure => !success,
            // Reasons of a newer version are shown as internal, so this matches all higher bits too.
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

/// The bit of an outcome number: 0 for success, else the number of the reason. Bit 62 is the highest one because bit 63
/// is the sign.
pub(super) fn outcome_number_bit(number: u8) -> i64 {
    1 << number.min(62)
}

/// The bit of a client type, from its FNV-1a hash. It is stored, so it must never change. Bit 63, the sign, is unused.
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
    fn each_outcome_matches_its_own_bits_only() {
        let failed_with = CallOutcome::FailedWith;
        let reasons: Vec<FailureReason> =
            FailureReason::NAMES.iter().map(|name| FailureReason::parse(name).unwrap()).collect();
        for reason in &reasons {
            let bitmask = CallBitmask::from_call(Some(*reason), "cursor");
            let matches = |outcome| bitmask.outcomes & CallBitmask::for_outcome(outcome) != 0;
            assert!(matches(CallOutcome::Failure) && matches(failed_with(*reason)) && !matches(CallOutcome::Success));
            assert!(reasons.iter().all(|other| other == reason || !matches(failed_with(*other))));
        }
        // Numbers that only a newer version can have written.
        for number in [17, 40, u8::MAX] {
            let shown_reason = FailureReason::from_number(number).unwrap();
            assert_ne!(outcome_number_bit(number) & CallBitmask::for_outcome(failed_with(shown_reason)), 0);
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
    fn the_bit_of_a_client_type_never_changes() {
        let bits = ["cursor", "claude-desktop", "unknown", ""].map(|name| client_bit(name).trailing_zeros());
        assert_eq!(bits, [54, 32, 62, 23]);
    }
}
