//! Checks the URLs of a request against the egress rule. Only hosts that are IP addresses are checked here; host names
//! are checked when they are resolved for a connection.

use serde_json::Value;
use toolgate_domain::fault::Fault;
use toolgate_execution::egress::{Blocked, EgressRule};

/// Checks the URL in `field`. A value that is not a URL passes: the validation of the field reports it.
pub(super) fn check(field: &str, url: &Value, egress: &EgressRule) -> Result<(), Fault> {
    let url = url.as_str().and_then(toolgate_domain::data_source::sample_url);
    match url.map(|url| egress.check_url(&url)) {
        Some(Err(blocked)) => Err(refusal(field, &blocked)),
        Some(Ok(())) | None => Ok(()),
    }
}

/// The fault of a blocked URL, with advice.
pub(super) fn refusal(field: &str, blocked: &Blocked) -> Fault {
    Fault::invalid_value(field, format!("{field}: {blocked}. {}", blocked.advice()))
}

/// Checks the token URL of the credentials in `field`.
pub(super) fn check_credentials(field: &str, credentials: &Value, egress: &EgressRule) -> Result<(), Fault> {
    check(&format!("{field}[token_url]"), &credentials["token_url"], egress)
}
