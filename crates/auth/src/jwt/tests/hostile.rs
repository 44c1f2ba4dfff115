//! Tokens that try to be accepted without a signature of the issuer.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::json;
use sha2::Sha256;

use super::signer::{TestSigner, encode};
use super::*;

fn error(token: &str, keys: &JsonWebKeys) -> JwtError {
    verify(token, keys).unwrap_err()
}

#[test]
fn other_algorithms_are_refused_in_any_spelling() {
    let signer = TestSigner::es256("k");
    let keys = keys(&[&signer]);
    for algorithm in ["none", "None", "NONE", "", "HS256", "HS512", "ES512", "RS384", "RS1", "es256", "ES256K", "dir"] {
        let header = json!({"alg": algorithm, "kid": "k"});
        let token = signer.sign_with_header(&header, &json!({}));
        assert_eq!(error(&token, &keys), JwtError::Unsupported, "{algorithm}");
        let (content, _) = token.rsplit_once('.').unwrap();
        assert_eq!(error(&format!("{content}."), &keys), JwtError::Unsupported, "{algorithm} without signature");
    }
    for header in [json!({"kid": "k"}), json!({"alg": 1}), json!({"alg": null}), json!({"alg": ["ES256"]})] {
        assert_eq!(error(&signer.sign_with_header(&header, &json!({})), &keys), JwtError::Malformed, "{header}");
    }
}

/// A known attack: an HMAC whose secret is the public key of the issuer.
#[test]
fn an_hmac_with_the_public_key_as_secret_is_refused() {
    let signer = TestSigner::rs256("k");
    let public = signer.public_key();
    let header = encode(json!({"alg": "HS256", "kid": "k"}).to_string().as_bytes());
    let content = format!("{header}.{}", encode(b"{}"));
    let modulus = public["n"].as_str().unwrap();
    for secret in [public.to_string(), modulus.to_owned(), format!("-----BEGIN PUBLIC KEY-----\n{modulus}\n")] {
        let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap().chain_update(&content);
        let token = format!("{content}.{}", encode(&mac.finalize().into_bytes()));
        assert_eq!(error(&token, &keys(&[&signer])), JwtError::Unsupported);
    }
}

#[test]
fn extensions_encryption_and_other_types_are_refused() {
    let signer = TestSigner::es256("k");
    let keys = keys(&[&signer]);
    for (name, value) in [
        ("crit", json!(["exp"])),
        ("crit", json!([])),
        ("b64", json!(false)),
        ("b64", json!(true)),
        ("enc", json!("A128GCM")),
        ("typ", json!("logout+jwt")),
        ("typ", json!("dpop+jwt")),
        ("typ", json!("")),
    ] {
        let mut header = json!({"alg": "ES256", "kid": "k"});
        header[name] = value;
        assert_eq!(error(&signer.sign_with_header(&header, &json!({})), &keys), JwtError::Unsupported, "{header}");
    }
    assert_eq!(error("e30.e30.e30.e30.e30", &keys), JwtError::Unsupported);
    for typ in ["JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt"] {
        let token = signer.sign_with_header(&json!({"alg": "ES256", "kid": "k", "typ": typ}), &json!({}));
        assert!(verify(&token, &keys).is_ok(), "{typ}");
        assert_eq!(UnverifiedToken::parse(&token).unwrap().is_typed_access_token(), typ.len() != 3, "{typ}");
    }
}

#[test]
fn a_key_in_the_header_is_not_used() {
    let (signer, attacker) = (TestSigner::es256("k"), TestSigner::es256("k"));
    for (name, value) in [
        ("jwk", attacker.public_key()),
        ("jku", json!("http://127.0.0.1:1/keys")),
        ("x5u", json!("http://127.0.0.1:1/certificate")),
        ("x5c", json!(["MIIB"])),
    ] {
        let mut header = json!({"alg": "ES256", "kid": "k"});
        header[name] = value;
        let forged = attacker.sign_with_header(&header, &json!({}));
        assert_eq!(error(&forged, &keys(&[&signer])), JwtError::BadSignature, "{name}");
        assert!(verify(&signer.sign_with_header(&header, &json!({})), &keys(&[&signer])).is_ok(), "{name}");
    }
}

#[test]
fn duplicate_members_and_other_malformed_json_are_refused() {
    let signer = TestSigner::es256("k");
    let keys = keys(&[&signer]);
    let header = r#"{"alg":"ES256","kid":"k"}"#;
    assert!(verify(&signer.sign_text(header, r#"{"sub":"a"}"#), &keys).is_ok());
    for (header, claims) in [
        (header, r#"{"sub":"a","sub":"b"}"#),
        (header, r#"{"sub":"a","s\u0075b":"b"}"#),
        (r#"{"alg":"none","alg":"ES256","kid":"k"}"#, "{}"),
        (r#"{"alg":"ES256","kid":"k","kid":"k"}"#, "{}"),
        (header, "[]"),
        (header, "\"text\""),
        (header, "{}{}"),
        (header, ""),
        ("[]", "{}"),
        (r#"{"alg":"ES256","kid":7}"#, "{}"),
    ] {
        assert_eq!(error(&signer.sign_text(header, claims), &keys), JwtError::Malformed, "{header} {claims}");
    }
}

#[test]
fn malformed_and_oversized_texts_are_refused() {
    let signer = TestSigner::es256("k");
    let keys = keys(&[&signer]);
    let token = signer.sign(&json!({}));
    let large = signer.sign(&json!({"text": "x".repeat(JWT_BYTES_MAX)}));
    for text in
        ["", ".", "..", "a.b.c", "e30.e30", &format!("{token}="), &format!("{token}."), &format!(" {token}"), &large]
    {
        assert_eq!(error(text, &keys), JwtError::Malformed, "{}", text.len());
    }
}
