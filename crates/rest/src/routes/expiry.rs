//! Parses `expires_at` of keys.

use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::time::Timestamp;

/// Parses the expiry of a key.
pub(super) fn parse(text: &str) -> Result<Timestamp, Fault> {
    Timestamp::parse(text).ok_or_else(|| fault("expires_at must be a time (UTC) such as 2027-01-31T00:00:00."))
}

/// Parses the expiry of a key, which must be in the future.
pub(super) fn parse_future(text: &str, now: Timestamp) -> Result<Timestamp, Fault> {
    let expires_at = parse(text)?;
    if expires_at <= now { Err(fault("expires_at must be in the future.")) } else { Ok(expires_at) }
}

fn fault(message: &str) -> Fault {
    Fault::new("expires_at", FaultKind::InvalidPattern, message)
}
