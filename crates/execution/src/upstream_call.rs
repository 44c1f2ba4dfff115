//! One upstream call for a tool or a resource: cache lookup, credential, request, retries, all within one deadline.

mod retry;

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use secrecy::SecretString;
use tokio::time::Instant;
use toolgate_domain::call::FailureReason;
use toolgate_domain::ids::{ResourceId, ToolId};

use crate::Failure;
use crate::cache::CacheKey;
use crate::egress::{EgressError, OutboundRequest, UpstreamResponse};
use crate::executor::Executor;
use crate::tokens::{self, OAuth2Client};
use crate::tool::{Auth, CredentialUse};

/// The object that an upstream call is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CalledObject {
    Tool(ToolId),
    Resource(ResourceId),
}

/// One upstream call.
pub(crate) struct UpstreamCall<'a> {
    pub(crate) called: CalledObject,
    /// The revision of the tool or resource; part of the cache key.
    pub(crate) revision: i64,
    pub(crate) auth: &'a Auth,
    /// The timeout of the whole call, from the cache lookup to the last byte.
    pub(crate) timeout: Duration,
    /// How long a response is cached; zero disables the cache.
    pub(crate) cache_ttl: Duration,
    pub(crate) retry_count: u32,
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

impl Executor {
    pub(crate) async fn execute(
        &self,
        call: &UpstreamCall<'_>,
        trace: &mut UpstreamTrace,
    ) -> Result<Arc<UpstreamResponse>, Failure> {
        let started = Instant::now();
        let deadline = started + call.timeout;
        let response = tokio::time::timeout_at(deadline, self.get_cached_or_send(call, deadline)).await;
        let response = response.unwrap_or_else(|_| Err(timeout_failure(call)));
        trace.upstream = started.elapsed();
        let (response, is_cached) = response?;
        trace.upstream_status = Some(response.status.as_u16());
        trace.response_bytes = response.body.len() as u64;
        trace.cache_hit = is_cached;
        Ok(response)
    }

    async fn get_cached_or_send(
        &self,
        call: &UpstreamCall<'_>,
        deadline: Instant,
    ) -> Result<(Arc<UpstreamResponse>, bool), Failure> {
        if call.cache_ttl.is_zero() {
            return self.send(call, deadline).await.map(|response| (Arc::new(response), false));
        }
        // A new credential creates a new revision, so the key need not contain the credential.
        let key = CacheKey::new(call.called, call.revision, &(call.build_request)(CredentialUse::Masked)?);
        // Boxed inside the async block, so that a cache hit does not allocate.
        let fetch = async { Box::pin(self.send(call, deadline)).await };
        self.cache.get_or_fetch(key, call.cache_ttl, fetch).await
    }

    /// Sends the request, with retries.
    async fn send(&self, call: &UpstreamCall<'_>, deadline: Instant) -> Result<UpstreamResponse, Failure> {
        let mut retries = retry::RetryPolicy::new(call.retry_count, deadline);
        let mut sent_tokens = Vec::new();
        loop {
            let permit = self.permits.acquire(call.called).await;
            let attempt = self.send_authenticated(call, &mut sent_tokens).await;
            // Released before the delay, so that a waiting call does not block others.
            drop(permit);
            match retries.next_delay(&attempt) {
                None => {
                    let (_, response) = attempt.map_err(|error| error.into_failure(call))?;
                    return Ok(UpstreamResponse { sent_tokens, ..response });
                }
                Some(delay) => tokio::time::sleep(delay).await,
            }
        }
    }

    /// Makes one attempt with the credential of the call.
    async fn send_authenticated(&self, call: &UpstreamCall<'_>, tokens: &mut SentTokens) -> Attempt {
        match call.auth {
            Auth::OAuth2(client) => Box::pin(self.send_with_token(call, client, tokens)).await,
            _ => self.send_once((call.build_request)(CredentialUse::Stored)?).await,
        }
    }

    /// Sends the request with a token. If the upstream rejects the token, it is replaced once. The fetch has its own
    /// deadline, because other calls may wait for the same token; the timeout in `execute` limits this call.
    async fn send_with_token(
        &self,
        call: &UpstreamCall<'_>,
        client: &OAuth2Client,
        tokens: &mut SentTokens,
    ) -> Attempt {
        let fetch = |request: OutboundRequest| async move {
            // Later than the timeout in `TokenCache`, so that its more specific error is reported.
            let deadline = Instant::now() + 2 * tokens::TOKEN_FETCH_TIMEOUT;
            self.egress.send(&request, deadline).await.map_err(|error| to_failure(&error))
        };
        let token = self.tokens.token(client, fetch).await?;
        tokens.push(token.clone());
        let attempt = self.send_once((call.build_request)(CredentialUse::Token(&token))?).await?;
        if attempt.1.status != StatusCode::UNAUTHORIZED {
            return Ok(attempt);
        }
        self.tokens.invalidate(client, &token);
        let token = self.tokens.token(client, fetch).await?;
        tokens.push(token.clone());
        self.send_once((call.build_request)(CredentialUse::Token(&token))?).await
    }

    /// Sends the request without a deadline: the timeout in `execute` covers it.
    async fn send_once(&self, request: OutboundRequest) -> Attempt {
        match self.egress.send_without_deadline(&request).await {
            Ok(response) => Ok((request.method, response)),
            Err(error) => Err(AttemptError::Egress(request.method, error)),
        }
    }
}

/// The tokens that were sent to the upstream: its response may repeat any of them.
type SentTokens = Vec<SecretString>;

/// The result of one attempt, with the method, because only some methods may be retried.
type Attempt = Result<(http::Method, UpstreamResponse), AttemptError>;

/// Why an attempt failed.
enum AttemptError {
    /// The request could not be built, or its token could not be fetched.
    NotSent(Failure),
    /// The request could not be sent, or its response could not be read.
    Egress(http::Method, EgressError),
}

impl From<Failure> for AttemptError {
    fn from(failure: Failure) -> Self {
        Self::NotSent(failure)
    }
}

impl AttemptError {
    fn into_failure(self, call: &UpstreamCall<'_>) -> Failure {
        match self {
            Self::NotSent(failure) => failure,
            Self::Egress(_, error) if error.reason() == FailureReason::Timeout => timeout_failure(call),
            Self::Egress(_, error) => to_failure(&error),
        }
    }
}

fn to_failure(error: &EgressError) -> Failure {
    Failure::new(error.reason(), error.to_string()).with_advice(error.advice())
}

fn timeout_failure(call: &UpstreamCall<'_>) -> Failure {
    Failure::new(FailureReason::Timeout, format!("Upstream request timed out after {} s", call.timeout.as_secs()))
}
