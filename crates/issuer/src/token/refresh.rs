//! Exchanges a refresh token for another pair of tokens of its grant.

use axum::response::Response;
use toolgate_auth::hash_secret;
use toolgate_domain::oauth::scopes::{McpScope, McpScopes};

use super::TokenRequest;
use crate::lifetimes::REFRESH_REUSE_MS;
use crate::oauth_error::OAuthError;

pub(super) async fn exchange(request: &TokenRequest<'_>) -> Result<Response, OAuthError> {
    let (storage, form) = (&request.context.storage, request.form);
    let hash = hash_secret(form.require("refresh_token")?);
    let unknown = || OAuthError::invalid_grant("The refresh token is not known, or its grant has ended.");
    let token = storage.refresh_token(&hash).await?.ok_or_else(unknown)?;
    request.check_grant(&token.grant).await?;
    if token.expires_at <= request.now {
        return Err(OAuthError::invalid_grant("The refresh token has expired."));
    }
    let server = request.server(&token.grant).await?;
    let scopes = narrowed(token.grant.scopes, form.get("scope"))?;
    let tokens = request.new_tokens(&token.grant, &server, scopes)?;
    let first_use_cutoff = request.now.plus_millis(-REFRESH_REUSE_MS);
    // Decides between concurrent requests. A token that is used again too late, or after its successor was used, is
    // treated as leaked: the grant ends.
    if storage.rotate_refresh_token(&hash, tokens.stored_refresh(), first_use_cutoff, request.now).await? {
        Ok(tokens.reply())
    } else {
        Err(OAuthError::invalid_grant("The refresh token was used before. Its access has ended."))
    }
}

/// The scopes of the new access token: those of the grant, or the ones that `scope` names if the grant includes them.
fn narrowed(granted: McpScopes, scope: Option<&str>) -> Result<McpScopes, OAuthError> {
    let Some(scope) = scope else { return Ok(granted) };
    // `offline_access` is accepted everywhere and means nothing: there is always a refresh token.
    let mut names = scope.split_ascii_whitespace().filter(|name| *name != "offline_access").peekable();
    if names.peek().is_none() {
        return Ok(granted);
    }
    let requested: Option<McpScopes> = names.map(McpScope::parse).collect();
    requested.filter(|requested| granted.include(*requested)).ok_or_else(|| {
        let description = format!("scope may name only what the person allowed: {}.", granted.to_text());
        OAuthError::bad_request("invalid_scope", description)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn scopes_can_be_narrowed_and_not_widened() {
        let read = McpScopes::parse("mcp:read").unwrap();
        let write = McpScopes::parse("mcp:write").unwrap();
        for (granted, scope, expected) in [
            (McpScopes::ALL, None, Some(McpScopes::ALL)),
            (McpScopes::ALL, Some("mcp:read"), Some(read)),
            (McpScopes::ALL, Some("mcp:write mcp:read offline_access"), Some(McpScopes::ALL)),
            (read, None, Some(read)),
            (read, Some("offline_access"), Some(read)),
            (read, Some("mcp:read"), Some(read)),
            (read, Some("mcp:write"), None),
            (read, Some("mcp:read mcp:write"), None),
            // The scope `mcp:write` includes `mcp:read`.
            (write, Some("mcp:read"), Some(read)),
            (McpScopes::ALL, Some("mcp:read admin"), None),
            (McpScopes::ALL, Some("openid"), None),
        ] {
            assert_eq!(narrowed(granted, scope).ok(), expected, "{granted:?} {scope:?}");
        }
    }

    proptest! {
        #[test]
        fn scopes_never_exceed_the_grant(bits in 1u8..=3, scope in "((mcp:read|mcp:write|offline_access|x) ){0,4}") {
            let granted = McpScopes::from_bits(bits).unwrap();
            if let Ok(scopes) = narrowed(granted, Some(&scope)) {
                prop_assert!(granted.include(scopes));
            }
        }
    }
}
