//! Runs scripts in Chromium, driven by Node.js, on the built console; `make test` provides all three.

use std::fmt;
use std::ops::Index;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::process::Command;
use toolgate_testkit::RunningService;

use crate::external_tools;

/// The time for a script, and for the screenshot that it takes after a timeout. The visit of every page takes four minutes
/// on a busy machine.
const SCRIPT_TIMEOUT: Duration = Duration::from_mins(8);
const SCREENSHOT_TIMEOUT: Duration = Duration::from_secs(10);

/// The programs and the console folder that a browser script needs.
pub(crate) struct Browser {
    chromium: PathBuf,
    node: PathBuf,
    console: PathBuf,
}

/// The JSON that a script printed.
pub(crate) struct ScriptOutput(Value);

impl Browser {
    /// `None` if there is no browser: the test must return.
    pub(crate) fn find() -> Option<Self> {
        let chromium = external_tools::installed_path("TOOLGATE_CHROMIUM", "scripts/require-chromium")?;
        let node = external_tools::installed_path("TOOLGATE_NODEJS", "scripts/console node")?;
        let console = repository().join("console");
        assert!(console.join("dist/index.html").exists(), "the console is not built: run `make console`");
        Some(Self { chromium, node, console })
    }

    /// Runs a script of `tests/browser` on the console of this service, and returns its output.
    pub(crate) async fn run(&self, script: &str, app: &RunningService, input: &Value) -> ScriptOutput {
        self.run_at(script, &format!("{}/", app.origin()), &app.key(), input).await
    }

    /// Runs a script on the console at this address, which ends with a slash.
    pub(crate) async fn run_at(&self, script: &str, console_url: &str, key: &str, input: &Value) -> ScriptOutput {
        let running = Command::new(&self.node)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(script))
            .env("CHROMIUM", &self.chromium)
            .env("CONSOLE_URL", format!("{console_url}#key={key}"))
            .env("CONSOLE_FOLDER", &self.console)
            .env("CONSOLE_SHOTS", screenshots())
            .env("CONSOLE_INPUT", input.to_string())
            .env("CONSOLE_TIMEOUT_SECONDS", SCRIPT_TIMEOUT.as_secs().to_string())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let output = tokio::time::timeout(SCRIPT_TIMEOUT + SCREENSHOT_TIMEOUT, running)
            .await
            .expect("the script ends in time")
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success(),
            "{script} failed, see the screenshot in {}: {stderr}",
            screenshots().display()
        );
        ScriptOutput(
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{script}: {error}: {stderr}")),
        )
    }
}

impl ScriptOutput {
    /// Asserts that there are no errors in the browser's log (including policy violations), no requests to other
    /// origins, no failed requests and no dialogs.
    #[track_caller]
    pub(crate) fn assert_no_errors(&self) {
        for problem in ["errors", "elsewhere", "failed", "dialogs"] {
            assert_eq!(self[problem], json!([]), "{problem} must be empty: {self:#}");
        }
    }

    /// The text at a JSON pointer.
    #[track_caller]
    pub(crate) fn text(&self, pointer: &str) -> &str {
        self.0
            .pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_else(|| panic!("there is no text at {pointer}: {self:#}"))
    }
}

impl Index<&str> for ScriptOutput {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        &self.0[name]
    }
}

impl fmt::Display for ScriptOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder for screenshots of the pages.
fn screenshots() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("../console-shots")
}
