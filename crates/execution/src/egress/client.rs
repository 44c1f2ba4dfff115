//! The egress client: sends one request and returns one complete response, within a deadline that covers everything
//! from the DNS lookup to the last byte.

use std::pin::{Pin, pin};
use std::sync::Arc;

use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, Response};
use hyper::body::Incoming;
use rustls::RootCertStore;
use tokio::time::{Instant, timeout_at};

use super::bad_redirect::BadRedirect;
use super::body;
use super::connector::Connector;
use super::dialer::Dialer;
use super::error::{BrokenResponse, EgressError};
use super::guard::rule::EgressRule;
use super::hop::Hop;
use super::message::{OutboundRequest, RESPONSE_BYTES_MAX, ResponseLimits, UpstreamResponse, is_idempotent};
use super::pool::{HEADERS_MAX, Pool};
use super::redirect::REDIRECTS_MAX;
use super::resolver::Resolver;
use super::tls;
use super::upstream_connection::{SendFailure, UpstreamConnection};

/// Sends requests to upstreams. Use one per process: it owns the connection pool. Clones share the pool.
#[derive(Clone)]
pub struct EgressClient {
    rule: Arc<EgressRule>,
    pool: Pool,
}

/// The limits of the response to a call.
const CALL_LIMITS: ResponseLimits = ResponseLimits { redirects_max: REDIRECTS_MAX, bytes_max: RESPONSE_BYTES_MAX };

/// A response head, and the connection that the body arrives on.
type HeadResult = Result<(UpstreamConnection, Response<Incoming>), EgressError>;

impl EgressClient {
    /// A client that connects to the destinations that the rule allows. Plain http works without a certificate store.
    pub fn new(rule: EgressRule) -> Self {
        Self::with_parts(rule, tls::trusted_roots(), Resolver::new())
    }

    pub(super) fn with_parts(rule: EgressRule, roots: RootCertStore, resolver: Resolver) -> Self {
        let rule = Arc::new(rule);
        let dialer = Dialer::new(Arc::clone(&rule), Arc::new(resolver));
        let pool = Pool::new(Connector::new(dialer, tls::client_config(roots)));
        Self { rule, pool }
    }

    /// How many idle connections this thread's shard holds.
    #[cfg(test)]
    pub(super) fn idle_count_on_this_thread(&self) -> usize {
        self.pool.idle_count_on_this_thread()
    }

    /// Sends a request, follows redirects and reads the response.
    pub async fn send(&self, request: &OutboundRequest, deadline: Instant) -> Result<UpstreamResponse, EgressError> {
        timeout_at(deadline, self.send_without_deadline(request)).await.unwrap_or(Err(EgressError::Timeout))
    }

    /// Like [`Self::send`], with other limits for the response.
    pub(crate) async fn send_with_limits(
        &self,
        request: &OutboundRequest,
        deadline: Instant,
        limits: ResponseLimits,
    ) -> Result<UpstreamResponse, EgressError> {
        timeout_at(deadline, self.follow(request, limits)).await.unwrap_or(Err(EgressError::Timeout))
    }

    /// Like [`Self::send`], for callers that enforce the deadline themselves. The future may never complete.
    pub(crate) async fn send_without_deadline(
        &self,
        request: &OutboundRequest,
    ) -> Result<UpstreamResponse, EgressError> {
        self.follow(request, CALL_LIMITS).await
    }

    async fn follow(&self, request: &OutboundRequest, limits: ResponseLimits) -> Result<UpstreamResponse, EgressError> {
        let mut hop = Hop::first(request)?;
        for _ in 0..=limits.redirects_max {
            let (mut connection, head) = self.send_hop(&hop).await?;
            let Some(next) = hop.next(head.status(), head.headers())? else {
                let response = connection.drive(pin!(body::read(&hop.method, head, limits.bytes_max))).await?;
                self.pool.release(&hop.origin, connection);
                return Ok(response);
            };
            hop = next;
        }
        Err(BadRedirect::TooMany.into())
    }

    /// Sends one request and waits for the response head. The guard checks the destination here too, not only in the
    /// dialer: a pooled connection is not dialled again.
    async fn send_hop(&self, hop: &Hop<'_>) -> HeadResult {
        hop.origin.check(&self.rule)?;
        let (connection, head) = match self.send_on_pooled_connection(hop).await? {
            Some(result) => result,
            None => self.send_on_new_connection(hop).await?,
        };
        if head.headers().len() > HEADERS_MAX {
            return Err(EgressError::HeadTooLarge);
        }
        if head.status().is_informational() {
            return Err(BrokenResponse::NotHttp.into()); // 101, although no upgrade was requested
        }
        if has_conflicting_framing(head.headers()) {
            return Err(BrokenResponse::NotHttp.into());
        }
        Ok((connection, head))
    }

    /// Tries the pooled connections. `None` if no connection is left, or if the request must be repeated on a new
    /// connection.
    async fn send_on_pooled_connection(
        &self,
        hop: &Hop<'_>,
    ) -> Result<Option<(UpstreamConnection, Response<Incoming>)>, EgressError> {
        while let Some(mut connection) = self.pool.take(&hop.origin) {
            match connection.send(hop.message(&connection)).await {
                Ok(head) => return Ok(Some((connection, head))),
                Err(failure) if failure.is_unsent => {}
                Err(failure) if is_idempotent(&hop.method) && is_stale(&failure) => return Ok(None),
                Err(failure) => return Err(EgressError::from_head_error(&failure.error)),
            }
        }
        Ok(None)
    }

    /// Sends the request on a new connection. The future is boxed because it is rare and large, and type-erased because
    /// its type would contain all of hyper, TLS and HTTP/2.
    fn send_on_new_connection<'a>(&'a self, hop: &'a Hop<'_>) -> Pin<Box<dyn Future<Output = HeadResult> + Send + 'a>> {
        Box::pin(async {
            let mut connection = self.pool.open(hop).await?;
            let sent = connection.send(hop.message(&connection)).await;
            let head = sent.map_err(|failure| EgressError::from_head_error(&failure.error))?;
            Ok((connection, head))
        })
    }
}

/// RFC 9112, section 6.3: a response with both Transfer-Encoding and Content-Length may be an attempt at response
/// splitting. hyper would accept it and use the chunked framing.
fn has_conflicting_framing(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING) && headers.contains_key(CONTENT_LENGTH)
}

/// Whether the upstream probably closed the pooled connection while the request was sent.
fn is_stale(failure: &SendFailure) -> bool {
    !failure.error.is_parse() && !failure.error.is_user()
}
