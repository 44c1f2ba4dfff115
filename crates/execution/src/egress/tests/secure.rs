//! Tests of TLS: which upstreams are trusted, and HTTP/2 negotiation.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, Version};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;
use toolgate_testkit::test_certificate;

use super::super::tls::TlsFault;
use super::*;

fn certificate() -> CertificateDer<'static> {
    test_certificate::certificate_der().into()
}

fn acceptor(protocols: &[&str]) -> TlsAcceptor {
    let key = PrivateKeyDer::Pkcs8(test_certificate::private_key_der().into());
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let mut config = builder.with_single_cert(vec![certificate()], key).unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    TlsAcceptor::from(Arc::new(config))
}

fn client(is_trusted: bool) -> EgressClient {
    let mut roots = RootCertStore::empty();
    if is_trusted {
        roots.add(certificate()).unwrap();
    }
    let resolver = Resolver::new();
    for name in ["upstream.test", "other.test"] {
        resolver.insert(name, &["127.0.0.1".parse().unwrap()]);
    }
    EgressClient::with_parts(rule("loopback"), roots, resolver)
}

async fn report_version(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let host = request.headers().get("host").and_then(|host| host.to_str().ok()).or(request.uri().host());
    Ok(Response::new(format!("{:?} {}", request.version(), host.unwrap_or_default()).into()))
}

/// Serves one connection; a failed handshake ends it.
async fn serve(upstream: &ScriptedUpstream, protocols: &[&str]) {
    let Ok(stream) = acceptor(protocols).accept(upstream.accept().await.stream).await else { return };
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let stream = TokioIo::new(stream);
    if is_http2 {
        let _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
            .serve_connection(stream, service_fn(report_version))
            .await;
    } else {
        let _ = hyper::server::conn::http1::Builder::new().serve_connection(stream, service_fn(report_version)).await;
    }
}

/// Sends two requests to `host` over the only connection that is accepted. Returns the second response, or the first
/// error.
async fn send_twice(client: EgressClient, host: &str, protocols: &[&str]) -> Result<UpstreamResponse, EgressError> {
    let upstream = ScriptedUpstream::new();
    let request = get(&format!("https://{host}:{}/", upstream.port()));
    let requests = async {
        client.send(&request, generous_deadline()).await?;
        client.send(&request, generous_deadline()).await
    };
    tokio::select! {
        response = requests => response,
        () = async { serve(&upstream, protocols).await; std::future::pending().await } => unreachable!(),
    }
}

#[tokio::test]
async fn a_trusted_upstream_is_called_with_the_best_protocol_it_offers() {
    for (protocols, version) in
        [(&["h2", "http/1.1"][..], Version::HTTP_2), (&["http/1.1"], Version::HTTP_11), (&[], Version::HTTP_11)]
    {
        for host in ["upstream.test", "127.0.0.1", "0x7f.1"] {
            let body = send_twice(client(true), host, protocols).await.unwrap().body;
            let text = std::str::from_utf8(&body).unwrap();
            let name = if host == "upstream.test" { host } else { "127.0.0.1" };
            assert!(text.starts_with(&format!("{version:?} {name}")), "{text}");
        }
    }
}

#[tokio::test]
async fn unknown_issuers_and_wrong_names_are_not_trusted() {
    let unknown_issuer = send_twice(client(false), "upstream.test", &[]).await.unwrap_err();
    assert_eq!(unknown_issuer, EgressError::Tls(TlsFault::UnknownIssuer));
    let wrong_name = send_twice(client(true), "other.test", &[]).await.unwrap_err();
    assert_eq!(wrong_name, EgressError::Tls(TlsFault::WrongName));
    assert_eq!(wrong_name.reason(), toolgate_domain::call::FailureReason::Tls);
}

#[tokio::test]
async fn a_plain_text_port_fails_the_handshake() {
    for reply in ["HTTP/1.1 400 Bad Request\r\n\r\n", ""] {
        let (client, upstream, deadline) = (client(true), ScriptedUpstream::new(), generous_deadline());
        let request = get(&format!("https://127.0.0.1:{}/", upstream.port()));
        let (response, ()) = tokio::join!(client.send(&request, deadline), async {
            upstream.accept().await.reply(reply.as_bytes()).await;
        });
        assert_eq!(response.unwrap_err(), EgressError::Tls(TlsFault::Handshake));
    }
}

#[tokio::test]
async fn a_handshake_without_a_response_ends_at_the_deadline() {
    let (client, upstream) = (client(true), ScriptedUpstream::new());
    let request = get(&format!("https://127.0.0.1:{}/", upstream.port()));
    let deadline = Instant::now() + Duration::from_millis(200);
    let (response, ()) = tokio::join!(client.send(&request, deadline), async {
        upstream.accept().await.wait_for_close().await;
    });
    assert_eq!(response.unwrap_err(), EgressError::Timeout);
}
