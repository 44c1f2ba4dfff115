//! The rules of access tokens of other issuers: issuer, audience, times, and the person that a token identifies.

use toolgate_domain::oauth::identity::is_subject;
use toolgate_domain::time::Timestamp;

use super::JwtError;
use super::claims::Claims;

/// Claims of ID tokens, which are for the client and not for a resource.
const ID_TOKEN_CLAIMS: [&str; 3] = ["nonce", "at_hash", "c_hash"];

/// The requirements of a server for access tokens.
#[derive(Clone, Copy, Debug)]
pub struct AccessTokenRules<'a> {
    /// The issuer, exactly as configured.
    pub issuer: &'a str,
    /// The accepted audiences; the token must name one of them.
    pub audience: &'a [String],
    /// The claim that identifies a person.
    pub subject_claim: &'a str,
}

/// The content of a valid access token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessClaims {
    /// The identifier of the person at the issuer.
    pub subject: String,
    /// When the token expires.
    pub expires_at: Timestamp,
}

impl AccessTokenRules<'_> {
    /// Checks the claims of a token whose signature is valid.
    pub fn check(&self, claims: &Claims, now: Timestamp) -> Result<AccessClaims, JwtError> {
        if claims.issuer() != Some(self.issuer) {
            return Err(JwtError::WrongIssuer);
        }
        if !claims.audience().iter().any(|audience| self.audience.iter().any(|accepted| accepted == audience)) {
            return Err(JwtError::WrongAudience);
        }
        // Keycloak writes the purpose of its tokens into a claim.
        let is_id_token = claims.text("typ").is_some_and(|purpose| purpose.eq_ignore_ascii_case("ID"));
        if is_id_token || ID_TOKEN_CLAIMS.iter().any(|name| claims.has(name)) {
            return Err(JwtError::WrongPurpose);
        }
        let expires_at = claims.check_times(now)?;
        // The claim that names the person may be another one.
        if claims.has("sub") && !claims.text("sub").is_some_and(is_subject) {
            return Err(JwtError::MissingClaim);
        }
        let subject = claims.text(self.subject_claim).filter(|text| is_subject(text)).ok_or(JwtError::MissingClaim)?;
        Ok(AccessClaims { subject: subject.to_owned(), expires_at })
    }
}
