//! Signed tokens of other issuers: arbitrary bytes are never accepted, and an accepted token says what was checked.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::Value;
use toolgate_auth::jwt::{AccessTokenRules, Claims, IdTokenRules, JsonWebKeys, UnverifiedToken};
use toolgate_domain::time::Timestamp;

const ISSUER: &str = "https://id.example";
const AUDIENCE: &str = "gate";
const NONCE: &str = "n";
const NOW_SECS: f64 = 1_000_000_000.0;
const NOW: Timestamp = Timestamp::from_millis(1_000_000_000_000);
/// The accepted difference of the clocks, and one second because fractions are cut off.
const TOLERANCE_SECS: f64 = 61.0;

/// Checks any bytes as a key document, any text as a token, and any texts as the header and the claims that an issuer
/// signs.
pub(crate) fn check(key_document: &[u8], token: &str, header: &str, claims: &str) {
    let key_pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).expect("a seed has 32 bytes");
    let public_key = URL_SAFE_NO_PAD.encode(key_pair.public_key());
    let own_document = format!(r#"{{"keys":[{{"kty":"OKP","crv":"Ed25519","kid":"k","x":"{public_key}"}}]}}"#);
    let own_keys = JsonWebKeys::parse(own_document.as_bytes()).expect("the key document is valid");
    let foreign_keys = JsonWebKeys::parse(key_document).ok();

    let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims));
    let signature = URL_SAFE_NO_PAD.encode(key_pair.sign(signed.as_bytes()));
    let signed_token = format!("{signed}.{signature}");
    assert!(verify(token, &own_keys).is_none(), "the issuer did not sign {token}");
    if let Some(keys) = &foreign_keys {
        verify(token, keys);
        let has_key = String::from_utf8_lossy(key_document).contains(&public_key);
        assert!(verify(&signed_token, keys).is_none() || has_key, "no key of the document signed it");
    }
    if let Some(verified) = verify(&signed_token, &own_keys) {
        check_header(header);
        check_claims(&verified, claims);
    }
}

fn verify(token: &str, keys: &JsonWebKeys) -> Option<Claims> {
    UnverifiedToken::parse(token).ok()?.verify(keys).ok()
}

/// The header of an accepted token names the algorithm of the key, and nothing that changes how the token is read.
fn check_header(header: &str) {
    let header: Value = serde_json::from_str(header).expect("the header is JSON");
    assert_eq!(header["alg"], "EdDSA", "{header}");
    assert!(header.get("kid").is_none_or(|id| id == "k"), "{header}");
    assert!(["crit", "b64", "enc"].iter().all(|name| header.get(name).is_none()), "{header}");
}

/// The rules accept only claims that a generic JSON parser reads in the same way.
fn check_claims(verified: &Claims, text: &str) {
    let claims: Value = serde_json::from_str(text).expect("the claims are JSON");
    for name in ["iss", "aud", "realm_access.roles", "a.b.c", ""] {
        verified.values(name);
        verified.number(name);
    }
    let audience = [AUDIENCE.to_owned()];
    let access = AccessTokenRules { issuer: ISSUER, audience: &audience, subject_claim: "sub" };
    let is_accepted = access.check(verified, NOW).map(|checked| {
        assert_eq!(claims["sub"], checked.subject.as_str(), "{claims}");
        assert!(claims.get("nonce").is_none(), "an ID token is no access token: {claims}");
    });
    let identity = IdTokenRules { issuer: ISSUER, client_id: AUDIENCE, nonce: NONCE };
    let is_identified = identity.check(verified, NOW).map(|subject| {
        assert_eq!((&claims["sub"], &claims["nonce"]), (&Value::from(subject), &Value::from(NONCE)), "{claims}");
    });
    if is_accepted.is_ok() || is_identified.is_ok() {
        assert_eq!(claims["iss"], ISSUER, "{claims}");
        let is_listed = claims["aud"].as_array().is_some_and(|list| list.iter().any(|item| item == AUDIENCE));
        assert!(claims["aud"] == AUDIENCE || is_listed, "{claims}");
        let expires_at = claims["exp"].as_f64().expect("the end is a number");
        assert!(expires_at + TOLERANCE_SECS > NOW_SECS, "{claims}");
    }
}
