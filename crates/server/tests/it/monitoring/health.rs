//! Health checks before the start has ended, while the service runs, and while it stops.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read};
use std::process::Child;

use serde_json::json;
use toolgate_testkit::{Client, MockResponse, ResponseGate, ServiceFixture, Upstream};

use super::{get_public, monitored_service, monitoring_client, monitoring_origin};
use crate::toolgate;

/// Kills the process at the end of the test, even if the test fails.
struct KilledOnDrop(Child);

impl Drop for KilledOnDrop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Reads lines until `find` returns a value for the text read so far.
async fn read_until<T: Send + 'static>(
    stream: impl Read + Send + 'static,
    find: impl Fn(&str) -> Option<T> + Send + 'static,
) -> T {
    let read = move || {
        let (mut reader, mut text) = (BufReader::new(stream), String::new());
        loop {
            assert!(reader.read_line(&mut text).unwrap() > 0, "the stream ended: {text}");
            if let Some(found) = find(&text) {
                // Reads the rest, so that the process can continue to write.
                std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
                return found;
            }
        }
    };
    tokio::task::spawn_blocking(read).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_address_for_metrics_responds_before_the_start_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    // The start waits for this lock, as it does while another process changes the keys.
    let lock = File::create(folder.path().join("keys.lock")).unwrap();
    lock.lock().unwrap();
    let mut process = KilledOnDrop(monitored_service().data_dir(folder.path()).command().spawn().unwrap());
    let origin = read_until(process.0.stderr.take().unwrap(), monitoring_origin).await;
    let client = Client::new(&origin, None);
    client.get("/livez").send().await.expect(200);
    for path in ["/startupz", "/readyz", "/readyz?verbose"] {
        let reply = client.get(path).send().await.expect(503).json();
        assert_eq!(reply, json!({"status": "unavailable", "reason": "the service is starting"}), "{path}");
    }
    client.get("/metrics").send().await.expect(503);
    drop(lock);
    read_until(process.0.stdout.take().unwrap(), |text| text.contains("api_base").then_some(())).await;
    for path in ["/startupz", "/readyz", "/livez", "/metrics"] {
        client.get(path).send().await.expect(200);
    }
}

#[tokio::test]
async fn the_main_address_has_all_checks_and_verbose_lists_the_reasons() {
    let app = toolgate().start();
    for path in ["/livez", "/startupz", "/readyz", "/healthz"] {
        assert_eq!(get_public(&app, path).await.expect(200).json(), json!({"status": "ok"}), "{path}");
    }
    let ok = json!({"status": "ok"});
    for query in ["verbose", "verbose=1", "x=1&verbose"] {
        let reply = get_public(&app, &format!("/readyz?{query}")).await.expect(200).json();
        assert_eq!(reply, json!({"status": "ok", "checks": {"stopping": ok, "database": ok, "journal": ok}}));
    }
    assert_eq!(get_public(&app, "/readyz?verbosely").await.expect(200).json(), ok);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_stops_is_alive_and_not_ready() {
    let gate = ResponseGate::new();
    let held = gate.clone();
    let upstream = Upstream::with_handler(move |_| MockResponse::text("ok").held_by(&held));
    let mut fixture = ServiceFixture::start(monitored_service(), upstream, json!({})).await;
    fixture.create_tool(json!({"timeout": 120})).await;
    let caller = fixture.caller();
    let mut calls = tokio::task::JoinSet::new();
    calls.spawn(async move { caller.text("tool", json!({})).await });
    fixture.upstream.wait_for_requests(1).await;
    let client = monitoring_client(&fixture.app);
    fixture.app.send_terminate();
    fixture.app.wait_for_log("stopping", super::WAIT_TIMEOUT);
    // The log line is written just before the readiness check begins to fail.
    let reply = loop {
        let reply = client.get("/readyz?verbose").send().await;
        if reply.status == 503 {
            break reply.json();
        }
    };
    assert_eq!(reply["reason"], "the service is stopping");
    assert_eq!(reply["checks"]["stopping"]["status"], "failed");
    assert_eq!(reply["checks"]["database"]["status"], "ok");
    client.get("/livez").send().await.expect(200);
    assert_eq!(super::scrape(&client).await.count("toolgate_ready"), 0);
    gate.open();
    calls.join_all().await;
    fixture.app.wait();
}
