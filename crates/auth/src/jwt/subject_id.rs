//! The number that identifies a person of another issuer in the call log.

use sha2::{Digest as _, Sha256};
use toolgate_domain::ids::SubjectId;

/// The number of a subject: 53 bits of a hash of issuer and subject, so that no database has to assign it and programs
/// that read JSON numbers as floats do not round it. A zero byte separates the two: no URL of an issuer has one.
pub fn subject_id(issuer: &str, subject: &str) -> SubjectId {
    let hash: [u8; 32] = Sha256::new().chain_update(issuer).chain_update([0]).chain_update(subject).finalize().into();
    let first_bits = hash.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes)) >> 11;
    // In the call log, the number 0 means that there is no credential.
    SubjectId(i64::try_from(first_bits).unwrap_or_default().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_change_and_are_exact_in_json() {
        assert_eq!(subject_id("https://login.example/", "ada").0, 2_401_174_650_572_703, "call logs contain it");
        assert_ne!(subject_id("https://login.example/", "ada"), subject_id("https://login.example/", "eve"));
        assert_ne!(subject_id("https://login.example/", "ada"), subject_id("https://login.example", "/ada"));
        for number in 0..1000 {
            let id = subject_id("https://login.example/", &number.to_string()).0;
            assert!((1..1 << 53).contains(&id), "{id}");
        }
    }
}
