//! A real Redis for one test, which can stop, pause and restart it.
//!
//! It listens on a loopback port, requires a password, writes no file except for [`Redis::dump`], and is a direct child
//! process of the test. Tests are skipped with a message on stderr if Redis is not installed, except under `CI=true`.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::time::Duration;

use tempfile::TempDir;

use crate::output::CapturedOutput;
use crate::ports::free_port;

/// The password of every [`Redis`].
pub const PASSWORD: &str = "redis-password-0123456789";

/// How many ports are tried at the first start.
const PORTS_MAX: usize = 5;
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// The log message of a server that accepts connections.
const READY_MESSAGE: &str = "Ready to accept connections";

/// A Redis server, which stops when the value is dropped.
#[derive(Debug)]
pub struct Redis {
    port: u16,
    folder: TempDir,
    server: Option<Child>,
}

impl Redis {
    /// Starts a server. `None` if Redis is not installed: the test must return.
    pub fn start() -> Option<Self> {
        let is_installed = |program| Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok();
        if !is_installed("redis-server") || !is_installed("redis-cli") {
            return skip();
        }
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let mut redis = Self { port: 0, folder, server: None };
        // Another process may take the port before the server binds it: retry with another one.
        for _ in 0..PORTS_MAX {
            redis.port = free_port();
            if redis.try_start() {
                return Some(redis);
            }
        }
        panic!("Redis did not start");
    }

    /// The URL with the password; the same after every start.
    pub fn url(&self) -> String {
        format!("redis://:{PASSWORD}@127.0.0.1:{}/0", self.port)
    }

    /// Kills the server; its data is lost.
    pub fn stop(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = server.kill();
            let _ = server.wait();
        }
    }

    /// Starts the server after a stop, without data, and waits until it accepts connections.
    #[track_caller]
    pub fn restart(&mut self) {
        assert!(self.server.is_none() && self.try_start(), "Redis did not start again");
    }

    /// Stops responding until [`Redis::resume`]; connections stay open.
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Continues after a pause, with the requests that arrived in the meantime.
    pub fn resume(&self) {
        self.signal("CONT");
    }

    /// The output of `redis-cli` for these arguments.
    #[track_caller]
    pub fn cli(&self, args: &[&str]) -> String {
        let output = Command::new("redis-cli")
            .args(["-h", "127.0.0.1", "-p", &self.port.to_string(), "--no-auth-warning"])
            .env("REDISCLI_AUTH", PASSWORD)
            .args(args)
            .output()
            .expect("redis-cli can be run");
        assert!(output.status.success(), "redis-cli {args:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// All keys, sorted.
    pub fn keys(&self) -> Vec<String> {
        let mut keys: Vec<_> = self.cli(&["--scan"]).lines().map(str::to_owned).collect();
        keys.sort();
        keys
    }

    /// A dump of all keys and values.
    pub fn dump(&self) -> Vec<u8> {
        self.cli(&["SAVE"]);
        fs::read(self.folder.path().join("dump.rdb")).expect("Redis saved its file")
    }

    fn try_start(&mut self) -> bool {
        let mut server = Command::new("redis-server")
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--requirepass", PASSWORD])
            .args(["--save", "", "--appendonly", "no", "--rdbcompression", "no", "--daemonize", "no", "--dir"])
            .arg(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("redis-server can be run");
        let log = CapturedOutput::from_stream(server.stdout.take().expect("stdout is piped"));
        let is_ready = log.wait_for(START_TIMEOUT, |log| log.contains(READY_MESSAGE).then_some(())).is_ok();
        if !is_ready {
            let _ = server.kill();
        }
        self.server = Some(server);
        is_ready
    }

    fn signal(&self, signal: &str) {
        let pid = self.server.as_ref().expect("the server runs").id().to_string();
        let sent = Command::new("sh").args(["-c", "kill -s \"$0\" \"$1\"", signal, &pid]).status();
        assert!(sent.is_ok_and(|status| status.success()), "SIG{signal} could not be sent");
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.stop();
    }
}

fn skip<T>() -> Option<T> {
    static WARNED: Once = Once::new();
    let advice = "redis-server or redis-cli was not found; install them (Debian: package redis-server)";
    assert!(std::env::var("CI").as_deref() != Ok("true"), "no test may be skipped under CI=true: {advice}");
    // Not eprintln!: the test harness would hide it in a test that passes.
    WARNED.call_once(|| {
        let _ = writeln!(std::io::stderr(), "Redis tests are skipped: {advice}");
    });
    None
}
