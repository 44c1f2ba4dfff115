//! Addresses that can be judged by sight, wherever a request may bring one: hosts written as numbers. Names are judged
//! when they are dialled.

use serde_json::Value;
use toolgate_domain::fault::Fault;
use toolgate_execution::egress::{Blocked, EgressRule};

/// Checks the address at `place`; what is no address is somebody else's fault to find.
pub(super) fn check(place: &str, address: &Value, egress: &EgressRule) -> Result<(), Fault> {
    let url = address.as_str().and_then(toolgate_domain::data_source::sample_url);
    match url.map(|url| egress.check_url(&url)) {
        Some(Err(blocked)) => Err(refusal(place, &blocked)),
        Some(Ok(())) | None => Ok(()),
    }
}

/// An address that is refused, and what to do about it.
pub(super) fn refusal(place: &str, blocked: &Blocked) -> Fault {
    Fault::value(place, format!("{place}: {blocked}. {}", blocked.advice()))
}

/// Checks where credentials at `place` say that tokens are issued.
pub(super) fn check_credentials(place: &str, credentials: &Value, egress: &EgressRule) -> Result<(), Fault> {
    check(&format!("{place}[token_url]"), &credentials["token_url"], egress)
}
