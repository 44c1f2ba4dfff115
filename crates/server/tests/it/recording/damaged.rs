//! Journal files are damaged while the service runs: losses are counted and logged.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use toolgate_testkit::RunningService;

use super::RecordingFixture;

/// How long the service may take to log a loss.
const LOG_TIMEOUT: Duration = Duration::from_mins(1);

impl RecordingFixture {
    async fn call_tool(&self, times: usize) {
        for _ in 0..times {
            self.service.caller().call("tool", json!({})).await;
        }
    }

    async fn recording_state(&self) -> Value {
        self.service.app.client().get("/settings").send().await.expect(200).json()["recording"].clone()
    }

    /// The journal folder of the running service.
    fn journal_folder(&self) -> PathBuf {
        let mut folders = fs::read_dir(self.service.app.data_dir().join("journal")).unwrap();
        folders.next().unwrap().unwrap().path()
    }

    /// The number of lost calls in each log line about a loss.
    fn logged_losses(&self) -> Vec<u64> {
        let logs = self.service.app.logs();
        let lines = logs.lines().filter(|line| line.contains("calls are lost for analytics"));
        lines.map(|line| line.split("lost=").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_recent_calls_are_lost_and_logged_when_the_journal_is_removed_at_run_time() {
    let fixture = RecordingFixture::start(RunningService::builder(env!("CARGO_BIN_EXE_toolgate"))).await;
    fixture.call_tool(3).await;
    assert_eq!(fixture.call_count().await, 3);
    fs::remove_dir_all(fixture.service.app.data_dir().join("journal")).unwrap();
    fixture.call_tool(1).await;
    fixture.service.app.wait_for_log("calls are lost for analytics", LOG_TIMEOUT);
    fixture.call_tool(5).await;
    assert_eq!(fixture.call_count().await, 8);
    assert_eq!(fixture.logged_losses(), [1]);
    let expected = json!({"enabled": true, "pending_calls": 0, "lost_calls": 1});
    let recording = fixture.recording_state().await;
    assert!(expected.as_object().unwrap().iter().all(|(name, value)| recording[name] == *value), "{recording}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_loss_is_logged() {
    let mut fixture = RecordingFixture::start(RunningService::builder(env!("CARGO_BIN_EXE_toolgate"))).await;
    let journal = fixture.journal_folder();
    fs::remove_dir_all(&journal).unwrap();
    // With a file in place of the folder, the journal cannot be written.
    fs::write(&journal, "not a folder").unwrap();
    fixture.call_tool(6).await;
    assert_eq!(fixture.logged_losses(), [1], "the first loss is logged immediately");
    fixture.service.app.wait_for_log("lost=5", LOG_TIMEOUT);
    fixture.call_tool(2).await;
    fs::remove_file(&journal).unwrap();
    fixture.service.app.terminate();
    assert_eq!(
        fixture.logged_losses().iter().sum::<u64>(),
        8,
        "the rest is logged at the latest when the service stops"
    );
    fixture.service.app.restart();
    assert_eq!(fixture.recording_state().await["lost_calls"], 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_recording_stores_nothing_and_is_shown_in_the_settings() {
    let fixture =
        RecordingFixture::start(RunningService::builder(env!("CARGO_BIN_EXE_toolgate")).arg("--recording").arg("off"))
            .await;
    let settings = json!({"settings": {"capture": "all"}});
    fixture.service.app.client().patch("/servers/1").json(settings).send().await.expect(200);
    let mut events = fixture.service.app.client().get("/calls/stream").open().await.events().await;
    fixture.call_tool(1).await;
    assert_eq!(events.next_json().await["captured"], false, "the event says that nothing is captured");
    assert_eq!(fixture.recording_state().await["enabled"], false);
    assert_eq!(fixture.call_count().await, 0);
}
