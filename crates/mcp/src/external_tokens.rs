//! Access tokens of other issuers. A token is checked with the keys of its issuer; a token that was accepted is
//! cached for a short time, because checking a signature takes longer than the rest of most requests.

use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use toolgate_analytics::AccessCounters;
use toolgate_auth::jwt::{self, AccessTokenRules, CLOCK_SKEW_MS, Claims, JwtError, UnverifiedToken};
use toolgate_domain::call::CallerIdentity;
use toolgate_domain::ids::SubjectId;
use toolgate_domain::oauth::scopes::{McpScope, McpScopes};
use toolgate_domain::oauth::subject::SeenSubject;
use toolgate_domain::server::Server;
use toolgate_domain::time::Timestamp;
use toolgate_execution::issuers::{IssuerClient, VerifyError};

use crate::catalog::external_access::ExternalAccess;

/// The most tokens that are cached.
const CACHED_TOKENS_MAX: u64 = 10_000;
/// How long a token is cached.
const CACHED_TOKEN_TTL: Duration = Duration::from_mins(5);

/// The person of a valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExternalCaller {
    pub(crate) identity: CallerIdentity,
    pub(crate) subject_id: SubjectId,
    pub(crate) scopes: McpScopes,
    /// The settings of the server under which the token was accepted.
    pub(crate) settings_hash: [u8; 32],
    /// When the token expires. Requests are accepted a little longer, because clocks differ; streams end at this time.
    pub(crate) expires_at: Timestamp,
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExternalTokenError {
    /// It is not valid.
    Invalid(JwtError),
    /// It is valid, but its claims do not fit the rules of the server.
    NotAllowed,
    /// It is valid, but lacks a scope that every request needs.
    MissingScope(McpScope),
    /// The keys of the issuer cannot be read.
    Unavailable,
}

impl From<JwtError> for ExternalTokenError {
    fn from(error: JwtError) -> Self {
        Self::Invalid(error)
    }
}

/// Checks tokens.
pub(crate) struct ExternalTokens {
    issuers: Arc<IssuerClient>,
    /// The public URL of the service, if it is fixed.
    base_url: Option<String>,
    counters: Arc<AccessCounters>,
    /// The callers of accepted tokens, by [`cache_key`].
    cached: moka::sync::Cache<[u8; 32], Arc<ExternalCaller>>,
}

impl ExternalTokens {
    pub(crate) fn new(issuers: Arc<IssuerClient>, base_url: Option<String>, counters: Arc<AccessCounters>) -> Self {
        let cached = moka::sync::Cache::builder().max_capacity(CACHED_TOKENS_MAX).time_to_live(CACHED_TOKEN_TTL);
        Self { issuers, base_url, counters, cached: cached.build() }
    }

    /// The caller of a token for this server.
    pub(crate) async fn check(
        &self,
        text: &str,
        server: &Server,
        access: &ExternalAccess,
        now: Timestamp,
    ) -> Result<Arc<ExternalCaller>, ExternalTokenError> {
        let path = server.endpoint_path();
        let key = cache_key(text, &path, access);
        if let Some(caller) = self.cached.get(&key) {
            let is_current = now < caller.expires_at.plus_millis(CLOCK_SKEW_MS);
            return if is_current { Ok(caller) } else { Err(JwtError::Expired.into()) };
        }
        let token = UnverifiedToken::parse(text)?;
        let claims = self.verify(&token, &access.issuer).await?;
        let caller = Arc::new(caller(&claims, access, &self.audience(access, &path), now)?);
        self.counters.note_subject(SeenSubject {
            id: caller.subject_id,
            issuer: access.issuer.to_string(),
            subject: claims.text(&access.subject_claim).unwrap_or_default().to_owned(),
            name: access.name(&claims),
            seen_at: now,
        });
        self.cached.insert(key, Arc::clone(&caller));
        Ok(caller)
    }

    /// The claims of a token that the issuer signed.
    async fn verify(&self, token: &UnverifiedToken<'_>, issuer: &str) -> Result<Claims, ExternalTokenError> {
        self.issuers.verify(issuer, token).await.map_err(|error| match error {
            VerifyError::Token(error) => ExternalTokenError::Invalid(error),
            VerifyError::Keys(_) => ExternalTokenError::Unavailable,
        })
    }

    /// The accepted audiences: the configured ones, or the URL of the endpoint, which clients may write with a slash.
    fn audience(&self, access: &ExternalAccess, path: &str) -> Vec<String> {
        match &self.base_url {
            Some(base_url) if access.audience.is_empty() => {
                vec![format!("{base_url}{path}"), format!("{base_url}{path}/")]
            }
            _ => access.audience.clone(),
        }
    }
}

fn caller(
    claims: &Claims,
    access: &ExternalAccess,
    audience: &[String],
    now: Timestamp,
) -> Result<ExternalCaller, ExternalTokenError> {
    let rules = AccessTokenRules { issuer: &access.issuer, audience, subject_claim: &access.subject_claim };
    let checked = rules.check(claims, now)?;
    if !access.permits(claims) {
        return Err(ExternalTokenError::NotAllowed);
    }
    let scopes = access.scopes(claims).map_err(ExternalTokenError::MissingScope)?;
    Ok(ExternalCaller {
        subject_id: jwt::subject_id(&access.issuer, &checked.subject),
        identity: CallerIdentity::Subject { issuer: Arc::clone(&access.issuer), subject: checked.subject.into() },
        scopes,
        settings_hash: access.settings_hash,
        expires_at: checked.expires_at,
    })
}

/// A hash of the settings of the server, the endpoint and the token. A zero byte, which no path contains, separates
/// path and token.
fn cache_key(text: &str, path: &str, access: &ExternalAccess) -> [u8; 32] {
    let hash = Sha256::new().chain_update(access.settings_hash).chain_update(path).chain_update([0]);
    hash.chain_update(text).finalize().into()
}
