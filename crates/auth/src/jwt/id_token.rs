//! The rules of ID tokens (OpenID Connect Core, section 3.1.3.7): a token must be issued to this client, for this
//! sign-in.

use toolgate_domain::oauth::identity::is_subject;
use toolgate_domain::time::Timestamp;

use super::{Claims, JwtError};

/// The requirements for the ID token of one sign-in.
#[derive(Clone, Copy, Debug)]
pub struct IdTokenRules<'a> {
    /// The issuer, exactly as configured.
    pub issuer: &'a str,
    /// The id of this client at the provider.
    pub client_id: &'a str,
    /// The nonce of the sign-in.
    pub nonce: &'a str,
}

impl IdTokenRules<'_> {
    /// Checks the claims of a token whose signature is valid, and returns the subject.
    pub fn check<'c>(&self, claims: &'c Claims, now: Timestamp) -> Result<&'c str, JwtError> {
        if claims.issuer() != Some(self.issuer) {
            return Err(JwtError::WrongIssuer);
        }
        let audience = claims.audience();
        // A token for several clients names the one that it was issued to.
        let is_issued_to_us = match claims.text("azp") {
            Some(party) => party == self.client_id,
            None => !claims.has("azp") && audience.len() == 1,
        };
        if !audience.contains(&self.client_id) || !is_issued_to_us {
            return Err(JwtError::WrongAudience);
        }
        claims.check_times(now)?;
        if !claims.has("iat") {
            return Err(JwtError::MissingClaim);
        }
        if claims.text("nonce") != Some(self.nonce) {
            return Err(JwtError::WrongNonce);
        }
        claims.subject().filter(|text| is_subject(text)).ok_or(JwtError::MissingClaim)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const RULES: IdTokenRules<'_> = IdTokenRules { issuer: "https://id.example", client_id: "gate", nonce: "n-1" };

    fn check(change: impl FnOnce(&mut Value)) -> Result<String, JwtError> {
        let mut claims = json!({"iss": "https://id.example", "aud": "gate", "sub": "248", "nonce": "n-1", "iat": 1_000,
            "exp": 1_600});
        change(&mut claims);
        let Value::Object(members) = claims else { unreachable!() };
        let claims = Claims::new(members);
        RULES.check(&claims, Timestamp::from_millis(1_100_000)).map(str::to_owned)
    }

    #[test]
    fn a_token_for_this_client_and_this_sign_in_names_the_subject() {
        assert_eq!(check(|_| {}), Ok("248".to_owned()));
        assert_eq!(check(|claims| claims["aud"] = json!(["gate"])), Ok("248".to_owned()));
        let several = |claims: &mut Value| {
            claims["aud"] = json!(["other", "gate"]);
            claims["azp"] = json!("gate");
        };
        assert_eq!(check(several), Ok("248".to_owned()));
        assert_eq!(check(|claims| claims["exp"] = json!(1_050)), Ok("248".to_owned()), "60 seconds of skew");
    }

    #[test]
    fn a_token_with_a_wrong_or_missing_claim_is_refused() {
        for (name, value, error) in [
            ("iss", json!("https://id.example/"), JwtError::WrongIssuer),
            ("iss", Value::Null, JwtError::WrongIssuer),
            ("aud", json!("other"), JwtError::WrongAudience),
            ("aud", json!([]), JwtError::WrongAudience),
            ("aud", json!(["gate", "other"]), JwtError::WrongAudience),
            ("azp", json!("other"), JwtError::WrongAudience),
            ("azp", json!(7), JwtError::WrongAudience),
            ("nonce", json!("n-2"), JwtError::WrongNonce),
            ("nonce", Value::Null, JwtError::WrongNonce),
            ("exp", json!(1_040), JwtError::Expired),
            ("iat", json!(1_161), JwtError::NotYetValid),
            ("sub", json!(""), JwtError::MissingClaim),
            ("sub", json!("x".repeat(256)), JwtError::MissingClaim),
            ("sub", json!(248), JwtError::MissingClaim),
        ] {
            assert_eq!(check(|claims| claims[name] = value.clone()), Err(error), "{name}: {value}");
        }
        for name in ["exp", "iat"] {
            let without = |claims: &mut Value| drop(claims.as_object_mut().unwrap().remove(name));
            assert_eq!(check(without), Err(JwtError::MissingClaim), "{name}");
        }
    }
}
