//! One upstream call for a tool or a resource: cache lookup, credential, request, retries, all within one deadline.

mod retry;

use std::sync::Arc;
use std::time::{Duration, Instant as StdInstant};

use http::StatusCode;
use secrecy::SecretString;
use tokio::time::Instant;
use toolgate_domain::call::FailureReason;

use crate::cache::{CacheKey, FetchedResponse, ResponseCache};
use crate::call_settings::CallSettings;
use crate::call_trace::{self, AttemptSpan, CallTrace};
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
    /// The position of the call in the trace of the request, if the request is traced.
    pub(crate) trace: Option<CallTrace<'a>>,
    pub(crate) build_request: RequestBuilder<'a>,
}

/// Builds the request with a credential.
pub(crate) type RequestBuilder<'a> =
    Box<dyn Fn(CredentialUse<'_>) -> Result<OutboundRequest, Failure> + Send + Sync + 'a>;

/// Measurements of an upstream call.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpstreamMeasurements {
    /// The status of the upstream response.
    pub upstream_status: Option<u16>,
    /// Duration of the whole upstream call, including the wait for a permit and the delays between attempts.
    pub duration: Duration,
    /// The size of the response body in bytes.
    pub response_bytes: u64,
    /// Whether a cached response was used.
    pub cache_hit: bool,
    /// Until when equal calls get the same response; `None` if it was not found in the cache.
    pub cached_until: Option<StdInstant>,
}

/// The resources that all upstream calls share: connections, cached responses, tokens and permits.
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
    ) -> (Result<Arc<UpstreamResponse>, Failure>, UpstreamMeasurements) {
        let started = Instant::now();
        let deadline = started + self.settings.timeout;
        let response = tokio::time::timeout_at(deadline, self.get_cached_or_send(resources, deadline)).await;
        let response = response.unwrap_or_else(|_| Err(self.timeout_failure()));
        let mut measurements = UpstreamMeasurements { duration: started.elapsed(), ..UpstreamMeasurements::default() };
        let response = response.map(|FetchedResponse { response, is_cached, cached_until }| {
            measurements.upstream_status = Some(response.status.as_u16());
            measurements.response_bytes = response.body.len() as u64;
            measurements.cache_hit = is_cached;
            measurements.cached_until = cached_until;
            response
        });
        (response, measurements)
    }

    async fn get_cached_or_send(
        &self,
        resources: &UpstreamResources,
        deadline: Instant,
    ) -> Result<FetchedResponse, Failure> {
        let CallSettings { called, revision, cache_ttl, .. } = *self.settings;
        if cache_ttl.is_zero() || !self.may_use_cache {
            let response = Arc::new(self.send(resources, deadline, self.trace).await?);
            return Ok(FetchedResponse { response, is_cached: false, cached_until: None });
        }
        // A new credential creates a new revision, so the key need not contain the credential.
        let key = CacheKey::new(called, revision, &(self.build_request)(CredentialUse::Masked)?);
        let span = call_trace::step(self.trace, "cache");
        let trace = self.trace.map(|trace| trace.inside(&span));
        // Boxed inside the async block, so that a cache hit does not allocate.
        let fetch = async { Box::pin(self.send(resources, deadline, trace)).await };
        let fetched = resources.cache.get_or_fetch(key, cache_ttl, fetch).await;
        span.set("toolgate.cache_hit", fetched.as_ref().is_ok_and(|fetched| fetched.is_cached));
        fetched
    }

    /// Sends the request, with retries. `trace` is the parent of the spans of all attempts.
    async fn send(
        &self,
        resources: &UpstreamResources,
        deadline: Instant,
        trace: Option<CallTrace<'_>>,
    ) -> Result<UpstreamResponse, Failure> {
        let mut retries = retry::RetryPolicy::new(self.settings.retry_count, deadline);
        let mut attempts = Attempts { trace, started: 0, sent_tokens: Vec::new() };
        loop {
            let permit = resources.permits.acquire(self.settings.called).await;
            let attempt = self.send_authenticated(resources, &mut attempts).await;
            // Released before the delay, so that a waiting call does not block others.
            drop(permit);
            let attempt = attempt?;
            match retries.next_delay(&attempt) {
                None => {
                    let response = attempt.map_err(|error| self.egress_failure(&error))?;
                    return Ok(UpstreamResponse { sent_tokens: attempts.sent_tokens, ..response });
                }
                Some(delay) => tokio::time::sleep(delay).await,
            }
        }
    }

    /// Makes one attempt with the credential of the call.
    async fn send_authenticated(&self, resources: &UpstreamResources, attempts: &mut Attempts<'_>) -> Attempt {
        match self.auth {
            Auth::OAuth2 { client, .. } => Box::pin(self.send_with_token(resources, client, attempts)).await,
            _ => self.send_once(resources, CredentialUse::Stored, attempts).await,
        }
    }

    /// Sends the request with a token. If the upstream rejects the token, it is replaced once. The fetch has its own
    /// deadline, because other calls may wait for the same token; the timeout in `execute` limits this call.
    async fn send_with_token(
        &self,
        resources: &UpstreamResources,
        client: &OAuth2Client,
        attempts: &mut Attempts<'_>,
    ) -> Attempt {
        let fetch = |request: OutboundRequest| async move {
            // Later than the timeout in `TokenCache`, so that its more specific error is reported.
            let deadline = Instant::now() + 2 * tokens::TOKEN_FETCH_TIMEOUT;
            resources.egress.send(&request, deadline).await.map_err(|error| to_failure(&error))
        };
        let token = Box::pin(attempts.credential(resources.tokens.token(client, fetch))).await?;
        let attempt = self.send_once(resources, CredentialUse::Token(&token), attempts).await?;
        if !attempt.as_ref().is_ok_and(|response| response.status == StatusCode::UNAUTHORIZED) {
            return Ok(attempt);
        }
        resources.tokens.invalidate(client, &token);
        let token = Box::pin(attempts.credential(resources.tokens.token(client, fetch))).await?;
        self.send_once(resources, CredentialUse::Token(&token), attempts).await
    }

    /// Sends the request without a deadline: the timeout in `execute` covers it.
    async fn send_once(
        &self,
        resources: &UpstreamResources,
        credential: CredentialUse<'_>,
        attempts: &mut Attempts<'_>,
    ) -> Attempt {
        let mut request = (self.build_request)(credential)?;
        let span = AttemptSpan::start(attempts.trace, &mut request, attempts.started);
        attempts.started += 1;
        let response = resources.egress.send_without_deadline(&request).await;
        span.finish(&response);
        Ok(response)
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

/// The attempts of one call so far.
struct Attempts<'a> {
    trace: Option<CallTrace<'a>>,
    /// How many requests were sent.
    started: u32,
    /// The tokens that were sent to the upstream: its response may repeat any of them.
    sent_tokens: Vec<SecretString>,
}

impl Attempts<'_> {
    /// Waits for the token of the next request, and records it.
    async fn credential(
        &mut self,
        token: impl Future<Output = Result<SecretString, Failure>>,
    ) -> Result<SecretString, Failure> {
        let span = call_trace::step(self.trace, "credential");
        let token = token.await.inspect_err(|failure| span.fail(failure.reason.as_str()))?;
        self.sent_tokens.push(token.clone());
        Ok(token)
    }
}

/// The result of one attempt. It is a [`Failure`] if the request could not be built or its token could not be fetched,
/// and an [`EgressError`] if the request could not be sent or its response could not be read.
type Attempt = Result<Result<UpstreamResponse, EgressError>, Failure>;

fn to_failure(error: &EgressError) -> Failure {
    Failure::new(error.reason(), error.to_string())
        .with_advice(error.advice())
        .with_model_text(error.message_for_model(), error.advice_for_model())
}
