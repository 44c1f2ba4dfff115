//! One running `toolgate` process, known only by what it prints and answers.

mod banner;
mod builder;

pub use builder::{AppBuilder, StartError};

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::http::Client;
use crate::lines::Lines;

/// The administrator's key of an [`App`] unless its builder was told otherwise.
pub const TEST_KEY: &str = "tg_test_0123456789abcdefghijklmnopqrstuvwxyz";

/// Longer than the 30 seconds in which a service may drain after SIGTERM.
const STOP_PATIENCE: Duration = Duration::from_secs(45);

/// One `toolgate` process and its data folder; dropping it ends the process.
///
/// Starting and stopping block the calling thread. A test that serves an upstream on the same thread
/// (a current-thread runtime) uses [`App::send_terminate`] and waits once the upstream has answered.
#[derive(Debug)]
pub struct App {
    builder: AppBuilder,
    child: Child,
    stdout: Lines,
    stderr: Lines,
    api_base: String,
}

impl App {
    /// Prepares a process of `binary`, usually `env!("CARGO_BIN_EXE_toolgate")`.
    pub fn builder(binary: impl AsRef<Path>) -> AppBuilder {
        AppBuilder::new(binary.as_ref())
    }

    /// Starts `binary` with `SQLite` in a data folder of its own.
    pub fn start(binary: impl AsRef<Path>) -> Self {
        Self::builder(binary).start()
    }

    /// The address of the management API, without a slash at its end.
    pub fn api_base(&self) -> &str {
        &self.api_base
    }

    /// `http://host:port`, the start of every address of this process.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address())
    }

    /// `host:port`, for raw sockets.
    pub fn address(&self) -> &str {
        banner::address_of(&self.api_base).unwrap_or_else(|| panic!("api_base has no address: {}", self.api_base))
    }

    /// The console's address as the banner prints it.
    pub fn console_url(&self) -> Option<String> {
        banner::value(&self.stdout(), "console")
    }

    /// The administrator's key: the one given at start, or the one that the process printed.
    pub fn key(&self) -> String {
        if let Some(key) = self.builder.key() {
            return key.to_owned();
        }
        let printed = self.stdout.wait_for(Duration::from_secs(5), |text| banner::value(text, "key"));
        printed.unwrap_or_else(|error| panic!("no key was printed, {error}: {}", self.stdout()))
    }

    /// A client of the management API with the administrator's key.
    pub fn client(&self) -> Client {
        Client::new(&self.api_base, Some(&self.key()))
    }

    /// A client of the management API with another key, or none.
    pub fn client_with(&self, key: Option<&str>) -> Client {
        Client::new(&self.api_base, key)
    }

    /// The folder with the database file, keys and journal.
    pub fn data_dir(&self) -> &Path {
        self.builder.data_path()
    }

    /// What the process logged so far (its stderr).
    pub fn logs(&self) -> String {
        self.stderr.text()
    }

    /// What the process printed so far (its stdout).
    pub fn stdout(&self) -> String {
        self.stdout.text()
    }

    /// Waits until the log holds `text`.
    #[track_caller]
    pub fn wait_for_log(&self, text: &str, patience: Duration) {
        let found = |log: &str| log.contains(text).then_some(());
        if let Err(error) = self.stderr.wait_for(patience, found) {
            panic!("{text:?} is not in the log, {error}:\n{}", self.logs());
        }
    }

    /// The process id, for a test that looks at memory or descriptors.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends the process as a power cut would (SIGKILL) and waits until it is gone.
    pub fn kill(&mut self) {
        // An error means that it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.read_the_rest();
    }

    /// Asks the process to stop (SIGTERM) and waits for its end.
    #[track_caller]
    pub fn terminate(&mut self) -> ExitStatus {
        self.send_terminate();
        self.wait()
    }

    /// Asks the process to stop (SIGTERM) without waiting.
    #[track_caller]
    pub fn send_terminate(&self) {
        self.signal("TERM");
    }

    /// Lets the process do nothing, until [`App::resume`]: the system goes on making connections for it.
    #[track_caller]
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Lets the process go on after a pause, with all that came meanwhile.
    #[track_caller]
    pub fn resume(&self) {
        self.signal("CONT");
    }

    #[track_caller]
    fn signal(&self, name: &str) {
        // A shell's own kill: the program of that name is missing on small systems.
        let status = Command::new("sh")
            .args(["-c", "kill -s \"$0\" \"$1\"", name, &self.pid().to_string()])
            .stdin(Stdio::null())
            .status()
            .expect("sh can be run");
        assert!(status.success(), "SIG{name} could not be sent: {status}");
    }

    /// Waits for the end of a process that was asked to stop.
    #[track_caller]
    pub fn wait(&mut self) -> ExitStatus {
        if let Err(error) = self.stdout.wait_for_close(STOP_PATIENCE) {
            self.kill();
            panic!("the process did not stop, {error}:\n{}", self.logs());
        }
        self.read_the_rest();
        self.child.wait().expect("our own child can be waited for")
    }

    /// A command of the same binary on the same data folder and database, for `key list`, `check` and the like.
    pub fn command(&self) -> std::process::Command {
        self.builder.command()
    }

    /// Starts the process again on the same data folder, after ending it if it still runs.
    /// Its address changes, so ask for a new client.
    #[track_caller]
    pub fn restart(&mut self) {
        self.kill();
        *self = self.builder.clone().start();
    }

    /// The process is gone; lets the threads that collect its last words come to their end.
    fn read_the_rest(&self) {
        for lines in [&self.stdout, &self.stderr] {
            let _ = lines.wait_for_close(Duration::from_secs(2));
        }
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests;
