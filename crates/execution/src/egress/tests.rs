//! The client against upstreams on loopback that do what no decent one does. Nothing here dials or asks further.

mod bodies;
mod connections;
mod heads;
mod redirects;
mod refusals;
mod requests;
mod secure;
mod upstream;

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use rustls::RootCertStore;
use tokio::time::Instant;

use super::resolver::Resolver;
use super::{BrokenAnswer, EgressClient, EgressError, EgressRule, OutboundRequest, UpstreamResponse};
use upstream::Upstream;

/// Long enough for what succeeds, however busy the machine is.
fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn rule(text: &str) -> EgressRule {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Without the system's certificates, which take their time to load.
fn client(allowed: &str) -> EgressClient {
    EgressClient::with(rule(allowed), RootCertStore::empty(), Resolver::new())
}

/// A client that knows where one name leads.
fn client_with_name(allowed: &str, name: &str, addresses: &[&str]) -> EgressClient {
    let addresses: Vec<IpAddr> = addresses.iter().map(|address| address.parse().unwrap()).collect();
    let resolver = Resolver::new();
    resolver.remember(name, &addresses);
    EgressClient::with(rule(allowed), RootCertStore::empty(), resolver)
}

fn request(method: Method, url: &str) -> OutboundRequest {
    let uri = url.parse().unwrap_or_else(|error| panic!("{url}: {error}"));
    OutboundRequest { method, uri, headers: HeaderMap::new(), body: Bytes::new() }
}

fn get(url: &str) -> OutboundRequest {
    request(Method::GET, url)
}

fn post(url: &str, body: &'static str) -> OutboundRequest {
    let request = OutboundRequest { body: body.into(), ..request(Method::POST, url) };
    with_header(request, "content-type", "text/plain")
}

fn with_header(mut request: OutboundRequest, name: &'static str, value: &'static str) -> OutboundRequest {
    request.headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
    request
}

/// What a client makes of one answer.
async fn answer(reply: &[u8]) -> Result<UpstreamResponse, EgressError> {
    let (client, upstream) = (client("loopback"), Upstream::new());
    let (request, deadline) = (get(&upstream.url("/")), soon());
    let (answer, ()) = tokio::join!(client.send(&request, deadline), async {
        let mut peer = upstream.accept().await;
        peer.request().await;
        peer.reply(reply).await;
    });
    answer
}

fn broken(how: BrokenAnswer) -> EgressError {
    how.into()
}
