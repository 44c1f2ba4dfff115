//! Names of upstreams, looked up by the real resolver at a name server that lies: row 3 of the security requirements.
//! Whatever it says leads to loopback, of which 127.0.0.1 is allowed and 127.0.0.2 is not.

use std::net::{IpAddr, Ipv4Addr, TcpListener};

use serde_json::json;
use toolgate_testkit::name_server::Record;
use toolgate_testkit::{Answer, NameServer, Upstream};

use super::setup::{Stage, explained};

const GOOD: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const BAD: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// What is found for a name that was asked for so often before.
fn found(name: &str, before: usize) -> Vec<Record> {
    let addresses: &[IpAddr] = match name {
        "good.test" => &[GOOD],
        "mixed.test" => &[GOOD, BAD],
        "mixed-six.test" => return vec![GOOD, mapped(BAD)].into_iter().map(Record::Address).collect(),
        // Whoever looks twice, once to check and once to dial, is led astray.
        "rebound.test" if before == 0 => &[GOOD],
        "rebound.test" | "bad.test" => &[BAD],
        "alias.test" => return vec![Record::Alias("inner.test".to_owned()), Record::Address(BAD)],
        _ => &[],
    };
    addresses.iter().copied().map(Record::Address).collect()
}

fn mapped(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().into(),
        IpAddr::V6(_) => address,
    }
}

/// A stage that asks the lying server, and somebody at the same port of 127.0.0.2 who must not be visited.
async fn stage(names: &NameServer) -> (Stage, TcpListener) {
    let service = names.service(env!("CARGO_BIN_EXE_toolgate")).env("TOOLGATE_UPSTREAM_ALLOW", "127.0.0.1");
    let stage = Stage::of(service, Upstream::answering(|_| Answer::text("reached")), json!({})).await;
    let canary = TcpListener::bind((BAD, stage.upstream.address().port())).unwrap();
    canary.set_nonblocking(true).unwrap();
    (stage, canary)
}

/// A tool at this name; its name is that of the host, without dots.
async fn tool(stage: &Stage, host: &str) -> String {
    let name = host.replace('.', "_");
    let port = stage.upstream.address().port();
    stage.tool(json!({"name": name, "endpoint_url": format!("http://{host}:{port}/")})).await;
    name
}

#[tokio::test]
async fn a_name_is_looked_up_once_and_its_address_dialled_under_its_name() {
    let Some(names) = NameServer::start(found) else { return };
    let (stage, canary) = stage(&names).await;
    for host in ["good.test", "rebound.test"] {
        let name = tool(&stage, host).await;
        assert_eq!(stage.caller().text(&name, json!({})).await, "reached", "{host}");
        assert_eq!(names.asked(host), 1, "{host}");
        let seen = stage.upstream.last();
        assert_eq!(seen.header("host"), Some(format!("{host}:{}", stage.upstream.address().port()).as_str()));
    }
    assert!(canary.accept().is_err(), "somebody was there");
}

#[tokio::test]
async fn a_name_with_one_bad_address_leads_nowhere() {
    let Some(names) = NameServer::start(found) else { return };
    let (stage, canary) = stage(&names).await;
    for host in ["bad.test", "mixed.test", "mixed-six.test", "alias.test"] {
        let name = tool(&stage, host).await;
        let result = stage.caller().call(&name, json!({})).await;
        assert!(explained(&result).0.starts_with("destination not allowed"), "{host}: {result}");
        assert_eq!(names.asked(host), 1, "{host}");
    }
    assert!(canary.accept().is_err(), "somebody was there");
    assert_eq!(stage.upstream.hits(), 0);
}

#[tokio::test]
async fn a_name_that_is_not_found_leads_nowhere() {
    let Some(names) = NameServer::start(found) else { return };
    let (stage, _canary) = stage(&names).await;
    let name = tool(&stage, "absent.test").await;
    let result = stage.caller().call(&name, json!({})).await;
    assert_eq!(explained(&result).0, "The upstream's host name could not be resolved.");
    assert_eq!((names.asked("absent.test"), stage.upstream.hits()), (1, 0));
}
