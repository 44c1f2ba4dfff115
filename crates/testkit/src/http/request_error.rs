//! Why a request has no complete response.

use std::time::Duration;

/// Why there is no complete response.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The connection could not be opened, or broke before the head of the response.
    #[error("the connection failed")]
    Connection(#[source] hyper_util::client::legacy::Error),
    /// The response broke off within its body.
    #[error("the body of the response broke off")]
    Body(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The response did not arrive completely in time.
    #[error("no response within {0:?}")]
    TimedOut(Duration),
}
