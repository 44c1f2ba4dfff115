//! Files of the journal are harmed while the service runs: what is lost is counted, and the log says so.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use toolgate_testkit::App;

use super::Stage;

/// How long the log may take to tell of a loss.
const SOON: Duration = Duration::from_secs(15);

impl Stage {
    async fn call(&self, times: usize) {
        for _ in 0..times {
            self.caller().call("tool", json!({})).await;
        }
    }

    async fn recording(&self) -> Value {
        self.app.client().get("/settings").send().await.expect(200).json()["recording"].clone()
    }

    /// The folder of the running service.
    fn journal(&self) -> PathBuf {
        let mut folders = fs::read_dir(self.app.data_dir().join("journal")).unwrap();
        folders.next().unwrap().unwrap().path()
    }

    /// What the log says is lost, line by line.
    fn told(&self) -> Vec<u64> {
        let logs = self.app.logs();
        let lines = logs.lines().filter(|line| line.contains("calls are lost for analytics"));
        lines.map(|line| line.split("lost=").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_that_is_removed_under_the_service_loses_one_moment_and_the_log_says_how_much() {
    let stage = Stage::start(App::builder(env!("CARGO_BIN_EXE_toolgate"))).await;
    stage.call(3).await;
    assert_eq!(stage.counted().await, 3);
    fs::remove_dir_all(stage.app.data_dir().join("journal")).unwrap();
    stage.call(1).await;
    stage.app.wait_for_log("calls are lost for analytics", SOON);
    stage.call(5).await;
    assert_eq!(stage.counted().await, 8);
    assert_eq!(stage.told(), [1]);
    let expected = json!({"enabled": true, "pending_calls": 0, "lost_calls": 1});
    let recording = stage.recording().await;
    assert!(expected.as_object().unwrap().iter().all(|(name, value)| recording[name] == *value), "{recording}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_loss_stays_unsaid() {
    let mut stage = Stage::start(App::builder(env!("CARGO_BIN_EXE_toolgate"))).await;
    let journal = stage.journal();
    fs::remove_dir_all(&journal).unwrap();
    fs::write(&journal, "in the way").unwrap();
    stage.call(6).await;
    assert_eq!(stage.told(), [1], "the first is told at once");
    stage.app.wait_for_log("lost=5", SOON);
    stage.call(2).await;
    fs::remove_file(&journal).unwrap();
    stage.app.terminate();
    assert_eq!(stage.told().iter().sum::<u64>(), 8, "and the rest at the latest when the service stops");
    stage.app.restart();
    assert_eq!(stage.recording().await["lost_calls"], 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_records_nothing_says_so() {
    let stage = Stage::start(App::builder(env!("CARGO_BIN_EXE_toolgate")).arg("--recording").arg("off")).await;
    let settings = json!({"settings": {"capture": "all"}});
    stage.app.client().patch("/servers/1").json(settings).send().await.expect(200);
    let mut events = stage.app.client().get("/calls/stream").open().await.events().await;
    stage.call(1).await;
    assert_eq!(events.next_json().await["captured"], false, "nothing of it is kept");
    assert_eq!(stage.recording().await["enabled"], false);
    assert_eq!(stage.counted().await, 0);
}
