//! How a `toolgate` process is to be started; the same settings start it again after a crash.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;

use super::{App, STOP_PATIENCE, TEST_KEY, banner};
use crate::lines::{Lines, WaitError};

/// Settings of an [`App`] that is not started yet.
#[must_use = "nothing runs until it is started"]
#[derive(Debug, Clone)]
pub struct AppBuilder {
    binary: PathBuf,
    args: Vec<OsString>,
    environment: Vec<(String, OsString)>,
    key: Option<String>,
    database_url: Option<String>,
    data_dir: DataDir,
    patience: Duration,
}

#[derive(Debug, Clone)]
enum DataDir {
    Own(Arc<TempDir>),
    Given(PathBuf),
}

/// A process that did not come up, for tests of what it says then.
#[derive(Debug, thiserror::Error)]
#[error("toolgate did not start, {reason}\nexit: {exit:?}\nstdout:\n{stdout}\nstderr:\n{stderr}")]
pub struct StartError {
    /// What was missing.
    pub reason: String,
    /// How it ended, if it ended by itself.
    pub exit: Option<ExitStatus>,
    /// All it printed.
    pub stdout: String,
    /// All it logged.
    pub stderr: String,
}

impl AppBuilder {
    pub(super) fn new(binary: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        Self {
            binary: binary.to_path_buf(),
            args: Vec::new(),
            environment: Vec::new(),
            key: Some(TEST_KEY.to_owned()),
            database_url: None,
            data_dir: DataDir::Own(Arc::new(folder)),
            patience: Duration::from_secs(30),
        }
    }

    /// Sets an environment variable, also in place of one that the builder sets itself.
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Adds an argument after the binary's name; without any, the service is served.
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Sets the administrator's key, in place of [`TEST_KEY`].
    pub fn api_key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// Lets the process make its own key at its first start.
    pub fn without_api_key(mut self) -> Self {
        self.key = None;
        self
    }

    /// Keeps the data in `PostgreSQL` at `url`, in place of `SQLite`.
    pub fn postgres(mut self, url: &str) -> Self {
        self.database_url = Some(url.to_owned());
        self
    }

    /// Uses this data folder, which outlives the process, in place of a temporary one.
    pub fn data_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.data_dir = DataDir::Given(folder.into());
        self
    }

    /// How long the start may take; 30 seconds unless said otherwise.
    pub fn start_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Starts the process and waits until it serves; panics with all it said when it does not.
    #[track_caller]
    pub fn start(self) -> App {
        self.try_start().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Starts the process and waits until it serves.
    pub fn try_start(self) -> Result<App, Box<StartError>> {
        let mut child =
            self.command().spawn().unwrap_or_else(|error| panic!("cannot run {}: {error}", self.binary.display()));
        let stdout = Lines::collect(child.stdout.take().expect("stdout is piped"));
        let stderr = Lines::collect(child.stderr.take().expect("stderr is piped"));
        let api_base = stdout.wait_for(self.patience, |text| banner::value(text, "api_base"));
        match api_base {
            Ok(api_base) => Ok(App { builder: self, child, stdout, stderr, api_base }),
            Err(error) => Err(Box::new(failure(&error, child, &stdout, &stderr))),
        }
    }

    /// The prepared command, for subcommands (`key list`) that print and end.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(&self.args);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TOOLGATE_") {
                command.env_remove(name);
            }
        }
        command.env("TOOLGATE_LISTEN", "127.0.0.1:0");
        command.env("TOOLGATE_DATA_DIR", self.data_path());
        if let Some(key) = &self.key {
            command.env("TOOLGATE_API_KEY", key);
        }
        if let Some(url) = &self.database_url {
            command.env("TOOLGATE_DATABASE_URL", url);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(super) fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    pub(super) fn data_path(&self) -> &Path {
        match &self.data_dir {
            DataDir::Own(folder) => folder.path(),
            DataDir::Given(folder) => folder,
        }
    }
}

fn failure(error: &WaitError, mut child: Child, stdout: &Lines, stderr: &Lines) -> StartError {
    let has_ended = matches!(error, WaitError::Closed);
    if !has_ended {
        let _ = child.kill();
    }
    let exit = child.wait().ok().filter(|_| has_ended);
    // The process is gone: what is left in the pipe comes without waiting.
    let _ = stderr.wait_for_close(STOP_PATIENCE);
    StartError {
        reason: format!("there is no api_base line: {error}"),
        exit,
        stdout: stdout.text(),
        stderr: stderr.text(),
    }
}
