//! Journal files are damaged while the service runs: losses are counted and logged.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use toolgate_testkit::ServiceFixture;

use super::start_service;
use crate::toolgate;

/// How long the service may take to log a loss.
const LOG_TIMEOUT: Duration = Duration::from_mins(1);

async fn call_tool(fixture: &ServiceFixture, times: usize) {
    for _ in 0..times {
        fixture.caller().call("tool", json!({})).await;
    }
}

async fn recording_state(fixture: &ServiceFixture) -> Value {
    fixture.app.client().read("/settings").await["recording"].clone()
}

/// The journal folders of the running service.
fn journal_folders(fixture: &ServiceFixture) -> Vec<PathBuf> {
    let folders = fs::read_dir(fixture.app.data_dir().join("journal")).unwrap();
    folders.map(|folder| folder.unwrap().path()).collect()
}

/// The number of lost calls in each log line about a loss.
fn logged_losses(fixture: &ServiceFixture) -> Vec<u64> {
    let logs = fixture.app.logs();
    let lines = logs.lines().filter(|line| line.contains("calls are lost for analytics"));
    lines.map(|line| line.split("lost=").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_recent_calls_are_lost_and_logged_when_the_journal_is_removed_at_run_time() {
    let fixture = start_service(toolgate()).await;
    call_tool(&fixture, 3).await;
    assert_eq!(fixture.app.call_count().await, 3);
    fs::remove_dir_all(fixture.app.data_dir().join("journal")).unwrap();
    call_tool(&fixture, 1).await;
    fixture.app.wait_for_log("calls are lost for analytics", LOG_TIMEOUT);
    call_tool(&fixture, 5).await;
    assert_eq!(fixture.app.call_count().await, 8);
    assert_eq!(logged_losses(&fixture), [1]);
    let expected = json!({"enabled": true, "pending_calls": 0, "lost_calls": 1});
    let recording = recording_state(&fixture).await;
    assert!(expected.as_object().unwrap().iter().all(|(name, value)| recording[name] == *value), "{recording}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_loss_is_logged() {
    let mut fixture = start_service(toolgate()).await;
    let journals = journal_folders(&fixture);
    for journal in &journals {
        fs::remove_dir_all(journal).unwrap();
        // With a file in place of the folder, the journal cannot be written.
        fs::write(journal, "not a folder").unwrap();
    }
    call_tool(&fixture, 6).await;
    assert_eq!(logged_losses(&fixture), [1], "the first loss is logged immediately");
    fixture.app.wait_for_log("lost=5", LOG_TIMEOUT);
    call_tool(&fixture, 2).await;
    for journal in &journals {
        fs::remove_file(journal).unwrap();
    }
    fixture.app.terminate();
    assert_eq!(
        logged_losses(&fixture).iter().sum::<u64>(),
        8,
        "the rest is logged at the latest when the service stops"
    );
    fixture.app.restart();
    assert_eq!(recording_state(&fixture).await["lost_calls"], 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_recording_stores_nothing_and_is_shown_in_the_settings() {
    let fixture = start_service(toolgate().arg("--recording").arg("off")).await;
    let settings = json!({"settings": {"capture": "all"}});
    fixture.app.client().patch("/servers/1").json(settings).send().await.expect(200);
    let mut events = fixture.app.client().get("/calls/stream").open().await.events().await;
    call_tool(&fixture, 1).await;
    assert_eq!(events.next_json().await["captured"], false, "the event says that nothing is captured");
    assert_eq!(recording_state(&fixture).await["enabled"], false);
    assert_eq!(fixture.app.call_count().await, 0);
}
