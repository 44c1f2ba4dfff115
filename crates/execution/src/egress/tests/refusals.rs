//! Tests that forbidden destinations receive no connection.

use tower::Service;

use super::super::dialer::Dialer;
use super::super::guard::Blocked;
use super::super::guard::ranges::AddressRange;
use super::upstream::EgressCanary;
use super::*;

fn range_of(error: &EgressError) -> Option<AddressRange> {
    match error {
        EgressError::Blocked(Blocked::NotAllowed { range, .. } | Blocked::Never { range, .. }) => Some(*range),
        _ => None,
    }
}

async fn assert_refused(client: &EgressClient, canary: &EgressCanary, host: &str) {
    for scheme in ["http", "https"] {
        let url = format!("{scheme}://{host}:{}/", canary.port());
        let error = client.send(&get(&url), generous_deadline()).await.unwrap_err();
        assert_eq!(range_of(&error), Some(AddressRange::Loopback), "{url}: {error:?}");
        assert_eq!(error.reason(), toolgate_domain::call::FailureReason::BlockedDestination);
        assert!(error.advice().contains("TOOLGATE_UPSTREAM_ALLOW") && !error.to_string().contains("127."));
        canary.assert_unvisited(&url);
    }
}

#[tokio::test]
async fn addresses_are_refused_in_every_notation() {
    let canary = EgressCanary::at("127.0.0.2");
    let client = client("127.0.0.1 private");
    let notations =
        ["127.0.0.2", "127.0.0.2.", "127.2", "0x7f.2", "0x7f000002", "2130706434", "0177.0.0.2", "[::ffff:127.0.0.2]"];
    for host in notations {
        assert_refused(&client, &canary, host).await;
    }
}

#[tokio::test]
async fn localhost_is_refused_unless_allowed() {
    let canary = EgressCanary::at("127.0.0.1");
    for host in ["localhost", "LOCALHOST.", "api.localhost"] {
        assert_refused(&client("private"), &canary, host).await;
    }
}

#[tokio::test]
async fn names_that_resolve_to_forbidden_addresses_are_refused() {
    let canary = EgressCanary::at("127.0.0.2");
    let client = client_with_name("127.0.0.1", "rebound.test", &["127.0.0.1", "127.0.0.2"]);
    assert_refused(&client, &canary, "rebound.test").await;
    assert_refused(&client, &canary, "REBOUND.test").await;
}

#[tokio::test]
async fn the_dialer_refuses_without_the_client() {
    let canary = EgressCanary::at("127.0.0.2");
    let mut dialer = Dialer::new(rule("127.0.0.1").into(), Resolver::new().into());
    for host in ["127.0.0.2", "0x7f000002"] {
        let dialled = dialer.call(format!("http://{host}:{}/", canary.port()).parse().unwrap()).await;
        assert_eq!(dialled.err().as_ref().and_then(range_of), Some(AddressRange::Loopback));
        canary.assert_unvisited(host);
    }
}

#[tokio::test]
async fn redirects_to_forbidden_destinations_are_refused() {
    let (canary, upstream) = (EgressCanary::at("127.0.0.2"), ScriptedUpstream::new());
    let redirect =
        format!("HTTP/1.1 302 Found\r\nlocation: http://127.2:{}/\r\ncontent-length: 0\r\n\r\n", canary.port());
    let (client, request, deadline) = (client("127.0.0.1"), get(&upstream.url("/")), generous_deadline());
    let (response, _) = tokio::join!(client.send(&request, deadline), upstream.serve_once(&redirect));
    assert_eq!(range_of(&response.unwrap_err()), Some(AddressRange::Loopback));
    canary.assert_unvisited("by redirect");
}

#[tokio::test]
async fn addresses_with_user_names_or_other_schemes_are_refused() {
    let client = client("loopback");
    let refused = |url| {
        let client = client.clone();
        async move { client.send(&get(url), generous_deadline()).await.unwrap_err() }
    };
    assert_eq!(refused("http://key:secret@127.0.0.1:9/").await, Blocked::UserInfo.into());
    assert_eq!(refused("ftp://127.0.0.1/").await, Blocked::Scheme { scheme: "ftp".into() }.into());
    assert_eq!(refused("/relative").await, EgressError::BadAddress);
}
