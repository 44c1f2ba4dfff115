//! OAuth clients: the programs that ask for access to MCP endpoints.

use crate::api_key::KeyHash;
use crate::closed_set::closed_set;
use crate::ids::OAuthClientId;
use crate::text::is_deceptive;
use crate::time::Timestamp;

/// Longest name of a client, in characters.
pub const CLIENT_NAME_MAX: usize = 100;

closed_set! {
    /// How a client became known.
    pub enum ClientKind {
        /// It registered itself; its metadata is not verified.
        Registered = "registered",
        /// Its id is the URL of a metadata document; the host of that URL is verified.
        MetadataDocument = "metadata_document",
        /// An administrator registered it.
        Preregistered = "preregistered",
    }
}

closed_set! {
    /// Whether a client may ask for access.
    pub enum ClientStatus {
        /// It may.
        Allowed = "allowed",
        /// It may not, and its grants have ended.
        Blocked = "blocked",
    }
}

closed_set! {
    /// How a client authenticates at the token endpoint.
    pub enum ClientAuthMethod {
        /// It has no secret.
        None = "none",
        /// The secret is in the form.
        SecretPost = "client_secret_post",
        /// The secret is in the header `Authorization`.
        SecretBasic = "client_secret_basic",
    }
}

/// A client.
#[derive(Clone, Debug)]
pub struct OAuthClient {
    /// Id used in REST paths.
    pub id: OAuthClientId,
    /// The `client_id` of the protocol: `tgx_…`, or the URL of a metadata document.
    pub client_id: String,
    /// How it became known.
    pub kind: ClientKind,
    /// Whether it may ask for access.
    pub status: ClientStatus,
    /// The name that it claims.
    pub name: String,
    /// Where responses may be sent, as registered.
    pub redirect_uris: Vec<String>,
    /// How it authenticates.
    pub auth_method: ClientAuthMethod,
    /// Hash of its secret, if it has one.
    pub secret_hash: Option<KeyHash>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When a person last allowed it access; `None` if there was no consent yet.
    pub last_consent_at: Option<Timestamp>,
}

/// A client to store.
#[derive(Clone, Debug)]
pub struct NewOAuthClient {
    /// The `client_id` of the protocol.
    pub client_id: String,
    /// How it became known.
    pub kind: ClientKind,
    /// The name that it claims.
    pub name: String,
    /// Where responses may be sent.
    pub redirect_uris: Vec<String>,
    /// How it authenticates.
    pub auth_method: ClientAuthMethod,
    /// Hash of its secret, if it has one.
    pub secret_hash: Option<KeyHash>,
}

/// Checks the name that a client claims. The error is a sentence without the name.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    if name.trim().is_empty() || name.chars().nth(CLIENT_NAME_MAX).is_some() {
        return Err("client_name must have 1 to 100 characters");
    }
    // Direction marks would change the order in which the consent page shows the text around the name.
    let is_mark =
        |c: char| matches!(c, '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}' | '\u{FEFF}');
    if name.chars().any(|c| c.is_control() || is_deceptive(c) || is_mark(c)) {
        return Err("client_name must not have control, bidirectional or invisible characters");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_clients_are_short_and_have_no_hidden_characters() {
        for good in ["Claude", "Claude Code (vscode)", "<b>x</b>", "名前 🙂", "عربى", &"é".repeat(100)] {
            assert_eq!(check_name(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "  ",
            "a\nb",
            "a\0",
            "\u{7f}",
            "a\u{202e}b",
            "a\u{2066}b",
            "a\u{200f}b",
            "a\u{61c}b",
            "a\u{e0041}",
            &"x".repeat(101),
        ] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
    }
}
