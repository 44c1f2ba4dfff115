//! Opens sockets, and only to addresses that the guard has just passed: a name is resolved once, all its addresses
//! must be allowed, and what was checked is what is dialled. Proxies of the environment are not looked at, for
//! behind one nobody knows what is dialled.

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::Uri;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use toolgate_domain::host::is_localhost;
use tower::Service;
use url::Host;

use super::connection::UpstreamSocket;
use super::connector::CONNECT_MAX;
use super::destination::Destination;
use super::error::EgressError;
use super::guard::EgressRule;
use super::resolver::Resolver;

/// More addresses of a name than this are checked, but not tried.
const ATTEMPTS_MAX: usize = 6;

/// Resolves, asks the guard, dials.
#[derive(Clone)]
pub(super) struct Dialer {
    rule: Arc<EgressRule>,
    resolver: Arc<Resolver>,
}

impl Dialer {
    pub(super) fn new(rule: Arc<EgressRule>, resolver: Arc<Resolver>) -> Self {
        Self { rule, resolver }
    }

    async fn dial(&self, uri: &Uri) -> Result<UpstreamSocket, EgressError> {
        let started = Instant::now();
        let destination = Destination::of(uri)?;
        let addresses = self.addresses(&destination).await?;
        let dialled = first_answering(&addresses, destination.port, started + CONNECT_MAX).await;
        if let (Err(_), Host::Domain(name)) = (&dialled, &destination.host) {
            self.resolver.forget(name);
        }
        dialled.map(UpstreamSocket::new)
    }

    /// What may be dialled for a destination; never empty.
    async fn addresses(&self, destination: &Destination) -> Result<Vec<IpAddr>, EgressError> {
        destination.check(&self.rule)?;
        match &destination.host {
            Host::Ipv4(address) => Ok(vec![(*address).into()]),
            Host::Ipv6(address) => Ok(vec![(*address).into()]),
            Host::Domain(name) if is_localhost(name) => Ok(self.localhost(name, destination.port)),
            Host::Domain(name) => {
                let addresses = self.resolver.resolve(name).await?;
                // One bad address among good ones is how a name is made to lead elsewhere on the next attempt.
                addresses.iter().try_for_each(|&address| self.rule.check_address(name, address, destination.port))?;
                Ok(addresses.iter().copied().take(ATTEMPTS_MAX).collect())
            }
        }
    }

    /// These names are not resolved; where the rule allows one family only, that one is meant.
    fn localhost(&self, name: &str, port: u16) -> Vec<IpAddr> {
        let both = [IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST)];
        both.into_iter().filter(|&address| self.rule.check_address(name, address, port).is_ok()).collect()
    }
}

/// Tries one address after the other. Each has its share of the time that is left, so that one which swallows
/// packets does not use up the others' chance.
async fn first_answering(addresses: &[IpAddr], port: u16, until: Instant) -> Result<TcpStream, EgressError> {
    let mut failure = EgressError::Dns;
    for (tried, &address) in addresses.iter().enumerate() {
        let left = u32::try_from(addresses.len() - tried).unwrap_or(u32::MAX);
        let share = until.saturating_duration_since(Instant::now()) / left;
        match timeout(share, TcpStream::connect(SocketAddr::new(address, port))).await {
            Ok(Ok(stream)) => {
                // Requests are written whole; waiting for more to send would only delay them.
                stream.set_nodelay(true).map_err(|_| EgressError::Unreachable)?;
                return Ok(stream);
            }
            Ok(Err(error)) if error.kind() == io::ErrorKind::ConnectionRefused => failure = EgressError::Refused,
            Ok(Err(_)) | Err(_) => failure = EgressError::Unreachable,
        }
    }
    Err(failure)
}

impl Service<Uri> for Dialer {
    type Response = UpstreamSocket;
    type Error = EgressError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let dialer = self.clone();
        Box::pin(async move { dialer.dial(&uri).await })
    }
}

#[cfg(test)]
mod tests {
    use super::super::guard::{Blocked, Range};
    use super::*;

    /// What would be dialled; nothing is.
    async fn addresses(allowed: &str, found: &[&str]) -> Result<Vec<IpAddr>, EgressError> {
        let resolver = Resolver::new();
        let found: Vec<IpAddr> = found.iter().map(|address| address.parse().unwrap()).collect();
        resolver.remember("name.test", &found);
        let dialer = Dialer::new(Arc::new(allowed.parse().unwrap()), Arc::new(resolver));
        dialer.addresses(&Destination::of(&Uri::from_static("http://name.test:8080/")).unwrap()).await
    }

    async fn refused(allowed: &str, found: &[&str]) -> Range {
        match addresses(allowed, found).await {
            Err(EgressError::Blocked(Blocked::NotAllowed { range, .. } | Blocked::Never { range, .. })) => range,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn all_addresses_of_a_name_have_to_be_allowed() {
        assert_eq!(addresses("", &["1.1.1.1", "2606:4700::1111"]).await.unwrap().len(), 2);
        assert_eq!(refused("", &["1.1.1.1", "10.0.0.1"]).await, Range::Private);
        assert_eq!(refused("", &["::ffff:127.0.0.1", "1.1.1.1"]).await, Range::Loopback);
        assert_eq!(refused("loopback:80", &["127.0.0.1"]).await, Range::Loopback);
        assert_eq!(refused("name.test loopback private", &["169.254.169.254"]).await, Range::Metadata);
        assert_eq!(addresses("name.test", &["10.0.0.1", "127.0.0.1"]).await.unwrap().len(), 2);
    }

    #[tokio::test]
    async fn an_address_beyond_those_tried_is_checked_too() {
        let many: Vec<String> = (1..=9).map(|last| format!("1.1.1.{last}")).collect();
        let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(addresses("", &many).await.unwrap().len(), ATTEMPTS_MAX);
        many.push("192.168.0.1");
        assert_eq!(refused("", &many).await, Range::Private);
    }
}
