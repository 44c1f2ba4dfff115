//! Tests with hosts on loopback that end the connection before TLS. No other address is dialled.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};
use tokio::net::TcpListener;

use super::*;
use crate::egress::error::EgressError;
use crate::egress::guard::{AddressRange, Blocked};

/// A host that counts connections and closes each of them.
async fn closing_host() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, connections) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&connections);
    tokio_util::task::TaskTracker::new().spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            drop(stream);
        }
    });
    (port, connections)
}

fn range(error: &MetadataError) -> Option<AddressRange> {
    match error {
        MetadataError::Fetch(SmallDocumentError::Egress(EgressError::Blocked(
            Blocked::NotAllowed { range, .. } | Blocked::Never { range, .. },
        ))) => Some(*range),
        _ => None,
    }
}

#[tokio::test]
async fn only_public_addresses_are_dialled() {
    let (port, connections) = closing_host().await;
    let client = MetadataClient::new(false);
    for (url, expected) in [
        (format!("https://127.0.0.1:{port}/c"), AddressRange::Loopback),
        (format!("https://localhost:{port}/c"), AddressRange::Loopback),
        (format!("https://[::ffff:127.0.0.1]:{port}/c"), AddressRange::Loopback),
        (format!("https://2130706433:{port}/c"), AddressRange::Loopback),
        ("https://10.0.0.1/c".to_owned(), AddressRange::Private),
        ("https://192.168.1.1/c".to_owned(), AddressRange::Private),
        ("https://[fd00::1]/c".to_owned(), AddressRange::Private),
        ("https://169.254.169.254/latest/meta-data".to_owned(), AddressRange::Metadata),
        ("https://100.64.0.1/c".to_owned(), AddressRange::Shared),
        ("https://0.0.0.0/c".to_owned(), AddressRange::Unspecified),
    ] {
        assert_eq!(range(&client.fetch(&url).await.unwrap_err()), Some(expected), "{url}");
    }
    assert_eq!(connections.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn loopback_is_dialled_if_it_is_allowed_but_other_addresses_must_be_public() {
    let (port, connections) = closing_host().await;
    let client = MetadataClient::new(true);
    let error = client.fetch(&format!("https://127.0.0.1:{port}/c")).await.unwrap_err();
    assert!(matches!(error, MetadataError::Fetch(SmallDocumentError::Egress(EgressError::Tls(_)))), "{error:?}");
    assert_eq!(connections.load(Ordering::SeqCst), 1);
    for (url, expected) in [
        ("https://10.0.0.1/c", AddressRange::Private),
        ("https://169.254.169.254/c", AddressRange::Metadata),
        ("https://169.254.1.1/c", AddressRange::LinkLocal),
    ] {
        assert_eq!(range(&client.fetch(url).await.unwrap_err()), Some(expected), "{url}");
    }
}

#[tokio::test]
async fn addresses_that_are_not_https_urls_are_refused() {
    let client = MetadataClient::new(true);
    for url in ["http://127.0.0.1:1/c", "ftp://a.example/", "file:///etc/passwd", "https://", "", "a.example/c"] {
        assert_eq!(client.fetch(url).await, Err(MetadataError::BadAddress), "{url}");
    }
}

#[tokio::test]
async fn at_most_ten_documents_of_a_host_are_fetched_in_a_minute() {
    let (port, connections) = closing_host().await;
    let client = MetadataClient::new(true);
    for number in 0..10 {
        let error = client.fetch(&format!("https://127.0.0.1:{port}/{number}")).await.unwrap_err();
        assert!(matches!(error, MetadataError::Fetch(_)), "{error:?}");
    }
    assert_eq!(client.fetch(&format!("https://127.0.0.1:{port}/more")).await, Err(MetadataError::TooMany));
    assert_eq!(connections.load(Ordering::SeqCst), 10);
    let other = client.fetch("https://127.0.0.2:1/c").await.unwrap_err();
    assert!(matches!(other, MetadataError::Fetch(_)), "another host has its own limit: {other:?}");
}

#[tokio::test]
async fn concurrent_fetches_of_one_url_are_one_request() {
    let (port, connections) = closing_host().await;
    let client = MetadataClient::new(true);
    let url = format!("https://127.0.0.1:{port}/c");
    let (one, other, third) = tokio::join!(client.fetch(&url), client.fetch(&url), client.fetch(&url));
    assert!(one.is_err() && one == other && one == third, "{one:?} {other:?} {third:?}");
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

#[test]
fn only_a_json_response_is_accepted_as_a_document() {
    let response = |content_type: &'static str| UpstreamResponse {
        status: StatusCode::OK,
        headers: HeaderMap::from_iter([
            (CONTENT_TYPE, HeaderValue::from_static(content_type)),
            (CACHE_CONTROL, HeaderValue::from_static("max-age=600")),
        ]),
        body: Bytes::from_static(b"{}"),
        sent_tokens: Vec::new(),
    };
    for json in ["application/json", "Application/JSON; charset=utf-8", "application/cimd+json"] {
        let expected = MetadataDocument { body: Bytes::from_static(b"{}"), max_age: Some(Duration::from_mins(10)) };
        assert_eq!(document(response(json)), Ok(expected), "{json}");
    }
    for other in ["text/html", "text/json", "application/jsonp", "image/svg+json", ""] {
        assert_eq!(document(response(other)), Err(MetadataError::NotJson), "{other}");
    }
}
