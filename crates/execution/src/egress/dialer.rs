//! Opens sockets, only to addresses that the guard has just accepted: a name is resolved once, all its addresses must
//! be allowed, and the checked addresses are the dialled ones. Proxy settings of the environment are ignored, because
//! behind a proxy the dialled address is unknown.

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use toolgate_domain::host::is_localhost;
use tower::Service;
use url::Host;

use super::error::EgressError;
use super::guard::rule::EgressRule;
use super::origin::UpstreamOrigin;
use super::resolver::Resolver;
use super::socket::UpstreamSocket;

/// Timeout for opening a connection, with its TLS handshake.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum number of addresses that are dialled for one name. The guard checks the others as well.
const ATTEMPTS_MAX: usize = 6;

/// Resolves a name, checks its addresses and dials them.
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
        let origin = UpstreamOrigin::from_uri(uri)?;
        let addresses = self.addresses(&origin).await?;
        let result = connect_first(&addresses, origin.port, started + CONNECT_TIMEOUT).await;
        if let (Err(_), Host::Domain(name)) = (&result, &origin.host) {
            self.resolver.invalidate(name);
        }
        result.map(UpstreamSocket::new)
    }

    /// The addresses to dial for an origin; never empty.
    async fn addresses(&self, origin: &UpstreamOrigin) -> Result<Vec<IpAddr>, EgressError> {
        origin.check(&self.rule)?;
        match &origin.host {
            Host::Ipv4(address) => Ok(vec![(*address).into()]),
            Host::Ipv6(address) => Ok(vec![(*address).into()]),
            Host::Domain(name) if is_localhost(name) => Ok(self.localhost_addresses(name, origin.port)),
            Host::Domain(name) => {
                let addresses = self.resolver.resolve(name).await?;
                // DNS rebinding: a name with one forbidden address among allowed ones is refused as a whole.
                addresses.iter().try_for_each(|&address| self.rule.check_address(name, address, origin.port))?;
                Ok(addresses.iter().copied().take(ATTEMPTS_MAX).collect())
            }
        }
    }

    /// localhost names are not resolved. If the rule allows only one address family, only that one is returned.
    fn localhost_addresses(&self, name: &str, port: u16) -> Vec<IpAddr> {
        let both = [IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST)];
        both.into_iter().filter(|&address| self.rule.check_address(name, address, port).is_ok()).collect()
    }
}

/// Tries the addresses in order. Each gets an equal share of the remaining time, so that an address that drops packets
/// does not use up the time of the others.
async fn connect_first(addresses: &[IpAddr], port: u16, deadline: Instant) -> Result<TcpStream, EgressError> {
    let mut failure = EgressError::Dns;
    for (tried, &address) in addresses.iter().enumerate() {
        let remaining = u32::try_from(addresses.len() - tried).unwrap_or(u32::MAX);
        let share = deadline.saturating_duration_since(Instant::now()) / remaining;
        match timeout(share, TcpStream::connect(SocketAddr::new(address, port))).await {
            Ok(Ok(stream)) => {
                // A request is written in one piece, so Nagle's algorithm would only delay it.
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
    use super::super::guard::Blocked;
    use super::super::guard::ranges::AddressRange;
    use super::*;

    /// The addresses that would be dialled; no connection is made.
    async fn addresses(allowed: &str, records: &[&str]) -> Result<Vec<IpAddr>, EgressError> {
        let resolver = Resolver::new();
        let records: Vec<IpAddr> = records.iter().map(|address| address.parse().unwrap()).collect();
        resolver.insert("name.test", &records);
        let dialer = Dialer::new(Arc::new(allowed.parse().unwrap()), Arc::new(resolver));
        dialer.addresses(&UpstreamOrigin::from_uri(&Uri::from_static("http://name.test:8080/")).unwrap()).await
    }

    async fn refused_range(allowed: &str, records: &[&str]) -> AddressRange {
        match addresses(allowed, records).await {
            Err(EgressError::Blocked(Blocked::NotAllowed { range, .. } | Blocked::Never { range, .. })) => range,
            other => panic!("no address was refused: {other:?}"),
        }
    }

    #[tokio::test]
    async fn all_addresses_of_a_name_must_be_allowed() {
        assert_eq!(addresses("", &["1.1.1.1", "2606:4700::1111"]).await.unwrap().len(), 2);
        assert_eq!(refused_range("", &["1.1.1.1", "10.0.0.1"]).await, AddressRange::Private);
        assert_eq!(refused_range("", &["::ffff:127.0.0.1", "1.1.1.1"]).await, AddressRange::Loopback);
        assert_eq!(refused_range("loopback:80", &["127.0.0.1"]).await, AddressRange::Loopback);
        assert_eq!(refused_range("name.test loopback private", &["169.254.169.254"]).await, AddressRange::Metadata);
        assert_eq!(addresses("name.test", &["10.0.0.1", "127.0.0.1"]).await.unwrap().len(), 2);
    }

    #[tokio::test]
    async fn addresses_beyond_the_dialled_ones_are_checked_too() {
        let many: Vec<String> = (1..=9).map(|last| format!("1.1.1.{last}")).collect();
        let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(addresses("", &many).await.unwrap().len(), ATTEMPTS_MAX);
        many.push("192.168.0.1");
        assert_eq!(refused_range("", &many).await, AddressRange::Private);
    }
}
