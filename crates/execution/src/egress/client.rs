//! The client: one request in, one whole answer out, within a deadline that covers everything from the lookup of
//! the name to the last byte.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::RootCertStore;
use tokio::time::{Instant, timeout_at};

use super::body;
use super::connection::History;
use super::connector::Connector;
use super::dialer::Dialer;
use super::error::{BrokenAnswer, EgressError, find};
use super::guard::EgressRule;
use super::hop::Hop;
use super::message::{OutboundRequest, UpstreamResponse, is_repeatable};
use super::redirect::{BadRedirect, REDIRECTS_MAX};
use super::resolver::Resolver;
use super::tls;

const HEAD_MAX: usize = 128 * 1024;
const HEADERS_MAX: usize = 200;
const IDLE_PER_HOST_MAX: usize = 128;
const IDLE_FOR: Duration = Duration::from_secs(30);
/// A connection that HTTP/2 shares among calls is asked for a sign of life, lest all wait for a dead one.
const PING_AFTER: Duration = Duration::from_secs(10);

type Pool = Client<Connector, Full<Bytes>>;

/// Sends requests to upstreams. One for the whole process: it holds the connections. Clones share them.
#[derive(Clone)]
pub struct EgressClient {
    shared: Arc<Shared>,
}

struct Shared {
    rule: Arc<EgressRule>,
    pooled: Pool,
    /// Without idle connections, for the second attempt.
    fresh: Pool,
}

impl EgressClient {
    /// A client that goes where the rule allows. It works without any certificate store, for http at least.
    pub fn new(rule: EgressRule) -> Self {
        Self::with(rule, tls::trusted_roots(), Resolver::new())
    }

    pub(super) fn with(rule: EgressRule, roots: RootCertStore, resolver: Resolver) -> Self {
        let rule = Arc::new(rule);
        let dialer = Dialer::new(Arc::clone(&rule), Arc::new(resolver));
        let connector = Connector::new(dialer, tls::client_config(roots));
        let pooled = pool(connector.clone(), IDLE_PER_HOST_MAX);
        Self { shared: Arc::new(Shared { rule, pooled, fresh: pool(connector, 0) }) }
    }

    /// Sends a request, follows redirects and reads the answer.
    pub async fn send(&self, request: &OutboundRequest, deadline: Instant) -> Result<UpstreamResponse, EgressError> {
        timeout_at(deadline, self.shared.follow(request)).await.unwrap_or(Err(EgressError::Timeout))
    }
}

impl Shared {
    async fn follow(&self, request: &OutboundRequest) -> Result<UpstreamResponse, EgressError> {
        let mut hop = Hop::first(request)?;
        for _ in 0..=REDIRECTS_MAX {
            let response = self.exchange(&hop).await?;
            match hop.next(response.status(), response.headers())? {
                Some(next) => hop = next,
                None => return body::read(&hop.method, response).await,
            }
        }
        Err(BadRedirect::TooMany.into())
    }

    /// One request and the head of its answer. The guard is asked here too, and not only by the dialer: a pooled
    /// connection needs no dialling.
    async fn exchange(&self, hop: &Hop<'_>) -> Result<Response<Incoming>, EgressError> {
        hop.destination.check(&self.rule)?;
        let answer = match self.pooled.request(hop.message()).await {
            Err(error) if is_repeatable(&hop.method) && went_stale(&error) => self.fresh.request(hop.message()).await,
            answer => answer,
        };
        let response = answer.map_err(|error| EgressError::without_head(&error))?;
        History::record_answer(response.extensions());
        if response.headers().len() > HEADERS_MAX {
            return Err(EgressError::HeadTooLarge);
        }
        if response.status().is_informational() {
            return Err(BrokenAnswer::NotHttp.into()); // 101 to a request that asked for no other protocol
        }
        if has_two_ends(response.headers()) {
            return Err(BrokenAnswer::NotHttp.into());
        }
        Ok(response)
    }
}

/// RFC 9112, section 6.3: an answer in chunks that also tells its length is how one answer is made to look like two
/// to somebody on the way. hyper would go by the chunks.
fn has_two_ends(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING) && headers.contains_key(CONTENT_LENGTH)
}

/// Whether the connection had carried answers before and ended without one to this request. What was never written
/// is repeated by the pool itself; this is for requests that crossed the closing on their way.
fn went_stale(error: &Error) -> bool {
    let cut = |error: &hyper::Error| !error.is_parse() && !error.is_user();
    error.connect_info().is_some_and(History::has_answered) && find::<hyper::Error>(error).is_some_and(cut)
}

fn pool(connector: Connector, idle_max: usize) -> Pool {
    let mut builder = Client::builder(TokioExecutor::new());
    builder.timer(TokioTimer::new()).pool_timer(TokioTimer::new());
    builder.pool_max_idle_per_host(idle_max).pool_idle_timeout(IDLE_FOR);
    builder.http1_max_buf_size(HEAD_MAX).http1_max_headers(HEADERS_MAX);
    builder.http2_max_header_list_size(u32::try_from(HEAD_MAX).unwrap_or(u32::MAX));
    builder.http2_keep_alive_interval(PING_AFTER).http2_keep_alive_timeout(PING_AFTER);
    builder.build(connector)
}
