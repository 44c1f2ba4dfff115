//! The checked request that a person decides about. The form contains it, signed and bound to the session.

use serde::{Deserialize, Serialize};
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_domain::time::Timestamp;

use crate::page_signer::{FormPurpose, PageSigner};

/// How long a person may take to decide.
const DECISION_MS_MAX: i64 = 10 * 60 * 1000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ConsentTransaction {
    /// The `client_id` of the protocol.
    pub(super) client_id: String,
    /// The redirect URI as sent.
    pub(super) redirect_uri: String,
    /// The `code_challenge` (S256).
    pub(super) challenge: String,
    /// The URL of the server's endpoint; `None` if the person chooses.
    pub(super) resource: Option<String>,
    /// The scopes that the client asks for, as bits.
    pub(super) scopes: u8,
    pub(super) state: Option<String>,
    /// When it was checked, in milliseconds since 1970.
    pub(super) issued_at: i64,
}

impl ConsentTransaction {
    /// The value of the field `tx`. `None` if there is no key.
    pub(super) fn seal(&self, signer: &PageSigner, session: &KeyHash) -> Option<String> {
        signer.seal(session, FormPurpose::Transaction, &serde_json::to_vec(self).ok()?)
    }

    /// The transaction that was sealed for this session. It may have expired.
    pub(super) fn open(signer: &PageSigner, session: &KeyHash, tx: &str) -> Option<Self> {
        serde_json::from_slice(&signer.open(session, FormPurpose::Transaction, tx)?).ok()
    }

    /// Whether the person took too long. A clock that was set back ends it, too.
    pub(super) fn is_expired(&self, now: Timestamp) -> bool {
        !(0..=DECISION_MS_MAX).contains(&now.as_millis().saturating_sub(self.issued_at))
    }

    pub(super) fn scopes(&self) -> McpScopes {
        McpScopes::from_bits(self.scopes).unwrap_or(McpScopes::ALL)
    }

    /// Path and query of the same request.
    pub(super) fn to_request(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.client_id)
            .append_pair("redirect_uri", &self.redirect_uri)
            .append_pair("code_challenge", &self.challenge)
            .append_pair("code_challenge_method", "S256")
            .append_pair("scope", &self.scopes().to_text());
        let optional = [("resource", &self.resource), ("state", &self.state)];
        query.extend_pairs(optional.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))));
        format!("/authorize?{}", query.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_may_take_ten_minutes() {
        let transaction = ConsentTransaction {
            client_id: "tgx_1".to_owned(),
            redirect_uri: "https://x.org/?a=b".to_owned(),
            challenge: "c".to_owned(),
            resource: None,
            scopes: McpScopes::ALL.bits(),
            state: Some("&#".to_owned()),
            issued_at: 1_000_000,
        };
        for (now, is_expired) in [(999_999, true), (1_000_000, false), (1_600_000, false), (1_600_001, true)] {
            assert_eq!(transaction.is_expired(Timestamp::from_millis(now)), is_expired, "{now}");
        }
        assert_eq!(
            transaction.to_request(),
            "/authorize?response_type=code&client_id=tgx_1&redirect_uri=https%3A%2F%2Fx.org%2F%3Fa%3Db&code_challenge=c\
             &code_challenge_method=S256&scope=mcp%3Aread+mcp%3Awrite&state=%26%23"
        );
    }
}
