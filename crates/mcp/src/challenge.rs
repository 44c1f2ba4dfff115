//! `WWW-Authenticate`: how a client learns what a server requires. Clients read it with regular expressions, so the
//! order of the parameters is fixed.

use http::HeaderValue;
use toolgate_domain::oauth::scopes::McpScope;
use toolgate_domain::server::Server;

use crate::catalog::endpoint_access::AcceptedTokens;

/// The challenge for a missing or wrong key. It has no `resource_metadata`, which would make clients start OAuth.
pub(crate) const KEY_CHALLENGE: HeaderValue = HeaderValue::from_static("Bearer realm=\"toolgate\"");

/// The description for every invalid token. It does not reveal whether the token was ever valid.
const INVALID_TOKEN: &str = "The access token is invalid, expired or revoked";

/// The challenges of a server that requires sign-in.
#[derive(Debug)]
pub(crate) struct OAuthChallenge {
    /// The URL of the server's metadata document; `None` if the public URL of the service depends on requests.
    metadata_url: Option<String>,
    /// The issuer's scopes for reading and writing; `None` for one that is not needed.
    scope_read: Option<String>,
    scope_write: Option<String>,
}

impl OAuthChallenge {
    /// `has_slash`: whether the URL of the request ends with a slash. Clients compare the URL in the document with the
    /// one that they were given.
    pub(crate) fn new(base_url: Option<&str>, server: &Server, has_slash: bool, tokens: &AcceptedTokens) -> Self {
        let slash = if has_slash { "/" } else { "" };
        let metadata_url = base_url
            .map(|base| format!("{base}/.well-known/oauth-protected-resource{}{slash}", server.endpoint_path()));
        let (scope_read, scope_write) = match tokens {
            AcceptedTokens::BuiltIn => {
                (Some(McpScope::Read.as_str().to_owned()), Some(McpScope::Write.as_str().to_owned()))
            }
            AcceptedTokens::External(access) => (access.scope_read.clone(), access.scope_write.clone()),
        };
        Self { metadata_url, scope_read, scope_write }
    }

    /// The issuer's name of a scope.
    pub(crate) fn scope_name(&self, scope: McpScope) -> &str {
        let name = match scope {
            McpScope::Read => self.scope_read.as_deref(),
            McpScope::Write => self.scope_write.as_deref(),
        };
        name.unwrap_or(scope.as_str())
    }

    /// No token was sent.
    pub(crate) fn missing_token(&self) -> HeaderValue {
        header("", &self.metadata(), &self.all_scopes())
    }

    /// The sent token or key is not valid.
    pub(crate) fn invalid_token(&self) -> HeaderValue {
        let error = format!(", error=\"invalid_token\", error_description=\"{INVALID_TOKEN}\"");
        header(&error, &self.metadata(), &self.all_scopes())
    }

    /// The token lacks a scope.
    pub(crate) fn insufficient_scope(&self, scope: McpScope) -> HeaderValue {
        let scope = format!(", scope=\"{}\"", self.scope_name(scope));
        header(", error=\"insufficient_scope\"", &scope, &self.metadata())
    }

    /// The scopes that a client should ask for; nothing if the issuer needs none.
    fn all_scopes(&self) -> String {
        let names: Vec<&str> =
            [&self.scope_read, &self.scope_write].into_iter().flatten().map(String::as_str).collect();
        if names.is_empty() { String::new() } else { format!(", scope=\"{}\"", names.join(" ")) }
    }

    fn metadata(&self) -> String {
        let parameter = |url| format!(", resource_metadata=\"{url}\"");
        self.metadata_url.as_ref().map(parameter).unwrap_or_default()
    }
}

fn header(error: &str, first: &str, second: &str) -> HeaderValue {
    let text = format!("Bearer realm=\"toolgate\"{error}{first}{second}");
    // A base URL has only characters that a header may have.
    HeaderValue::try_from(text).unwrap_or(KEY_CHALLENGE)
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::{PublicId, ServerId, UserId};
    use toolgate_domain::server::ServerSpec;
    use toolgate_domain::slug::Slug;
    use toolgate_domain::time::Timestamp;

    use super::*;

    fn server() -> Server {
        let now = Timestamp::from_millis(0);
        Server {
            id: ServerId(1),
            user_id: UserId(1),
            slug: Slug::parse("slug", "shop").unwrap(),
            public_id: PublicId::from_random([0xab; 16]),
            tool_count: 0,
            created_at: now,
            updated_at: now,
            spec: ServerSpec::new("Shop".to_owned()),
        }
    }

    #[test]
    fn challenges_have_the_documented_form() {
        let challenge = OAuthChallenge::new(Some("https://x.example"), &server(), false, &AcceptedTokens::BuiltIn);
        let path = "https://x.example/.well-known/oauth-protected-resource/mcp/shop/abababababababababababababababab";
        let text = |value: HeaderValue| value.to_str().unwrap().to_owned();
        assert_eq!(
            text(challenge.missing_token()),
            format!(r#"Bearer realm="toolgate", resource_metadata="{path}", scope="mcp:read mcp:write""#)
        );
        assert_eq!(
            text(challenge.invalid_token()),
            format!(
                r#"Bearer realm="toolgate", error="invalid_token", error_description="{INVALID_TOKEN}", resource_metadata="{path}", scope="mcp:read mcp:write""#
            )
        );
        assert_eq!(
            text(challenge.insufficient_scope(McpScope::Write)),
            format!(
                r#"Bearer realm="toolgate", error="insufficient_scope", scope="mcp:write", resource_metadata="{path}""#
            )
        );
    }

    #[test]
    fn the_document_has_the_slash_of_the_request_and_is_left_out_without_a_public_url() {
        let with_slash = OAuthChallenge::new(Some("https://x.example/gate"), &server(), true, &AcceptedTokens::BuiltIn);
        let with_slash = with_slash.missing_token();
        let with_slash = with_slash.to_str().unwrap();
        assert!(
            with_slash.contains("https://x.example/gate/.well-known/oauth-protected-resource/mcp/shop/"),
            "{with_slash}"
        );
        assert!(with_slash.contains("abab/\", scope="), "{with_slash}");
        let without = OAuthChallenge::new(None, &server(), true, &AcceptedTokens::BuiltIn).missing_token();
        assert_eq!(without, r#"Bearer realm="toolgate", scope="mcp:read mcp:write""#);
    }
}
