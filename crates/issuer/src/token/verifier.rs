//! Proof Key for Code Exchange (RFC 7636), with the method S256 only.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// Whether `verifier` has the required form and its hash is `challenge`.
pub(super) fn matches(verifier: &str, challenge: &str) -> bool {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let is_well_formed = (43..=128).contains(&verifier.len()) && verifier.bytes().all(is_unreserved);
    // The challenge is not secret: it was in the address of the consent page.
    is_well_formed && URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)) == challenge
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    #[test]
    fn the_example_of_the_specification_matches() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert!(matches(verifier, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"));
        assert!(!matches(verifier, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN"));
        assert!(!matches(verifier, verifier), "the method plain is not supported");
    }

    #[test]
    fn a_verifier_of_another_form_is_refused_even_if_its_hash_is_right() {
        let challenge = |verifier: &str| URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
        for (verifier, is_accepted) in [
            ("a".repeat(42), false),
            ("a".repeat(43), true),
            ("a".repeat(128), true),
            ("a".repeat(129), false),
            (format!("{} ", "a".repeat(43)), false),
            (format!("{}+", "a".repeat(43)), false),
            (format!("{}-._~", "a".repeat(43)), true),
        ] {
            assert_eq!(matches(&verifier, &challenge(&verifier)), is_accepted, "{verifier}");
        }
    }
}
