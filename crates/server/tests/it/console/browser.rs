//! Chromium, Node.js that drives it, and the console that was built; `make test` sees to all three.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::process::Command;

use crate::left_out;

const PATIENCE: Duration = Duration::from_secs(100);

/// What a script for the browser needs.
pub(super) struct Browser {
    chromium: PathBuf,
    node: PathBuf,
    console: PathBuf,
}

impl Browser {
    /// `None` where there is no browser: the test is to return at once.
    pub(super) fn find() -> Option<Self> {
        let chromium = left_out::folder("TOOLGATE_CHROMIUM", "scripts/require-chromium")?;
        let node = left_out::folder("TOOLGATE_NODE", "scripts/console node")?;
        let console = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../console");
        assert!(console.join("dist/index.html").exists(), "the console is not built: run `make console`");
        Some(Self { chromium, node, console })
    }

    /// Runs a script of `tests/browser` on the console at `url`, and returns what it printed.
    pub(super) async fn run(&self, script: &str, url: &str) -> Value {
        let running = Command::new(&self.node)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(script))
            .env("CHROMIUM", &self.chromium)
            .env("CONSOLE_URL", url)
            .env("CONSOLE_FOLDER", &self.console)
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let output = tokio::time::timeout(PATIENCE, running).await.expect("the script ends in time").unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{script}: {said}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{script}: {error}: {said}"))
    }
}
