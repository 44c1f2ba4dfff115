//! Tests with keys that are generated here. The RSA key is stored, because ring cannot generate RSA keys.

mod hostile;
mod key_documents;
mod rules;
mod signer;

use signer::TestSigner;

use super::*;

fn keys(signers: &[&TestSigner]) -> JsonWebKeys {
    let keys: Vec<_> = signers.iter().map(|signer| signer.public_key()).collect();
    JsonWebKeys::parse(serde_json::json!({ "keys": keys }).to_string().as_bytes()).unwrap()
}

fn verify(token: &str, keys: &JsonWebKeys) -> Result<Claims, JwtError> {
    UnverifiedToken::parse(token)?.verify(keys)
}

#[test]
fn a_token_of_every_supported_algorithm_is_verified() {
    for signer in TestSigner::every_algorithm() {
        let token = signer.sign(&serde_json::json!({"sub": "ada", "aud": ["a", "b"], "n": 7.9, "ok": true}));
        let claims = verify(&token, &keys(&[&signer])).unwrap();
        assert_eq!((claims.subject(), claims.audience()), (Some("ada"), vec!["a", "b"]), "{}", signer.algorithm);
        assert_eq!((claims.number("n"), claims.boolean("ok"), claims.issuer()), (Some(7), Some(true), None));
        assert_eq!(format!("{claims:?}"), "Claims(4)");
    }
}

#[test]
fn a_token_with_a_changed_byte_is_refused() {
    let signer = TestSigner::es256("k");
    let keys = keys(&[&signer]);
    let token = signer.sign(&serde_json::json!({"sub": "ada"}));
    for index in 0..token.len() {
        let mut changed = token.clone().into_bytes();
        changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
        assert!(verify(&String::from_utf8(changed).unwrap(), &keys).is_err(), "byte {index} is changed");
    }
    let other = signer.sign(&serde_json::json!({"sub": "eve"}));
    let (content, _) = token.rsplit_once('.').unwrap();
    let (_, signature) = other.rsplit_once('.').unwrap();
    assert_eq!(verify(&format!("{content}.{signature}"), &keys).unwrap_err(), JwtError::BadSignature);
}

#[test]
fn the_key_is_chosen_by_its_id() {
    let (one, other) = (TestSigner::es256("one"), TestSigner::es256("other"));
    let claims = serde_json::json!({});
    assert!(verify(&one.sign(&claims), &keys(&[&other, &one])).is_ok());
    assert_eq!(verify(&one.sign(&claims), &keys(&[&other])).unwrap_err(), JwtError::UnknownKey);
    let impostor = TestSigner::es256("other");
    assert_eq!(verify(&impostor.sign(&claims), &keys(&[&other])).unwrap_err(), JwtError::BadSignature);
    let unnamed = one.sign_with_header(&serde_json::json!({"alg": "ES256"}), &claims);
    assert!(verify(&unnamed, &keys(&[&one])).is_ok(), "only one key fits");
    assert!(verify(&unnamed, &keys(&[&one, &TestSigner::ed25519("e")])).is_ok(), "only one key has this type");
    assert_eq!(verify(&unnamed, &keys(&[&one, &other])).unwrap_err(), JwtError::UnsuitableKey);
}

/// An issuer that does not name its keys may have replaced the known key; a key with a name is never replaced.
#[test]
fn a_token_may_need_a_newer_key_if_its_key_is_unknown_or_has_no_name() {
    let (signer, claims) = (TestSigner::es256("one"), serde_json::json!({}));
    let named = signer.sign(&claims);
    let unnamed = signer.sign_with_header(&serde_json::json!({"alg": "ES256"}), &claims);
    for (token, error, may_need) in [
        (&named, JwtError::UnknownKey, true),
        (&named, JwtError::BadSignature, false),
        (&named, JwtError::UnsuitableKey, false),
        (&unnamed, JwtError::BadSignature, true),
        (&unnamed, JwtError::UnsuitableKey, true),
        (&unnamed, JwtError::Expired, false),
    ] {
        let token = UnverifiedToken::parse(token).unwrap();
        assert_eq!(token.may_need_newer_key(error), may_need, "{error:?}");
    }
}

#[test]
fn a_key_with_another_type_algorithm_use_or_id_is_not_used() {
    let signer = TestSigner::rs256("k");
    let token = signer.sign(&serde_json::json!({}));
    for (name, value, expected) in [
        ("alg", "PS256", JwtError::UnsuitableKey),
        ("alg", "HS256", JwtError::UnknownKey),
        ("use", "enc", JwtError::UnknownKey),
        ("kty", "EC", JwtError::UnknownKey),
        ("kid", "other", JwtError::UnknownKey),
    ] {
        let mut key = signer.public_key();
        key[name] = value.into();
        let document = serde_json::json!({ "keys": [key] }).to_string();
        let keys = JsonWebKeys::parse(document.as_bytes()).unwrap();
        assert_eq!(verify(&token, &keys).unwrap_err(), expected, "{name}={value}");
    }
    let mut key = signer.public_key();
    key["use"] = "sig".into();
    key["alg"] = "RS256".into();
    key["key_ops"] = serde_json::json!(["verify"]);
    let document = serde_json::json!({ "keys": [key] }).to_string();
    assert!(verify(&token, &JsonWebKeys::parse(document.as_bytes()).unwrap()).is_ok());
}
