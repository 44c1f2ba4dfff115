//! Tests of the client with misbehaving upstreams on loopback. These tests make no other connections or DNS lookups.

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

use super::client::EgressClient;
use super::error::{BrokenResponse, EgressError};
use super::guard::rule::EgressRule;
use super::message::{OutboundRequest, UpstreamResponse};
use super::resolver::Resolver;
use upstream::ScriptedUpstream;

/// A deadline that is late enough for a request that succeeds, even on a busy machine.
fn generous_deadline() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn rule(text: &str) -> EgressRule {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// A client without the system's certificates, which are slow to load.
fn client(allowed: &str) -> EgressClient {
    EgressClient::with_parts(rule(allowed), RootCertStore::empty(), Resolver::new())
}

/// A client whose resolver has these addresses for one name.
fn client_with_name(allowed: &str, name: &str, addresses: &[&str]) -> EgressClient {
    let addresses: Vec<IpAddr> = addresses.iter().map(|address| address.parse().unwrap()).collect();
    let resolver = Resolver::new();
    resolver.insert(name, &addresses);
    EgressClient::with_parts(rule(allowed), RootCertStore::empty(), resolver)
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

/// The result of the client for one scripted reply.
async fn response_to(reply: &[u8]) -> Result<UpstreamResponse, EgressError> {
    let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
    let (request, deadline) = (get(&upstream.url("/")), generous_deadline());
    let (response, ()) = tokio::join!(client.send(&request, deadline), async {
        let mut connection = upstream.accept().await;
        connection.read_request().await;
        connection.reply(reply).await;
    });
    response
}

fn broken(problem: BrokenResponse) -> EgressError {
    problem.into()
}
