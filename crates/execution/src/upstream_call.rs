//! One upstream call for a tool or a resource: cache lookup, credential, request, retries, all within one deadline.

mod retry;

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use secrecy::SecretString;
use tokio::time::Instant;
use toolgate_domain::call::FailureReason;

use crate::cache::{CacheKey, ResponseCache};
use crate::call_settings::CallSettings;
use crate::egress::client::EgressClient;
use crate::egress::error::EgressError;
use crate::egress::message::{OutboundRequest, UpstreamResponse};
use crate::failure::Failure;
use crate::permits::Permits;
use crate::tokens::{self, OAuth2Client, TokenCache};
use crate::tool::auth::{Auth, CredentialUse};

/// One upstream call.
pub(crate) struct UpstreamCall<'a> {
    pub(crate) settings: &'a CallSettings,
    pub(crate) auth: &'a Auth,
    /// Whether the response may come from the cache and be cached.
    pub(crate) may_use_cache: bool,
    pub(crate) build_request: RequestBuilder<'a>,
}

/// Builds the request with a credential.
pub(crate) type RequestBuilder<'a> =
    Box<dyn Fn(CredentialUse<'_>) -> Result<OutboundRequest, Failure> + Send + Sync + 'a>;

/// Measurements of an upstream call.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpstreamTrace {
    /// The status of the upstream response.
    pub upstream_status: Option<u16>,
    /// Duration of the whole upstream call, including the wait for a permit and the delays between attempts.
    pub upstream: Duration,
    /// The size of the response body in bytes.
    pub response_bytes: u64,
    /// Whether a cached response was used.
    pub cache_hit: bool,
}

/// What upstream calls share: the connections, the cached responses, the tokens and the permits.
pub(crate) struct UpstreamResources {
    pub(crate) egress: EgressClient,
    pub(crate) cache: ResponseCache,
    pub(crate) tokens: TokenCache,
    pub(crate) permits: Permits,
}

impl UpstreamCall<'_> {
    /// Executes the call within its timeout.
    pub(crate) async fn execute(
        &self,
        resources: &UpstreamResources,
    ) -> (Result<Arc<UpstreamResponse>, Failure>, UpstreamTrace) {
        let started = Instant::now();
        let deadline = started + self.settings.timeout;
        let response = tokio::time::timeout_at(deadline, self.get_cached_or_send(resources, deadline)).await;
        let response = response.unwrap_or_else(|_| Err(self.timeout_failure()));
        let mut trace = UpstreamTrace { upstream: started.elapsed(), ..UpstreamTrace::default() };
        let response = response.map(|(response, is_cached)| {
            trace.upstream_status = Some(response.status.as_u16());
            trace.response_bytes = response.body.len() as u64;
            trace.cache_hit = is_cached;
            response
        });
        (response, trace)
    }

    async fn get_cached_or_send(
        &self,
        resources: &UpstreamResources,
        deadline: Instant,
    ) -> Result<(Arc<UpstreamResponse>, bool), Failure> {
        let CallSettings { called, revision, cache_ttl, .. } = *self.settings;
        if cache_ttl.is_zero() || !self.may_use_cache {
            return self.send(resources, deadline).await.map(|response| (Arc::new(response), false));
        }
        // A new credential creates a new revision, so the key need not contain the credential.
        let key = CacheKey::new(called, revision, &(self.build_request)(CredentialUse::Masked)?);
        // Boxed inside the async block, so that a cache hit does not allocate.
        let fetch = async { Box::pin(self.send(resources, deadline)).await };
        resources.cache.get_or_fetch(key, cache_ttl, fetch).await
    }

    /// Sends the request, with retries.
    async fn send(&self, resources: &UpstreamResources, deadline: Instant) -> Result<UpstreamResponse, Failure> {
        let mut retries = retry::RetryPolicy::new(self.settings.retry_count, deadline);
        let mut sent_tokens = Vec::new();
        loop {
            let permit = resources.permits.acquire(self.settings.called).await;
            let attempt = self.send_authenticated(resources, &mut sent_tokens).await;
            // Released before the delay, so that a waiting call does not block others.
            drop(permit);
            let attempt = attempt?;
            match retries.next_delay(&attempt) {
                None => {
                    let response = attempt.map_err(|error| self.egress_failure(&error))?;
                    return Ok(UpstreamResponse { sent_tokens, ..response });
                }
                Some(delay) => tokio::time::sleep(delay).await,
            }
        }
    }

    /// Makes one attempt with the credential of the call.
    async fn send_authenticated(&self, resources: &UpstreamResources, tokens: &mut SentTokens) -> Attempt {
        match self.auth {
            Auth::OAuth2 { client, .. } => Box::pin(self.send_with_token(resources, client, tokens)).await,
            _ => self.send_once(resources, CredentialUse::Stored).await,
        }
    }

    /// Sends the request with a token. If the upstream rejects the token, it is replaced once. The fetch has its own
    /// deadline, because other calls may wait for the same token; the timeout in `execute` limits this call.
    async fn send_with_token(
        &self,
        resources: &UpstreamResources,
        client: &OAuth2Client,
        tokens: &mut SentTokens,
    ) -> Attempt {
        let fetch = |request: OutboundRequest| async move {
            // Later than the timeout in `TokenCache`, so that its more specific error is reported.
            let deadline = Instant::now() + 2 * tokens::TOKEN_FETCH_TIMEOUT;
            resources.egress.send(&request, deadline).await.map_err(|error| to_failure(&error))
        };
        let token = resources.tokens.token(client, fetch).await?;
        tokens.push(token.clone());
        let attempt = self.send_once(resources, CredentialUse::Token(&token)).await?;
        if !attempt.as_ref().is_ok_and(|response| response.status == StatusCode::UNAUTHORIZED) {
            return Ok(attempt);
        }
        resources.tokens.invalidate(client, &token);
        let token = resources.tokens.token(client, fetch).await?;
        tokens.push(token.clone());
        self.send_once(resources, CredentialUse::Token(&token)).await
    }

    /// Sends the request without a deadline: the timeout in `execute` covers it.
    async fn send_once(&self, resources: &UpstreamResources, credential: CredentialUse<'_>) -> Attempt {
        let request = (self.build_request)(credential)?;
        Ok(resources.egress.send_without_deadline(&request).await)
    }

    /// The failure of the call after its last attempt.
    fn egress_failure(&self, error: &EgressError) -> Failure {
        if error.reason() == FailureReason::Timeout { self.timeout_failure() } else { to_failure(error) }
    }

    fn timeout_failure(&self) -> Failure {
        let secs = self.settings.timeout.as_secs();
        Failure::new(FailureReason::Timeout, format!("Upstream request timed out after {secs} s"))
    }
}

/// The tokens that were sent to the upstream: its response may repeat any of them.
type SentTokens = Vec<SecretString>;

/// The result of one attempt. It is a [`Failure`] if the request could not be built or its token could not be fetched,
/// and an [`EgressError`] if the request could not be sent or its response could not be read.
type Attempt = Result<Result<UpstreamResponse, EgressError>, Failure>;

fn to_failure(error: &EgressError) -> Failure {
    Failure::new(error.reason(), error.to_string())
        .with_advice(error.advice())
        .with_model_text(error.message_for_model(), error.advice_for_model())
}
