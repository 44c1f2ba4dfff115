//! What a token endpoint answers: a token, or why there is none. Of a refusal only the status and the RFC's own word
//! for it are repeated: the rest of the answer may hold anything, also what was sent.

use std::time::Duration;

use http::StatusCode;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::Value;
use toolgate_domain::call::FailureReason;
use toolgate_domain::json;

use super::OAuth2Client;
use crate::Failure;
use crate::egress::UpstreamResponse;

/// A longer token does not fit into the headers that most upstreams take.
const LONGEST_TOKEN: usize = 16 * 1024;

/// What to do about an issuer in trouble.
pub(super) const LATER: &str = "Try again later, or ask those who run the token endpoint.";

/// A token, and how long it lives if that was told.
pub(super) struct Token {
    pub(super) access_token: SecretString,
    pub(super) expires_in: Option<Duration>,
}

/// The members that matter, of any type: an issuer that sends a wrong one is told apart below.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Reply {
    access_token: Value,
    token_type: Value,
    expires_in: Value,
    error: Value,
}

impl Reply {
    fn of(response: &UpstreamResponse) -> Self {
        let document = json::check(&response.body).ok();
        document.and_then(|document| serde_json::from_str(document.get()).ok()).unwrap_or_default()
    }

    /// The RFC's word, if it is one: nothing else of the body is repeated.
    fn error_code(&self) -> Option<&str> {
        let plain = |code: &&str| code.len() <= 40 && code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_'));
        self.error.as_str().filter(|code| !code.is_empty()).filter(plain)
    }

    /// What RFC 6749 allows in a token (A.12), which is also what fits into a header.
    fn usable_token(&self) -> Option<&str> {
        let visible = |token: &&str| token.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        self.access_token.as_str().filter(|token| (1..=LONGEST_TOKEN).contains(&token.len())).filter(visible)
    }

    fn is_bearer(&self) -> bool {
        self.token_type.is_null() || self.token_type.as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("bearer"))
    }

    /// Some issuers write the number as a string, some with a fraction.
    fn life(&self) -> Option<Duration> {
        let secs = match &self.expires_in {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        secs.map(|secs| Duration::try_from_secs_f64(secs.max(0.0)).unwrap_or(Duration::MAX))
    }
}

/// Whether the answer is about how the client presented itself: worth a second try in the other form.
pub(super) fn refuses_the_client(response: &UpstreamResponse) -> bool {
    response.status == StatusCode::UNAUTHORIZED
        || response.status == StatusCode::BAD_REQUEST && Reply::of(response).error_code() == Some("invalid_client")
}

/// The token in the answer.
pub(super) fn read(client: &OAuth2Client, response: &UpstreamResponse) -> Result<Token, Failure> {
    let reply = Reply::of(response);
    if !response.status.is_success() || !reply.error.is_null() {
        return Err(refusal(client, response.status, &reply));
    }
    let Some(token) = reply.usable_token() else {
        return Err(unusable("without a usable access_token").advising(check("token_url")));
    };
    if !reply.is_bearer() {
        let advice = "Use a token endpoint that issues bearer tokens: this tool can send no others.";
        return Err(unusable("with a token that is no bearer token").advising(advice));
    }
    Ok(Token { access_token: token.into(), expires_in: reply.life() })
}

fn unusable(how: &str) -> Failure {
    Failure::new(FailureReason::BadCredential, format!("The token endpoint answered {how}."))
}

fn check(members: &str) -> String {
    format!("Check {members} in the tool's auth_credentials.")
}

fn refusal(client: &OAuth2Client, status: StatusCode, reply: &Reply) -> Failure {
    let number = status.as_u16();
    if status == StatusCode::TOO_MANY_REQUESTS {
        let message = "The token endpoint refused to issue a token for now (HTTP 429).";
        return Failure::new(FailureReason::RateLimitedUpstream, message).advising(LATER);
    }
    if status.is_server_error() {
        let message = format!("The token endpoint failed (HTTP {number}).");
        return Failure::new(FailureReason::Upstream5xx, message).advising(LATER);
    }
    // A secret can look like a code, and an issuer can echo it.
    let code = reply.error_code().filter(|code| !code.contains(client.client_secret.expose_secret()));
    let why = code.map_or_else(|| format!("HTTP {number}"), |code| format!("HTTP {number}, {code}"));
    let (what, remedy) = diagnosis(status, code);
    Failure::new(FailureReason::BadCredential, format!("The token endpoint {what} ({why}).")).advising(check(remedy))
}

/// What was refused, and what to look at.
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
