//! One errand to an upstream, of a tool or a resource: from the kept answers where they will do, else through the
//! guarded client with the right credential, again where that is harmless and may help, and never past its time.

mod retry;

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use secrecy::SecretString;
use tokio::time::Instant;
use toolgate_domain::call::FailureReason;

use crate::Failure;
use crate::cache::CacheKey;
use crate::egress::{EgressError, OutboundRequest, UpstreamResponse};
use crate::executor::Executor;
use crate::tokens::{self, OAuth2Client};
use crate::tool::{Auth, Injected};

/// What is to be done.
pub(crate) struct Errand<'a> {
    /// Whose answers these are: kind, id and revision.
    pub(crate) scope: (u8, i64, i64),
    pub(crate) auth: &'a Auth,
    /// For all of it, from the first look-up to the last byte.
    pub(crate) timeout: Duration,
    /// How long an answer is kept; zero is not at all.
    pub(crate) cache_ttl: Duration,
    pub(crate) retry_count: u32,
    pub(crate) build: Build<'a>,
}

/// Makes the request with a credential.
pub(crate) type Build<'a> = Box<dyn Fn(Injected<'_>) -> Result<OutboundRequest, Failure> + Send + Sync + 'a>;

/// What an errand took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trace {
    /// Status of the upstream's answer.
    pub upstream_status: Option<u16>,
    /// Time spent waiting for the upstream.
    pub upstream: Duration,
    /// Bytes of the answer's body.
    pub response_bytes: u64,
    /// Whether a kept answer was used.
    pub cache_hit: bool,
}

impl Executor {
    pub(crate) async fn perform(
        &self,
        errand: &Errand<'_>,
        trace: &mut Trace,
    ) -> Result<Arc<UpstreamResponse>, Failure> {
        let begun = Instant::now();
        let deadline = begun + errand.timeout;
        let answer = tokio::time::timeout_at(deadline, self.answer(errand, deadline)).await;
        let answer = answer.unwrap_or_else(|_| Err(timed_out(errand)));
        trace.upstream = begun.elapsed();
        let (response, was_kept) = answer?;
        trace.upstream_status = Some(response.status.as_u16());
        trace.response_bytes = response.body.len() as u64;
        trace.cache_hit = was_kept;
        Ok(response)
    }

    async fn answer(&self, errand: &Errand<'_>, deadline: Instant) -> Result<(Arc<UpstreamResponse>, bool), Failure> {
        if errand.cache_ttl.is_zero() {
            return self.send(errand, deadline).await.map(|response| (Arc::new(response), false));
        }
        // The credential is part of the revision, so it need not be part of the key.
        let key = CacheKey::of(errand.scope, &(errand.build)(Injected::Masked)?);
        // Boxed only where it is needed: a kept answer costs no more than a look.
        let fetch = async { Box::pin(self.send(errand, deadline)).await };
        self.cache.get_or_fetch(key, errand.cache_ttl, fetch).await
    }

    async fn send(&self, errand: &Errand<'_>, deadline: Instant) -> Result<UpstreamResponse, Failure> {
        let (kind, id, _) = errand.scope;
        let mut tries = retry::Tries::new(errand.retry_count, deadline);
        let mut sent_tokens = Vec::new();
        loop {
            let permit = self.permits.acquire((kind, id)).await;
            let sent = self.send_authenticated(errand, &mut sent_tokens).await;
            drop(permit);
            match tries.pause(&sent) {
                None => {
                    let (_, response) = sent.map_err(|error| error.into_failure(errand))?;
                    return Ok(UpstreamResponse { sent_tokens, ..response });
                }
                Some(pause) => tokio::time::sleep(pause).await,
            }
        }
    }

    async fn send_authenticated(&self, errand: &Errand<'_>, tokens: &mut SentTokens) -> Sent {
        match errand.auth {
            Auth::OAuth2(client) => Box::pin(self.send_with_token(errand, client, tokens)).await,
            _ => self.send_once((errand.build)(Injected::Own)?).await,
        }
    }

    /// A fetched token that the upstream refuses is replaced, once. Fetching it has a time of its own, for it may be
    /// done for others too; how long this call waits is limited by whoever awaits it.
    async fn send_with_token(&self, errand: &Errand<'_>, client: &OAuth2Client, tokens: &mut SentTokens) -> Sent {
        let fetch = |request: OutboundRequest| async move {
            // Further off than the end that `Tokens` sets, so that it is the one to say what was too slow.
            let deadline = Instant::now() + 2 * tokens::FETCH_MAX;
            self.egress.send(&request, deadline).await.map_err(|error| failure(&error))
        };
        let token = self.tokens.token(client, fetch).await?;
        tokens.push(token.clone());
        let sent = self.send_once((errand.build)(Injected::Token(&token))?).await?;
        if sent.1.status != StatusCode::UNAUTHORIZED {
            return Ok(sent);
        }
        self.tokens.refuse(client, &token);
        let token = self.tokens.token(client, fetch).await?;
        tokens.push(token.clone());
        self.send_once((errand.build)(Injected::Token(&token))?).await
    }

    /// Without a deadline of its own, for `perform` sees to the time of all of it.
    async fn send_once(&self, request: OutboundRequest) -> Sent {
        match self.egress.send_untimed(&request).await {
            Ok(response) => Ok((request.method, response)),
            Err(error) => Err(SendError::Egress(request.method, error)),
        }
    }
}

/// The tokens that an upstream was shown: it may repeat any of them.
type SentTokens = Vec<SecretString>;

/// A try: with the method, for only some may be repeated.
type Sent = Result<(http::Method, UpstreamResponse), SendError>;

/// Why a try failed.
enum SendError {
    /// Before anything was sent.
    Prepared(Failure),
    /// On the way.
    Egress(http::Method, EgressError),
}

impl From<Failure> for SendError {
    fn from(failure: Failure) -> Self {
        Self::Prepared(failure)
    }
}

impl SendError {
    fn into_failure(self, errand: &Errand<'_>) -> Failure {
        match self {
            Self::Prepared(failure) => failure,
            Self::Egress(_, error) if error.reason() == FailureReason::Timeout => timed_out(errand),
            Self::Egress(_, error) => failure(&error),
        }
    }
}

fn failure(error: &EgressError) -> Failure {
    Failure::new(error.reason(), error.to_string()).advising(error.advice())
}

fn timed_out(errand: &Errand<'_>) -> Failure {
    Failure::new(FailureReason::Timeout, format!("Upstream request timed out after {} s", errand.timeout.as_secs()))
}
