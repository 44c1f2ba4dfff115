//! A running OTLP receiver.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::Value;

use crate::external_tools;

/// How long a test waits for a message: far longer than a message takes.
const MESSAGE_TIMEOUT: Duration = Duration::from_mins(1);
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/otlp/receiver.py");

/// The receiver, which runs until it is dropped.
pub(super) struct OtlpReceiver {
    process: Child,
    port: u16,
    messages: Arc<ReceivedMessages>,
}

#[derive(Default)]
struct ReceivedMessages {
    list: Mutex<Vec<Value>>,
    arrived: Condvar,
}

impl OtlpReceiver {
    /// Starts a receiver; `None` if it is not installed, and the test must return.
    pub(super) fn start() -> Option<Self> {
        let folder = external_tools::installed_path("TOOLGATE_OTLP_RECEIVER", "scripts/otlp-receiver")?;
        let mut command = Command::new(folder.join("bin/python"));
        let mut process = command.arg(SCRIPT).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.next().unwrap().unwrap().parse().unwrap();
        let messages = Arc::new(ReceivedMessages::default());
        let received = Arc::clone(&messages);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                received.list.lock().unwrap().push(serde_json::from_str(&line).unwrap());
                received.arrived.notify_all();
            }
        });
        Some(Self { process, port, messages })
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// All messages so far.
    pub(super) fn messages(&self) -> Vec<Value> {
        self.messages.list.lock().unwrap().clone()
    }

    /// Waits until the spans meet a condition, and returns them.
    pub(super) fn wait_for_spans(&self, is_complete: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        self.wait_for("spans", is_complete)
    }

    /// Waits until the log records meet a condition, and returns them.
    pub(super) fn wait_for_logs(&self, is_complete: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        self.wait_for("logs", is_complete)
    }

    fn wait_for(&self, kind: &str, is_complete: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let items = |messages: &Vec<Value>| -> Vec<Value> {
            messages.iter().filter_map(|message| message[kind].as_array()).flatten().cloned().collect()
        };
        let messages = self.messages.list.lock().unwrap();
        let is_incomplete = |messages: &mut Vec<Value>| !is_complete(&items(messages));
        let (messages, outcome) =
            self.messages.arrived.wait_timeout_while(messages, MESSAGE_TIMEOUT, is_incomplete).unwrap();
        assert!(!outcome.timed_out(), "some {kind} are missing: {messages:#?}");
        items(&messages)
    }
}

impl Drop for OtlpReceiver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The span with this name of a node.
#[track_caller]
pub(super) fn find_span<'a>(spans: &'a [Value], node: &str, name: &str) -> &'a Value {
    let found = spans.iter().find(|span| span["node"] == node && span["name"] == name);
    found.unwrap_or_else(|| panic!("{node} has no span {name:?}: {spans:#?}"))
}
