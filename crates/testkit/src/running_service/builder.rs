//! Configures and starts a `toolgate` process; the same settings restart it after a crash.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;

use super::{RunningService, STOP_TIMEOUT, TEST_KEY, banner};
use crate::output::{CapturedOutput, WaitError};
use crate::postgres::TestDatabase;

/// Settings of a [`RunningService`] that is not started yet.
#[must_use = "nothing runs until it is started"]
#[derive(Debug, Clone)]
pub struct ServiceBuilder {
    binary: PathBuf,
    args: Vec<OsString>,
    environment: Vec<(String, OsString)>,
    key: Option<String>,
    database_url: Option<String>,
    /// Is dropped after the last service that uses it.
    database: Option<Arc<TestDatabase>>,
    data_dir: DataDirChoice,
    timeout: Duration,
}

#[derive(Debug, Clone)]
enum DataDirChoice {
    Temporary(Arc<TempDir>),
    Given(PathBuf),
}

impl DataDirChoice {
    fn temporary() -> Self {
        Self::Temporary(Arc::new(tempfile::tempdir().expect("a temporary folder can be created")))
    }
}

/// A process that failed to start, for tests of its error messages.
#[derive(Debug, thiserror::Error)]
#[error("toolgate did not start, {reason}\nexit: {exit:?}\nstdout:\n{stdout}\nstderr:\n{stderr}")]
pub struct StartError {
    /// Why the start failed.
    pub reason: String,
    /// The exit status, unless the process had to be killed.
    pub exit: Option<ExitStatus>,
    /// Its complete stdout.
    pub stdout: String,
    /// Its complete stderr.
    pub stderr: String,
}

impl ServiceBuilder {
    pub(super) fn new(binary: &Path) -> Self {
        Self {
            binary: binary.to_path_buf(),
            args: Vec::new(),
            environment: Vec::new(),
            key: Some(TEST_KEY.to_owned()),
            database_url: None,
            database: None,
            data_dir: DataDirChoice::temporary(),
            timeout: Duration::from_mins(1),
        }
    }

    /// Sets an environment variable and overrides those that the builder sets.
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Adds a command-line argument; without arguments the process runs the service.
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Sets the administrator's key (default: [`TEST_KEY`]).
    pub fn api_key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// Lets the process create its own key at its first start.
    pub fn without_api_key(mut self) -> Self {
        self.key = None;
        self
    }

    /// Uses `PostgreSQL` at `url` instead of `SQLite`.
    pub fn postgres(mut self, url: &str) -> Self {
        self.database_url = Some(url.to_owned());
        self
    }

    /// Uses a temporary `PostgreSQL` database, which is dropped with the builder and its services.
    pub fn database(self, database: TestDatabase) -> Self {
        let builder = self.postgres(database.url());
        Self { database: Some(Arc::new(database)), ..builder }
    }

    /// The temporary `PostgreSQL` database; `None` if another one is used.
    pub fn temporary_database(&self) -> Option<&TestDatabase> {
        self.database.as_deref()
    }

    /// Uses this data folder instead of a temporary one; it is not removed.
    pub fn data_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.data_dir = DataDirChoice::Given(folder.into());
        self
    }

    /// Uses a new temporary data folder; otherwise a clone of a builder shares the folder of the original.
    pub fn temporary_data_dir(mut self) -> Self {
        self.data_dir = DataDirChoice::temporary();
        self
    }

    /// Sets how long the start may take (default: one minute).
    pub fn start_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Starts the process and waits until it serves; panics with its output if it does not.
    #[track_caller]
    pub fn start(self) -> RunningService {
        self.try_start().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Starts the process and waits until it serves.
    pub fn try_start(self) -> Result<RunningService, Box<StartError>> {
        let mut child =
            self.command().spawn().unwrap_or_else(|error| panic!("cannot run {}: {error}", self.binary.display()));
        let stdout = CapturedOutput::from_stream(child.stdout.take().expect("stdout is piped"));
        let stderr = CapturedOutput::from_stream(child.stderr.take().expect("stderr is piped"));
        let api_base = stdout.wait_for(self.timeout, |text| banner::value(text, "api_base"));
        match api_base {
            Ok(api_base) => Ok(RunningService { builder: self, child, stdout, stderr, api_base }),
            Err(error) => Err(Box::new(start_error(&error, child, &stdout, &stderr))),
        }
    }

    /// The command, for subcommands (`key list`) that print and exit.
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
            DataDirChoice::Temporary(folder) => folder.path(),
            DataDirChoice::Given(folder) => folder,
        }
    }
}

fn start_error(error: &WaitError, mut child: Child, stdout: &CapturedOutput, stderr: &CapturedOutput) -> StartError {
    let has_ended = matches!(error, WaitError::Closed);
    if !has_ended {
        let _ = child.kill();
    }
    let exit = child.wait().ok().filter(|_| has_ended);
    // The process has ended, so the rest of the pipe is read without waiting.
    let _ = stderr.wait_for_close(STOP_TIMEOUT);
    StartError {
        reason: format!("no api_base line in the output: {error}"),
        exit,
        stdout: stdout.text(),
        stderr: stderr.text(),
    }
}
