//! The rules of a server whose tokens another issuer issues.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use toolgate_auth::jwt::Claims;
use toolgate_domain::json::JsonObject;
use toolgate_domain::oauth::scopes::{McpScope, McpScopes};
use toolgate_domain::oauth::settings::{ClaimRule, OAuthSettings};
use toolgate_domain::text::is_deceptive;

/// The longest name of a person, in characters.
const NAME_CHARS_MAX: usize = 200;

/// The rules that the claims of a token must satisfy.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ExternalAccess {
    /// The issuer, exactly as configured.
    pub(crate) issuer: Arc<str>,
    /// The accepted audiences; empty for the URL of the endpoint.
    pub(crate) audience: Vec<String>,
    pub(crate) subject_claim: String,
    name_claim: Option<String>,
    allow: Vec<ClaimRule>,
    pub(crate) scope_read: Option<String>,
    pub(crate) scope_write: Option<String>,
    /// A hash of all settings of the server. A token that was accepted under other settings is checked again.
    pub(crate) settings_hash: [u8; 32],
}

impl ExternalAccess {
    pub(super) fn new(issuer: String, settings: OAuthSettings, document: Option<&JsonObject>) -> Self {
        Self {
            issuer: issuer.into(),
            audience: settings.audience,
            subject_claim: settings.subject_claim,
            name_claim: settings.name_claim,
            allow: settings.allow,
            scope_read: settings.scope_read,
            scope_write: settings.scope_write,
            settings_hash: Sha256::digest(document.map(JsonObject::as_str).unwrap_or_default()).into(),
        }
    }

    /// Whether the claims fit all rules.
    pub(crate) fn permits(&self, claims: &Claims) -> bool {
        self.allow.iter().all(|rule| {
            let values = claims.values(&rule.claim);
            values.iter().any(|value| rule.any_of.iter().any(|allowed| allowed == value))
        })
    }

    /// The scopes of a token; the missing scope if it may not even read. The scope for writing includes reading.
    pub(crate) fn scopes(&self, claims: &Claims) -> Result<McpScopes, McpScope> {
        let has = |scope: &String| granted_scopes(claims).any(|granted| granted == scope);
        let has_write = self.scope_write.as_ref().is_some_and(has);
        if !has_write && !self.scope_read.as_ref().is_none_or(has) {
            return Err(McpScope::Read);
        }
        let may_write = has_write || self.scope_write.is_none();
        Ok(if may_write { McpScopes::ALL } else { McpScopes::from_iter([McpScope::Read]) })
    }

    /// The name of the person, for display only.
    pub(crate) fn name(&self, claims: &Claims) -> Option<String> {
        let name = claims.text(self.name_claim.as_deref()?)?;
        let name: String = name.chars().filter(|c| !c.is_control() && !is_deceptive(*c)).take(NAME_CHARS_MAX).collect();
        Some(name).filter(|name| !name.is_empty())
    }
}

/// Issuers name the granted scopes in `scope` (a text) or in `scp` (a text or a list).
fn granted_scopes(claims: &Claims) -> impl Iterator<Item = &str> {
    let texts = claims.text("scope").into_iter().chain(claims.texts("scp"));
    texts.flat_map(str::split_ascii_whitespace)
}
