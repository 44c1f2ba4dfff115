//! Bitmasks of the outcomes, client types and origins in a block, so that a scan can skip blocks without a match.

use std::net::IpAddr;

use toolgate_domain::call::{CallCredential, CallRecord, FailureReason};

use crate::calls::CallOutcome;

/// Bits of outcomes, client types and origins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CallBitmask {
    /// Bit 0 for success, the bit of the reason's number for a failure.
    pub(super) outcomes: i64,
    /// One bit for each client type; several types may share a bit.
    pub(super) client_types: i64,
    /// Bit 0 without a credential, else one bit for each; several credentials may share a bit.
    pub(super) credentials: i64,
    /// Bit 0 without an address, else one bit for each; several addresses may share a bit.
    pub(super) addresses: i64,
}

impl CallBitmask {
    /// The bits of one call.
    pub(super) fn from_call(record: &CallRecord, client_type: &str) -> Self {
        Self {
            outcomes: outcome_bit(record.failure),
            client_types: client_bit(client_type),
            credentials: credential_bit(record.origin.credential),
            addresses: record.origin.client_address.map_or(1, address_bit),
        }
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
        self.credentials |= other.credentials;
        self.addresses |= other.addresses;
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
    1 << (fnv1a(client_type.as_bytes()) % 63)
}

/// The bit of a credential, from its id. It is stored, so it must never change.
pub(super) fn credential_bit(credential: CallCredential) -> i64 {
    match credential {
        CallCredential::None => 1,
        credential => 1 << (1 + credential.numbers().1.rem_euclid(62)),
    }
}

/// The bit of a client address, from its FNV-1a hash. It is stored, so it must never change.
pub(super) fn address_bit(address: IpAddr) -> i64 {
    let hash = match address {
        IpAddr::V4(address) => fnv1a(&address.octets()),
        IpAddr::V6(address) => fnv1a(&address.octets()),
    };
    1 << (1 + hash % 62)
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::{EndpointKeyId, ServerId, ToolId, UserId};

    use super::*;

    fn call(failure: Option<FailureReason>) -> CallRecord {
        CallRecord { failure, ..CallRecord::new(UserId(1), ServerId(1), ToolId(1), String::new()) }
    }

    #[test]
    fn each_outcome_matches_its_own_bits_only() {
        let failed_with = CallOutcome::FailedWith;
        let reasons: Vec<FailureReason> =
            FailureReason::NAMES.iter().map(|name| FailureReason::parse(name).unwrap()).collect();
        for reason in &reasons {
            let bitmask = CallBitmask::from_call(&call(Some(*reason)), "cursor");
            let matches = |outcome| bitmask.outcomes & CallBitmask::for_outcome(outcome) != 0;
            assert!(matches(CallOutcome::Failure) && matches(failed_with(*reason)) && !matches(CallOutcome::Success));
            assert!(reasons.iter().all(|other| other == reason || !matches(failed_with(*other))));
        }
        // Numbers that only a newer version can have written.
        for number in [17, 40, u8::MAX] {
            let shown_reason = FailureReason::from_number(number).unwrap();
            assert_ne!(outcome_number_bit(number) & CallBitmask::for_outcome(failed_with(shown_reason)), 0);
        }
        let success = CallBitmask::from_call(&call(None), "cursor").outcomes;
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

    #[test]
    fn the_bits_of_an_origin_never_change() {
        let keys = [1, 61, 62, i64::MAX].map(|id| CallCredential::EndpointKey(EndpointKeyId(id)));
        assert_eq!(keys.map(|key| credential_bit(key).trailing_zeros()), [2, 62, 1, 8]);
        let addresses = ["203.0.113.9", "10.0.0.1", "2001:db8::1"].map(|address| address.parse().unwrap());
        assert_eq!(addresses.map(|address| address_bit(address).trailing_zeros()), [29, 39, 39]);
        let bitmask = CallBitmask::from_call(&call(None), "cursor");
        assert_eq!((bitmask.credentials, bitmask.addresses), (1, 1), "as the default of the columns");
    }
}
