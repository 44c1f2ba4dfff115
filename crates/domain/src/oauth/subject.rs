//! People whom external issuers identify, as they are recorded for the call log.

use crate::ids::SubjectId;
use crate::time::Timestamp;

/// A person whose token was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenSubject {
    /// The number that calls are recorded with.
    pub id: SubjectId,
    /// The issuer, as configured.
    pub issuer: String,
    /// The subject in its tokens.
    pub subject: String,
    /// The name in its tokens, for display only.
    pub name: Option<String>,
    /// When the token was accepted.
    pub seen_at: Timestamp,
}
