//! Parses the response of a token endpoint: a token or an error. Messages repeat only the status and the RFC's error
//! code: the rest of the response may contain anything, including the credentials that were sent.

use std::time::Duration;

use http::StatusCode;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::Value;
use toolgate_domain::call::FailureReason;
use toolgate_domain::json;

use super::OAuth2Client;
use crate::egress::message::UpstreamResponse;
use crate::failure::Failure;

/// A longer token does not fit into the headers that most upstreams accept.
const TOKEN_BYTES_MAX: usize = 16 * 1024;

/// Advice for an unavailable issuer.
pub(super) const RETRY_LATER_ADVICE: &str = "Try again later, or contact the operator of the token endpoint.";

/// A token, and its lifetime if the issuer sent one.
pub(super) struct IssuedToken {
    pub(super) access_token: SecretString,
    pub(super) expires_in: Option<Duration>,
}

/// The relevant members, with any type: wrong types are handled below.
#[derive(Default, Deserialize)]
#[serde(default)]
struct TokenReply {
    access_token: Value,
    token_type: Value,
    expires_in: Value,
    error: Value,
}

impl TokenReply {
    fn from_response(response: &UpstreamResponse) -> Self {
        let document = json::check(&response.body).ok();
        document.and_then(|document| serde_json::from_str(document.get()).ok()).unwrap_or_default()
    }

    /// The error code, if it has the form of those in the RFC. No other part of the body is repeated.
    fn error_code(&self) -> Option<&str> {
        // All codes of the RFC are shorter than 40 characters.
        let is_code = |code: &&str| code.len() <= 40 && code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_'));
        self.error.as_str().filter(|code| !code.is_empty()).filter(is_code)
    }

    /// The token, if RFC 6749 (A.12) allows its characters, which are also the characters that a header allows.
    fn usable_token(&self) -> Option<&str> {
        let is_printable = |token: &&str| token.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        self.access_token.as_str().filter(|token| (1..=TOKEN_BYTES_MAX).contains(&token.len())).filter(is_printable)
    }

    fn is_bearer(&self) -> bool {
        self.token_type.is_null() || self.token_type.as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("bearer"))
    }

    /// The lifetime. Some issuers write the number as a string or with a fraction.
    fn lifetime(&self) -> Option<Duration> {
        let secs = match &self.expires_in {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        secs.map(|secs| Duration::try_from_secs_f64(secs.max(0.0)).unwrap_or(Duration::MAX))
    }
}

/// Whether the issuer rejected the client credentials in the header, so that it may accept them in the body.
pub(super) fn is_client_rejected(response: &UpstreamResponse) -> bool {
    response.status == StatusCode::UNAUTHORIZED
        || response.status == StatusCode::BAD_REQUEST
            && TokenReply::from_response(response).error_code() == Some("invalid_client")
}

/// The token in the response.
pub(super) fn parse(client: &OAuth2Client, response: &UpstreamResponse) -> Result<IssuedToken, Failure> {
    let reply = TokenReply::from_response(response);
    if !response.status.is_success() || !reply.error.is_null() {
        return Err(refusal(client, response.status, &reply));
    }
    let Some(token) = reply.usable_token() else {
        return Err(unusable_reply("without a usable access_token").with_advice(advice_to_check("token_url")));
    };
    if !reply.is_bearer() {
        let advice = "Use a token endpoint that issues bearer tokens; other types are not supported.";
        return Err(unusable_reply("with a token that is not a bearer token").with_advice(advice));
    }
    Ok(IssuedToken { access_token: token.into(), expires_in: reply.lifetime() })
}

fn unusable_reply(problem: &str) -> Failure {
    Failure::new(FailureReason::BadCredential, format!("The token endpoint responded {problem}."))
}

fn advice_to_check(settings: &str) -> String {
    format!("Check {settings} in the tool's auth_credentials.")
}

fn refusal(client: &OAuth2Client, status: StatusCode, reply: &TokenReply) -> Failure {
    let number = status.as_u16();
    if status == StatusCode::TOO_MANY_REQUESTS {
        let message = "The token endpoint refused to issue a token for now (HTTP 429).";
        return Failure::new(FailureReason::RateLimitedUpstream, message).with_advice(RETRY_LATER_ADVICE);
    }
    if status.is_server_error() {
        let message = format!("The token endpoint failed (HTTP {number}).");
        return Failure::new(FailureReason::Upstream5xx, message).with_advice(RETRY_LATER_ADVICE);
    }
    // A secret may look like an error code, and an issuer may echo it.
    let code = reply.error_code().filter(|code| !code.contains(client.client_secret.expose_secret()));
    let status_text = code.map_or_else(|| format!("HTTP {number}"), |code| format!("HTTP {number}, {code}"));
    let (problem, settings) = diagnosis(status, code);
    Failure::new(FailureReason::BadCredential, format!("The token endpoint {problem} ({status_text})."))
        .with_advice(advice_to_check(settings))
}

/// What was refused, and which settings to check.
fn diagnosis(status: StatusCode, code: Option<&str>) -> (&'static str, &'static str) {
    match (status.as_u16(), code) {
        (_, Some("invalid_scope")) => ("refused the scope", "scope"),
        (_, Some("invalid_client" | "unauthorized_client" | "access_denied")) | (401 | 403, _) => {
            ("refused the client credentials", "client_id and client_secret")
        }
        (300..=399 | 404 | 405 | 410, _) => ("issued no token", "token_url"),
        _ => ("issued no token", "token_url, client_id, client_secret and scope"),
    }
}
