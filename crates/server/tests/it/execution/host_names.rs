//! Upstream host names, resolved by the real resolver with a malicious name server (guarantee 3 in SECURITY.md).
//! The name server returns only loopback addresses; 127.0.0.1 is allowed and 127.0.0.2 is not.

use std::net::{IpAddr, Ipv4Addr, TcpListener};

use serde_json::json;
use toolgate_testkit::name_server::DnsRecord;
use toolgate_testkit::{MockResponse, NameServer, ServiceFixture, Upstream};

use super::setup::message_and_advice;

const ALLOWED: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const FORBIDDEN: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// The records of a name that was queried `earlier_queries` times already.
fn dns_records(name: &str, earlier_queries: usize) -> Vec<DnsRecord> {
    let addresses: &[IpAddr] = match name {
        "good.test" => &[ALLOWED],
        "mixed.test" => &[ALLOWED, FORBIDDEN],
        "mixed-six.test" => return vec![ALLOWED, ipv4_mapped(FORBIDDEN)].into_iter().map(DnsRecord::Address).collect(),
        // A resolver that looks up twice, to check and to dial, would dial the wrong address.
        "rebound.test" if earlier_queries == 0 => &[ALLOWED],
        "rebound.test" | "bad.test" => &[FORBIDDEN],
        "alias.test" => return vec![DnsRecord::Alias("inner.test".to_owned()), DnsRecord::Address(FORBIDDEN)],
        _ => &[],
    };
    addresses.iter().copied().map(DnsRecord::Address).collect()
}

fn ipv4_mapped(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().into(),
        IpAddr::V6(_) => address,
    }
}

/// A fixture that uses the malicious name server, and a listener on the same port of 127.0.0.2 that must not get a
/// connection.
async fn fixture(names: &NameServer) -> (ServiceFixture, TcpListener) {
    let service = names.service(env!("CARGO_BIN_EXE_toolgate")).env("TOOLGATE_UPSTREAM_ALLOW", "127.0.0.1");
    let fixture =
        ServiceFixture::start(service, Upstream::with_handler(|_| MockResponse::text("reached")), json!({})).await;
    let canary = TcpListener::bind((FORBIDDEN, fixture.upstream.address().port())).unwrap();
    canary.set_nonblocking(true).unwrap();
    (fixture, canary)
}

/// Creates a tool at this host and returns its name: the host with underscores instead of dots.
async fn create_tool(fixture: &ServiceFixture, host: &str) -> String {
    let name = host.replace('.', "_");
    let port = fixture.upstream.address().port();
    fixture.create_tool(json!({"name": name, "endpoint_url": format!("http://{host}:{port}/")})).await;
    name
}

#[tokio::test]
async fn a_name_is_resolved_once_and_sent_as_host() {
    let Some(names) = NameServer::start(dns_records) else { return };
    let (fixture, canary) = fixture(&names).await;
    for host in ["good.test", "rebound.test"] {
        let name = create_tool(&fixture, host).await;
        assert_eq!(fixture.caller().text(&name, json!({})).await, "reached", "{host}");
        assert_eq!(names.query_count(host), 1, "{host}");
        let received = fixture.upstream.last();
        assert_eq!(received.header("host"), Some(format!("{host}:{}", fixture.upstream.address().port()).as_str()));
    }
    assert!(canary.accept().is_err(), "the forbidden address received a connection");
}

#[tokio::test]
async fn a_name_with_one_forbidden_address_is_refused() {
    let Some(names) = NameServer::start(dns_records) else { return };
    let (fixture, canary) = fixture(&names).await;
    for host in ["bad.test", "mixed.test", "mixed-six.test", "alias.test"] {
        let name = create_tool(&fixture, host).await;
        let result = fixture.caller().call(&name, json!({})).await;
        assert!(message_and_advice(&result).0.starts_with("destination not allowed"), "{host}: {result}");
        assert_eq!(names.query_count(host), 1, "{host}");
    }
    assert!(canary.accept().is_err(), "the forbidden address received a connection");
    assert_eq!(fixture.upstream.request_count(), 0);
}

#[tokio::test]
async fn an_unknown_name_is_a_dns_failure() {
    let Some(names) = NameServer::start(dns_records) else { return };
    let (fixture, _canary) = fixture(&names).await;
    let name = create_tool(&fixture, "absent.test").await;
    let result = fixture.caller().call(&name, json!({})).await;
    assert_eq!(message_and_advice(&result).0, "The API cannot be reached: its name does not resolve.");
    assert_eq!((names.query_count("absent.test"), fixture.upstream.request_count()), (1, 0));
}
