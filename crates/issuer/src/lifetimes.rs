//! How long codes, tokens, grants and unused clients live, in milliseconds.

use toolgate_domain::time::{DAY_MS, HOUR_MS};

/// Lifetime of a refresh token that is not used.
pub(crate) const REFRESH_IDLE_MS: i64 = 30 * DAY_MS;
/// Maximum lifetime of a grant, no matter how often it is refreshed.
pub(crate) const GRANT_TTL_MS: i64 = 180 * DAY_MS;
/// How long after its first use a refresh token can be used again, as long as no successor has been used. Clients do so
/// in parallel requests, and after a lost response.
pub(crate) const REFRESH_REUSE_MS: i64 = 120 * 1000;
/// Lifetime of a client that registered itself, or has a metadata document, and was never allowed access.
pub(crate) const UNUSED_CLIENT_TTL_MS: i64 = DAY_MS;
/// How long the metadata document of a client can be used if it cannot be fetched again.
pub(crate) const STALE_DOCUMENT_MS: i64 = 7 * DAY_MS;
/// How long ended grants are recorded: longer than the longest lifetime of an access token, because clocks of nodes
/// differ.
pub(crate) const ENDED_GRANT_MS: i64 = DAY_MS + HOUR_MS;
/// Lifetime of a token of the management API for a page of the console.
pub(crate) const CONSOLE_TOKEN_TTL_MS: i64 = 10 * 60 * 1000;
