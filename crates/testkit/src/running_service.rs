//! One running `toolgate` process, observed only through its output and its HTTP interface.

mod banner;
mod builder;

pub use builder::{ServiceBuilder, StartError};

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::http::Client;
use crate::output::CapturedOutput;
use crate::postgres::TestDatabase;

/// The administrator's key of a [`RunningService`], unless its builder sets another one.
pub const TEST_KEY: &str = "tg_test_0123456789abcdefghijklmnopqrstuvwxyz";

/// Longer than the 30 seconds for which a service may drain after SIGTERM.
const STOP_TIMEOUT: Duration = Duration::from_secs(45);

/// One `toolgate` process and its data folder; dropping it kills the process.
///
/// Starting and stopping block the calling thread. A test that serves an upstream on the same thread
/// (a current-thread runtime) calls [`RunningService::send_terminate`] and waits after the upstream has responded.
#[derive(Debug)]
pub struct RunningService {
    builder: ServiceBuilder,
    child: Child,
    stdout: CapturedOutput,
    stderr: CapturedOutput,
    api_base: String,
}

impl RunningService {
    /// Configures a process of `binary`, usually `env!("CARGO_BIN_EXE_toolgate")`.
    pub fn builder(binary: impl AsRef<Path>) -> ServiceBuilder {
        ServiceBuilder::new(binary.as_ref())
    }

    /// The URL of the management API, without a trailing slash.
    pub fn api_base(&self) -> &str {
        &self.api_base
    }

    /// `http://host:port`, the origin of all URLs of this process.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address())
    }

    /// `host:port`, for raw sockets.
    pub fn address(&self) -> &str {
        banner::authority(&self.api_base).unwrap_or_else(|| panic!("api_base has no address: {}", self.api_base))
    }

    /// The URL of the console in the banner.
    pub fn console_url(&self) -> Option<String> {
        banner::value(&self.stdout(), "console")
    }

    /// The administrator's key: the configured one, or the one that the process created and wrote to its file.
    pub fn key(&self) -> String {
        if let Some(key) = self.builder.key() {
            return key.to_owned();
        }
        let file = self.data_dir().join("admin-key");
        let key = std::fs::read_to_string(&file);
        key.unwrap_or_else(|error| panic!("{}: {error}: {}", file.display(), self.stdout())).trim_end().to_owned()
    }

    /// A client of the management API with the administrator's key.
    pub fn client(&self) -> Client {
        Client::new(&self.api_base, Some(&self.key()))
    }

    /// A client of the management API with another key, or none.
    pub fn client_with_key(&self, key: Option<&str>) -> Client {
        Client::new(&self.api_base, key)
    }

    /// The temporary `PostgreSQL` database that the service uses, if any.
    pub fn temporary_database(&self) -> Option<&TestDatabase> {
        self.builder.temporary_database()
    }

    /// The folder with the database file, the keys and the journal.
    pub fn data_dir(&self) -> &Path {
        self.builder.data_path()
    }

    /// The log so far (stderr).
    pub fn logs(&self) -> String {
        self.stderr.text()
    }

    /// The output so far (stdout).
    pub fn stdout(&self) -> String {
        self.stdout.text()
    }

    /// Waits until the log contains `text`.
    #[track_caller]
    pub fn wait_for_log(&self, text: &str, timeout: Duration) {
        let has_text = |log: &str| log.contains(text).then_some(());
        if let Err(error) = self.stderr.wait_for(timeout, has_text) {
            panic!("{text:?} is not in the log, {error}:\n{}", self.logs());
        }
    }

    /// The process id, for tests of memory or file descriptors.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills the process as a power cut would (SIGKILL) and waits for its end.
    pub fn kill(&mut self) {
        // An error means that the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.wait_for_output();
    }

    /// Sends SIGTERM to the process and waits for its end.
    #[track_caller]
    pub fn terminate(&mut self) -> ExitStatus {
        self.send_terminate();
        self.wait()
    }

    /// Sends SIGTERM to the process without waiting.
    #[track_caller]
    pub fn send_terminate(&self) {
        self.signal("TERM");
    }

    /// Suspends the process until [`RunningService::resume`]; the kernel still completes connections to it.
    #[track_caller]
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Resumes the process after a pause.
    #[track_caller]
    pub fn resume(&self) {
        self.signal("CONT");
    }

    #[track_caller]
    fn signal(&self, name: &str) {
        // Uses the shell's built-in `kill`, because small systems lack the program.
        let status = Command::new("sh")
            .args(["-c", "kill -s \"$0\" \"$1\"", name, &self.pid().to_string()])
            .stdin(Stdio::null())
            .status()
            .expect("sh can be run");
        assert!(status.success(), "SIG{name} could not be sent: {status}");
    }

    /// Waits for the end of a process after SIGTERM.
    #[track_caller]
    pub fn wait(&mut self) -> ExitStatus {
        if let Err(error) = self.stdout.wait_for_close(STOP_TIMEOUT) {
            self.kill();
            panic!("the process did not stop, {error}:\n{}", self.logs());
        }
        self.wait_for_output();
        self.child.wait().expect("a child process can be waited for")
    }

    /// A command of the same binary on the same data folder and database, for `key list`, `check` and others.
    pub fn command(&self) -> std::process::Command {
        self.builder.command()
    }

    /// Restarts the process on the same data folder; kills it first if it still runs.
    /// Its address changes, so create a new client.
    #[track_caller]
    pub fn restart(&mut self) {
        self.kill();
        *self = self.builder.clone().start();
    }

    /// Waits until the threads that read the output of the ended process are done.
    fn wait_for_output(&self) {
        for output in [&self.stdout, &self.stderr] {
            let _ = output.wait_for_close(Duration::from_secs(2));
        }
    }
}

impl Drop for RunningService {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests;
