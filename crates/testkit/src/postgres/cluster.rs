//! A `PostgreSQL` cluster for one test, which can stop, kill and restart it.
//!
//! The server is a direct child of the test and stays in its process group, so it also ends with an
//! interrupted test run.

use std::fs;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::binaries::{Account, Binaries};
use super::database::TestDatabase;
use super::url::with_database;
use crate::output::CapturedOutput;
use crate::ports::free_port;

/// How many ports are tried at the first start.
const PORTS_MAX: usize = 5;
const START_TIMEOUT: Duration = Duration::from_mins(1);
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// The log message of a server that accepts connections.
const READY_MESSAGE: &str = "database system is ready to accept connections";

/// Options of a cluster.
#[derive(Debug, Clone, Default)]
pub struct PostgresOptions {
    /// Leaves `fsync` on, for tests of crash recovery; slower.
    pub is_durable: bool,
    /// Further server settings, as `name=value`.
    pub settings: Vec<String>,
}

/// A cluster in a temporary folder; dropping it stops the server and removes the folder.
#[derive(Debug)]
pub struct PostgresCluster {
    binaries: Binaries,
    account: Option<Account>,
    options: PostgresOptions,
    port: u16,
    server: Option<PostgresProcess>,
    folder: TempDir,
}

#[derive(Debug)]
struct PostgresProcess {
    child: Child,
    log: CapturedOutput,
}

impl PostgresCluster {
    pub(super) fn start_new(binaries: Binaries, options: PostgresOptions) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let account = Account::for_root();
        if let Some(account) = account {
            chown(folder.path(), Some(account.uid), Some(account.gid)).expect("root may change the owner of a folder");
        }
        let mut cluster = Self { binaries, account, options, port: 0, server: None, folder };
        cluster.init();
        cluster.start_on_a_free_port();
        cluster
    }

    /// The URL of the database `postgres` as superuser; the same after every start.
    pub fn url(&self) -> String {
        format!("postgres://toolgate@127.0.0.1:{}/postgres", self.port)
    }

    /// The same database over the Unix socket.
    pub fn socket_url(&self) -> String {
        let folder = self.folder.path().display();
        let port = self.port;
        format!("postgres://toolgate@localhost:{port}/postgres?host={folder}")
    }

    /// The URL of another database of this cluster.
    pub fn database_url(&self, database: &str) -> String {
        with_database(&self.url(), database)
    }

    /// Creates a database in this cluster.
    pub fn fresh_database(&self) -> TestDatabase {
        TestDatabase::create(&self.binaries, &self.url())
    }

    /// Whether the server has been started and not stopped or killed since.
    pub fn is_running(&self) -> bool {
        self.server.is_some()
    }

    /// The server log since its last start.
    pub fn logs(&self) -> String {
        self.server.as_ref().map_or_else(String::new, PostgresProcess::logs)
    }

    /// Starts the server after a stop or a kill, and waits until it accepts connections.
    #[track_caller]
    pub fn start(&mut self) {
        assert!(!self.is_running(), "the server runs already");
        if let Err(log) = self.try_start() {
            panic!("PostgreSQL did not start:\n{log}");
        }
    }

    /// Shuts the server down (mode "fast", which closes connections), and waits for its end.
    pub fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop("INT");
        }
    }

    /// Kills the server and all its backends (SIGKILL), without notice to clients or a write to disk;
    /// the next start recovers.
    pub fn kill(&mut self) {
        if let Some(server) = self.server.take() {
            server.kill_all();
        }
    }

    /// Suspends the server and all its backends (SIGSTOP) until [`PostgresCluster::resume`]: connections stay open, and
    /// the kernel completes new ones, but nothing is answered.
    #[track_caller]
    pub fn pause(&self) {
        self.signal_all("STOP");
    }

    /// Suspends these backends only, until [`PostgresCluster::resume`]: as if the network had dropped their connections
    /// silently.
    #[track_caller]
    pub fn pause_backends(&self, pids: &[String]) {
        send_signal("STOP", pids);
    }

    /// Continues after a pause, with the statements that arrived in the meantime.
    #[track_caller]
    pub fn resume(&self) {
        self.signal_all("CONT");
    }

    /// The server gets the signal first, so that it starts no backend in between.
    #[track_caller]
    fn signal_all(&self, signal: &str) {
        let server = self.server.as_ref().expect("the server runs").child.id();
        for pids in [vec![server.to_string()], children_of(server)] {
            send_signal(signal, &pids);
        }
    }

    fn init(&self) {
        let output = self
            .command("initdb")
            .args(["--no-sync", "-A", "trust", "-U", "toolgate"])
            .args(["-E", "UTF8", "--locale=C", "-D"])
            .arg(self.data_folder())
            .output()
            .expect("initdb can be run");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "initdb failed: {errors}");
    }

    /// Another process may take the port before the server binds it: retries with another one.
    fn start_on_a_free_port(&mut self) {
        let mut log = String::new();
        for _ in 0..PORTS_MAX {
            self.port = free_port();
            match self.try_start() {
                Ok(()) => return,
                Err(server_log) => log = server_log,
            }
        }
        panic!("PostgreSQL did not start:\n{log}");
    }

    fn try_start(&mut self) -> Result<(), String> {
        let mut child = self.server_command().spawn().expect("the server can be run");
        let log = CapturedOutput::from_stream(child.stderr.take().expect("stderr is piped"));
        let server = PostgresProcess { child, log };
        let is_ready = |log: &str| log.contains(READY_MESSAGE).then_some(());
        if server.log.wait_for(START_TIMEOUT, is_ready).is_ok() {
            self.server = Some(server);
            return Ok(());
        }
        Err(server.kill_all())
    }

    fn server_command(&self) -> Command {
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.data_folder());
        command.arg("-k").arg(self.folder.path());
        command.args(["-p", &self.port.to_string()]);
        command.args(["-c", "listen_addresses=127.0.0.1"]);
        command.args(["-c", "max_connections=100"]);
        if !self.options.is_durable {
            command.args(["-c", "fsync=off"]);
        }
        for setting in &self.options.settings {
            command.args(["-c", setting]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::piped());
        command
    }

    fn command(&self, program: &str) -> Command {
        let mut command = self.binaries.command(program);
        command.current_dir(self.folder.path());
        if let Some(account) = self.account {
            command.uid(account.uid).gid(account.gid);
        }
        command
    }

    fn data_folder(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

impl Drop for PostgresCluster {
    /// Shuts the server down (mode "immediate", in which it also ends its backends).
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop("QUIT");
        }
    }
}

impl PostgresProcess {
    fn logs(&self) -> String {
        self.log.text()
    }

    fn stop(mut self, signal: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("sh").args(["-c", "kill -s \"$0\" \"$1\"", signal, &pid]).status();
        let is_gone = sent.is_ok() && self.log.wait_for_close(STOP_TIMEOUT).is_ok();
        if is_gone {
            let _ = self.child.wait();
        } else {
            self.kill_all();
        }
    }

    /// Kills the server first and then its backends: a remaining backend would hold the shared memory and
    /// block recovery at the next start. Returns the log.
    fn kill_all(mut self) -> String {
        let backends = children_of(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        if !backends.is_empty() {
            let _ = Command::new("sh")
                .args(["-c", "kill -KILL \"$@\"", "kill"])
                .args(&backends)
                .stderr(Stdio::null())
                .status();
        }
        // All of them hold the log's pipe open: it closes with the last one.
        let _ = self.log.wait_for_close(STOP_TIMEOUT);
        self.logs()
    }
}

/// A backend may end by itself before the signal is sent, so a failure of `kill` is not an error.
#[track_caller]
fn send_signal(signal: &str, pids: &[String]) {
    let sent = Command::new("sh").args(["-c", "kill -s \"$0\" \"$@\"", signal]).args(pids).status();
    assert!(sent.is_ok(), "SIG{signal} could not be sent");
}

/// The direct children of a process, from `/proc`.
fn children_of(parent: u32) -> Vec<String> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
        .filter(|pid| parent_of(&Path::new("/proc").join(pid)) == Some(parent))
        .collect()
}

/// The parent is the fourth field of `stat`; the second one, the name, ends with the last parenthesis.
fn parent_of(process: &Path) -> Option<u32> {
    let stat = fs::read_to_string(process.join("stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(1)?.parse().ok()
}
