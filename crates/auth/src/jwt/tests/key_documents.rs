//! Key documents of issuers.

use serde_json::{Value, json};

use super::signer::{TestSigner, encode};
use super::*;

fn parse(document: &Value) -> Result<JsonWebKeys, JsonWebKeysError> {
    JsonWebKeys::parse(document.to_string().as_bytes())
}

#[test]
fn keys_that_cannot_be_used_do_not_hide_the_others() {
    let signer = TestSigner::rs256("good");
    let short = json!({"kty": "RSA", "n": encode(&[0xff; 128]), "e": "AQAB", "kid": "short"});
    let almost = json!({"kty": "RSA", "n": encode(&[&[0x7f][..], &[0xff; 255]].concat()), "e": "AQAB"});
    let unusable = [
        json!({}),
        json!({"kty": "oct", "k": "c2VjcmV0", "kid": "good"}),
        json!({"kty": "EC", "crv": "P-521", "x": "AA", "y": "AA"}),
        json!({"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}),
        json!({"kty": "OKP", "crv": "X25519", "x": encode(&[1; 32])}),
        json!({"kty": "RSA", "n": "=", "e": "AQAB"}),
        json!({"kty": "RSA", "n": "", "e": ""}),
        json!({"kty": 7}),
        short,
        almost,
    ];
    for key in &unusable {
        assert!(parse(&json!({"keys": [key]})).unwrap().is_empty(), "{key}");
    }
    let keys = [&unusable[..], &[signer.public_key()]].concat();
    let document = json!({ "keys": keys });
    assert!(verify(&signer.sign(&json!({})), &parse(&document).unwrap()).is_ok());
}

#[test]
fn leading_zeros_of_a_modulus_are_accepted() {
    use base64::Engine as _;
    let signer = TestSigner::rs256("k");
    let mut key = signer.public_key();
    let modulus = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(key["n"].as_str().unwrap()).unwrap();
    key["n"] = encode(&[&[0][..], &modulus].concat()).into();
    assert!(verify(&signer.sign(&json!({})), &parse(&json!({"keys": [key]})).unwrap()).is_ok());
}

#[test]
fn malformed_and_oversized_documents_are_refused() {
    for document in [json!([]), json!({}), json!({"keys": {}}), json!({"keys": [1]}), json!({"keys": null})] {
        assert_eq!(parse(&document).unwrap_err(), JsonWebKeysError::Malformed, "{document}");
    }
    for text in ["", "<html>", r#"{"keys":[],"keys":[]}"#, r#"{"keys":[{"kid":"a","kid":"b"}]}"#] {
        assert_eq!(JsonWebKeys::parse(text.as_bytes()).unwrap_err(), JsonWebKeysError::Malformed, "{text}");
    }
    let many = |count| parse(&json!({"keys": vec![json!({"kty": "oct"}); count]}));
    assert!(many(JWKS_KEYS_MAX).is_ok());
    assert_eq!(many(JWKS_KEYS_MAX + 1).unwrap_err(), JsonWebKeysError::TooManyKeys);
    let large = json!({"keys": [], "text": "x".repeat(JWKS_BYTES_MAX)});
    assert_eq!(parse(&large).unwrap_err(), JsonWebKeysError::TooLarge);
}
