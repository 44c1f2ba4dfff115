//! Tests with an issuer on loopback.

mod test_issuer;

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{advance, pause, resume};
use toolgate_auth::jwt::JsonWebKeysError;

use super::*;
use crate::egress::guard::rule::EgressRule;
use crate::small_document::SmallDocumentError;
use test_issuer::{KEYS, NO_KEY, OAUTH, ONE_KEY, OPENID, TestIssuer};

fn client() -> IssuerClient {
    IssuerClient::new(EgressClient::new(EgressRule::loopback()), true)
}

/// Advances the clock without waiting. It is paused only for that, because sockets need a running clock.
async fn advance_clock(duration: Duration) {
    pause();
    advance(duration).await;
    resume();
}

#[tokio::test]
async fn metadata_is_read_from_either_document_and_cached_for_a_day() {
    for (path, requests) in [(OPENID, 1), (OAUTH, 2)] {
        let issuer = TestIssuer::start().await;
        issuer.remove(OPENID);
        issuer.set(path, 200, &issuer.metadata());
        let client = client();
        let metadata = client.metadata(issuer.url()).await.unwrap();
        assert_eq!(metadata.jwks_uri.as_str(), format!("{}{KEYS}", issuer.url()));
        advance_clock(Duration::from_hours(23)).await;
        client.metadata(issuer.url()).await.unwrap();
        assert_eq!(issuer.count_all(), requests, "{path}");
        advance_clock(Duration::from_hours(2)).await;
        issuer.remove(path);
        assert_eq!(client.metadata(issuer.url()).await, Ok(metadata), "the last copy is used");
        assert!(issuer.count_all() > requests, "{path}");
    }
}

#[tokio::test]
async fn keys_are_fetched_once_for_concurrent_callers_and_renewed_in_the_background() {
    let issuer = TestIssuer::start().await;
    let client = client();
    let (one, other) = tokio::join!(client.keys(issuer.url()), client.keys(issuer.url()));
    let first = one.unwrap();
    assert!(Arc::ptr_eq(&first, &other.unwrap()) && issuer.count(KEYS) == 1);
    advance_clock(Duration::from_mins(9)).await;
    assert!(Arc::ptr_eq(&first, &client.keys(issuer.url()).await.unwrap()));
    advance_clock(Duration::from_mins(2)).await;
    assert!(Arc::ptr_eq(&first, &client.keys(issuer.url()).await.unwrap()), "no caller waits for the renewal");
    issuer.wait_for(KEYS, 2).await;
    while Arc::ptr_eq(&first, &client.keys(issuer.url()).await.unwrap()) {
        tokio::task::yield_now().await;
    }
    assert_eq!(issuer.count(OPENID), 1);
}

#[tokio::test]
async fn unknown_keys_cause_at_most_one_fetch_in_thirty_seconds() {
    let issuer = TestIssuer::start().await;
    let client = client();
    let mut known = client.keys(issuer.url()).await.unwrap();
    for _ in 0..50 {
        if let Some(newer) = client.newer_keys(issuer.url(), &known).await {
            known = newer;
        }
    }
    assert_eq!(issuer.count(KEYS), 2);
    advance_clock(Duration::from_secs(31)).await;
    assert!(client.newer_keys(issuer.url(), &known).await.is_some());
    assert_eq!(issuer.count(KEYS), 3);
}

#[tokio::test]
async fn the_last_keys_are_used_for_a_day_if_the_issuer_fails() {
    let issuer = TestIssuer::start().await;
    let client = client();
    client.keys(issuer.url()).await.unwrap();
    issuer.set(KEYS, 500, "");
    for _ in 0..3 {
        advance_clock(Duration::from_hours(7)).await;
        assert!(client.keys(issuer.url()).await.is_ok());
    }
    advance_clock(Duration::from_hours(4)).await;
    // The time may pass while a renewal still waits for its response, which then ends by its timeout.
    let error = client.keys(issuer.url()).await.unwrap_err();
    assert!(matches!(error, IssuerError::Keys(_)), "{error:?}");
    assert!(client.keys(issuer.url()).await.is_err(), "a failure is remembered for five seconds");
    issuer.set(KEYS, 200, ONE_KEY);
    advance_clock(Duration::from_secs(6)).await;
    assert!(client.keys(issuer.url()).await.is_ok());
}

#[tokio::test]
async fn a_document_without_a_key_does_not_replace_keys() {
    let issuer = TestIssuer::start().await;
    let client = client();
    let known = client.keys(issuer.url()).await.unwrap();
    issuer.set(KEYS, 200, NO_KEY);
    assert!(client.newer_keys(issuer.url(), &known).await.is_none());
    assert!(Arc::ptr_eq(&known, &client.keys(issuer.url()).await.unwrap()));
    issuer.set(KEYS, 200, ONE_KEY);
    advance_clock(Duration::from_secs(6)).await;
    assert!(client.newer_keys(issuer.url(), &known).await.is_some(), "after a failed fetch, no interval must pass");
}

#[tokio::test]
async fn the_metadata_of_an_unavailable_issuer_is_requested_only_once() {
    let issuer = TestIssuer::start().await;
    let client = client();
    client.metadata(issuer.url()).await.unwrap();
    advance_clock(Duration::from_hours(25)).await;
    issuer.set(OPENID, 500, "");
    issuer.set(OAUTH, 500, "");
    let requests_before = issuer.count_all();
    for _ in 0..10 {
        assert!(client.metadata(issuer.url()).await.is_ok(), "the last copy is used");
    }
    assert!(issuer.count_all() - requests_before <= 2, "one fetch reads at most two documents");
}

#[tokio::test]
async fn each_fault_of_an_issuer_has_its_own_error() {
    let issuer = TestIssuer::start().await;
    let client = client();
    let check = async || client.check(issuer.url()).await.unwrap_err();
    issuer.set(KEYS, 200, NO_KEY);
    assert_eq!(check().await, IssuerError::NoUsableKey);
    issuer.set(KEYS, 200, "<html>");
    assert_eq!(check().await, IssuerError::BadKeys(JsonWebKeysError::Malformed));
    issuer.set(KEYS, 200, &format!(r#"{{"keys":[],"x":"{}"}}"#, "x".repeat(64 * 1024)));
    assert_eq!(check().await, IssuerError::Keys(SmallDocumentError::TooLarge(64 * 1024)));
    issuer.set(OPENID, 200, r#"{"issuer":"https://other.example","jwks_uri":"https://other.example/k"}"#);
    assert_eq!(check().await, IssuerError::OtherIssuer("https://other.example".to_owned()));
    issuer.set(OPENID, 302, "");
    assert!(matches!(check().await, IssuerError::Metadata(_)));
    issuer.remove(OPENID);
    assert_eq!(check().await, IssuerError::Metadata(SmallDocumentError::Status(404)));
}

#[tokio::test]
async fn the_rule_for_upstreams_applies_and_plain_http_only_on_loopback() {
    let issuer = TestIssuer::start().await;
    let exposed = IssuerClient::new(EgressClient::new(EgressRule::loopback()), false);
    assert_eq!(exposed.check(issuer.url()).await, Err(IssuerError::BadAddress("The issuer")));
    let guarded = IssuerClient::new(EgressClient::new(EgressRule::none()), true);
    let error = guarded.check(issuer.url()).await.unwrap_err();
    assert!(matches!(error, IssuerError::Metadata(SmallDocumentError::Egress(_))), "{error:?}");
    assert_eq!(issuer.count_all(), 0);
}
