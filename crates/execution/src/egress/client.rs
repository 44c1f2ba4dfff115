//! The client: one request in, one whole answer out, within a deadline that covers everything from the lookup of
//! the name to the last byte.

use std::pin::{Pin, pin};
use std::sync::Arc;

use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, Response};
use hyper::body::Incoming;
use rustls::RootCertStore;
use tokio::time::{Instant, timeout_at};

use super::body;
use super::connector::Connector;
use super::dialer::Dialer;
use super::error::{BrokenAnswer, EgressError};
use super::guard::EgressRule;
use super::hop::Hop;
use super::line::{Line, Unanswered};
use super::message::{OutboundRequest, UpstreamResponse, is_repeatable};
use super::pool::{HEADERS_MAX, Pool};
use super::redirect::{BadRedirect, REDIRECTS_MAX};
use super::resolver::Resolver;
use super::tls;

/// Sends requests to upstreams. One for the whole process: it holds the connections. Clones share them.
#[derive(Clone)]
pub struct EgressClient {
    shared: Arc<Shared>,
}

/// A connection, and the head of an answer on it.
type Answered = Result<(Line, Response<Incoming>), EgressError>;

struct Shared {
    rule: Arc<EgressRule>,
    pool: Pool,
}

impl EgressClient {
    /// A client that goes where the rule allows. It works without any certificate store, for http at least.
    pub fn new(rule: EgressRule) -> Self {
        Self::with(rule, tls::trusted_roots(), Resolver::new())
    }

    pub(super) fn with(rule: EgressRule, roots: RootCertStore, resolver: Resolver) -> Self {
        let rule = Arc::new(rule);
        let dialer = Dialer::new(Arc::clone(&rule), Arc::new(resolver));
        let pool = Pool::new(Connector::new(dialer, tls::client_config(roots)));
        Self { shared: Arc::new(Shared { rule, pool }) }
    }

    /// How many connections wait with this thread.
    #[cfg(test)]
    pub(super) fn waiting_here(&self) -> usize {
        self.shared.pool.waiting_here()
    }

    /// Sends a request, follows redirects and reads the answer.
    pub async fn send(&self, request: &OutboundRequest, deadline: Instant) -> Result<UpstreamResponse, EgressError> {
        timeout_at(deadline, self.send_untimed(request)).await.unwrap_or(Err(EgressError::Timeout))
    }

    /// The same for somebody who keeps the time: it may take for ever.
    pub(crate) async fn send_untimed(&self, request: &OutboundRequest) -> Result<UpstreamResponse, EgressError> {
        self.shared.follow(request).await
    }
}

impl Shared {
    async fn follow(&self, request: &OutboundRequest) -> Result<UpstreamResponse, EgressError> {
        let mut hop = Hop::first(request)?;
        for _ in 0..=REDIRECTS_MAX {
            let (mut line, response) = self.exchange(&hop).await?;
            let Some(next) = hop.next(response.status(), response.headers())? else {
                let answer = line.drive(pin!(body::read(&hop.method, response))).await?;
                self.pool.keep(&hop.destination, line);
                return Ok(answer);
            };
            hop = next;
        }
        Err(BadRedirect::TooMany.into())
    }

    /// One request and the head of its answer. The guard is asked here too, and not only by the dialer: a kept
    /// connection needs no dialling.
    async fn exchange(&self, hop: &Hop<'_>) -> Answered {
        hop.destination.check(&self.rule)?;
        let (line, response) = match self.over_kept(hop).await? {
            Some(answered) => answered,
            None => self.over_new(hop).await?,
        };
        if response.headers().len() > HEADERS_MAX {
            return Err(EgressError::HeadTooLarge);
        }
        if response.status().is_informational() {
            return Err(BrokenAnswer::NotHttp.into()); // 101 to a request that asked for no other protocol
        }
        if has_two_ends(response.headers()) {
            return Err(BrokenAnswer::NotHttp.into());
        }
        Ok((line, response))
    }

    /// Over connections that were in use before; none where there is none, or where the request has to be repeated.
    async fn over_kept(&self, hop: &Hop<'_>) -> Result<Option<(Line, Response<Incoming>)>, EgressError> {
        while let Some(mut line) = self.pool.take(&hop.destination) {
            match line.send(hop.message(&line)).await {
                Ok(response) => return Ok(Some((line, response))),
                Err(unanswered) if unanswered.is_unsent => {}
                Err(unanswered) if is_repeatable(&hop.method) && went_stale(&unanswered) => return Ok(None),
                Err(unanswered) => return Err(EgressError::without_head(&unanswered.error)),
            }
        }
        Ok(None)
    }

    /// Boxed, for it is seldom and large; and without its type, which would go through all of hyper, TLS and HTTP/2.
    fn over_new<'a>(&'a self, hop: &'a Hop<'_>) -> Pin<Box<dyn Future<Output = Answered> + Send + 'a>> {
        Box::pin(async {
            let mut line = self.pool.open(hop).await?;
            let answered = line.send(hop.message(&line)).await;
            let response = answered.map_err(|unanswered| EgressError::without_head(&unanswered.error))?;
            Ok((line, response))
        })
    }
}

/// RFC 9112, section 6.3: an answer in chunks that also tells its length is how one answer is made to look like two
/// to somebody on the way. hyper would go by the chunks.
fn has_two_ends(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING) && headers.contains_key(CONTENT_LENGTH)
}

/// Whether a connection that was in use before ended without an answer to this request, which crossed the closing on its
/// way.
fn went_stale(unanswered: &Unanswered) -> bool {
    !unanswered.error.is_parse() && !unanswered.error.is_user()
}
