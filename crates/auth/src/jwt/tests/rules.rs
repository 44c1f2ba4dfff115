//! The rules of access tokens.

use serde_json::{Value, json};
use toolgate_domain::time::Timestamp;

use super::*;

const NOW: i64 = 1_700_000_000;

fn check(claims: &Value) -> Result<AccessClaims, JwtError> {
    let audience = ["https://x.example/mcp/a".to_owned(), "api".to_owned()];
    let rules = AccessTokenRules { issuer: "https://login.example/", audience: &audience, subject_claim: "sub" };
    rules.check(&Claims::new(claims.as_object().unwrap().clone()), Timestamp::from_millis(NOW * 1000))
}

fn claims() -> Value {
    json!({"iss": "https://login.example/", "aud": "api", "sub": "ada", "exp": NOW + 300, "iat": NOW, "nbf": NOW})
}

#[test]
fn a_token_for_this_server_identifies_its_subject() {
    let expires_at = Timestamp::from_millis((NOW + 300) * 1000);
    assert_eq!(check(&claims()), Ok(AccessClaims { subject: "ada".to_owned(), expires_at }));
}

#[test]
fn a_token_with_a_wrong_or_missing_claim_is_refused() {
    for (name, value, expected) in [
        ("iss", json!("https://login.example"), JwtError::WrongIssuer),
        ("iss", json!("https://LOGIN.example/"), JwtError::WrongIssuer),
        ("iss", json!(null), JwtError::WrongIssuer),
        ("iss", json!(["https://login.example/"]), JwtError::WrongIssuer),
        ("aud", json!("other"), JwtError::WrongAudience),
        ("aud", json!(["other", "API", "https://x.example/mcp/a?"]), JwtError::WrongAudience),
        ("aud", json!([]), JwtError::WrongAudience),
        ("aud", json!(7), JwtError::WrongAudience),
        ("aud", json!({"api": "api"}), JwtError::WrongAudience),
        ("exp", json!(NOW - 60), JwtError::Expired),
        ("exp", json!(NOW.to_string()), JwtError::MissingClaim),
        ("exp", json!(null), JwtError::MissingClaim),
        ("exp", json!(-1), JwtError::MissingClaim),
        ("exp", json!(1e300), JwtError::MissingClaim),
        ("exp", json!(u64::MAX), JwtError::MissingClaim),
        ("nbf", json!(NOW + 61), JwtError::NotYetValid),
        ("nbf", json!("soon"), JwtError::MissingClaim),
        ("iat", json!(NOW + 86_400), JwtError::NotYetValid),
        ("iat", json!(false), JwtError::MissingClaim),
        ("sub", json!(""), JwtError::MissingClaim),
        ("sub", json!(7), JwtError::MissingClaim),
        ("sub", json!("a\u{0}b"), JwtError::MissingClaim),
        ("sub", json!("x".repeat(256)), JwtError::MissingClaim),
        ("nonce", json!("n"), JwtError::WrongPurpose),
        ("at_hash", json!("h"), JwtError::WrongPurpose),
        ("typ", json!("ID"), JwtError::WrongPurpose),
    ] {
        let mut changed = claims();
        changed[name] = value;
        assert_eq!(check(&changed), Err(expected), "{changed}");
    }
    for (name, expected) in [
        ("iss", JwtError::WrongIssuer),
        ("aud", JwtError::WrongAudience),
        ("exp", JwtError::MissingClaim),
        ("sub", JwtError::MissingClaim),
    ] {
        let mut without = claims();
        without.as_object_mut().unwrap().remove(name);
        assert_eq!(check(&without), Err(expected), "without {name}");
    }
}

#[test]
fn values_at_the_limits_are_accepted_and_clocks_may_differ_by_a_minute() {
    for (name, value) in [
        ("exp", json!(NOW - 59)),
        ("exp", json!(f64::from(i32::try_from(NOW).unwrap()) + 0.5)),
        ("nbf", json!(NOW + 60)),
        ("iat", json!(NOW + 60)),
        ("aud", json!(["other", "https://x.example/mcp/a"])),
        ("sub", json!("x".repeat(255))),
        ("typ", json!("Bearer")),
    ] {
        let mut changed = claims();
        changed[name] = value;
        assert!(check(&changed).is_ok(), "{changed}");
    }
}

#[test]
fn values_of_claims_are_found_in_lists_and_objects() {
    let members = json!({"groups": ["a", 7, {}], "email_verified": true, "a.b": "flat", "a": {"b": "deep"},
        "realm_access": {"roles": ["admin"]}});
    let claims = Claims::new(members.as_object().unwrap().clone());
    for (name, expected) in [
        ("groups", &["a", "7"][..]),
        ("email_verified", &["true"]),
        ("a.b", &["flat"]),
        ("realm_access.roles", &["admin"]),
        ("realm_access", &[]),
        ("realm_access.none", &[]),
        ("none.roles", &[]),
        ("", &[]),
    ] {
        assert_eq!(claims.values(name), expected, "{name}");
    }
}
