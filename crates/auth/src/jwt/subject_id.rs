//! The number that stands for a person of another issuer where numbers are recorded.

use sha2::{Digest as _, Sha256};
use toolgate_domain::ids::SubjectId;

/// The number of a subject: 53 bits of a hash of issuer and subject, so that no database has to assign it and programs
/// that read JSON numbers as floats do not round it. An issuer is a URL, so it contains no zero byte.
pub fn subject_id(issuer: &str, subject: &str) -> SubjectId {
    let hash = Sha256::new().chain_update(issuer).chain_update([0]).chain_update(subject).finalize();
    let [a, b, c, d, e, f, g, ..] = <[u8; 32]>::from(hash);
    // Zero stands for no credential.
    SubjectId((i64::from_be_bytes([0, a, b, c, d, e, f, g]) >> 3).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_change_and_are_exact_in_json() {
        assert_eq!(subject_id("https://login.example/", "ada"), subject_id("https://login.example/", "ada"));
        assert_ne!(subject_id("https://login.example/", "ada"), subject_id("https://login.example/", "eve"));
        assert_ne!(subject_id("https://login.example/", "ada"), subject_id("https://login.example", "/ada"));
        for number in 0..1000 {
            let id = subject_id("https://login.example/", &number.to_string()).0;
            assert!((1..1 << 53).contains(&id), "{id}");
        }
    }
}
