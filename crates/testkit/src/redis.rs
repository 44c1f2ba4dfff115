//! A real Redis of one test, to be stopped, paused and started again.
//!
//! It listens on a loopback port, wants a password, keeps no file unless asked for what it holds, and is a direct child
//! of the test. Without the programs, tests are left out with a word on stderr, except under `CI=true`.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::time::Duration;

use tempfile::TempDir;

use crate::lines::Lines;
use crate::postgres::free_port;

/// The password of every [`Redis`].
pub const PASSWORD: &str = "redis-password-0123456789";

const PATIENCE: Duration = Duration::from_secs(30);
const READY: &str = "Ready to accept connections";

/// A server; dropping it ends it.
#[derive(Debug)]
pub struct Redis {
    port: u16,
    folder: TempDir,
    server: Option<Child>,
}

impl Redis {
    /// A running server of its own. `None` when there is no Redis: the test is to return at once.
    pub fn start() -> Option<Self> {
        let is_there = |program| Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok();
        if !is_there("redis-server") || !is_there("redis-cli") {
            return leave_out();
        }
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let mut redis = Self { port: 0, folder, server: None };
        // Another process may take the port between our look and the server's: then we look again.
        for _ in 0..5 {
            redis.port = free_port();
            if redis.try_start() {
                return Some(redis);
            }
        }
        panic!("Redis did not start");
    }

    /// Its address with the password; the same after every start.
    pub fn url(&self) -> String {
        format!("redis://:{PASSWORD}@127.0.0.1:{}/0", self.port)
    }

    /// Ends it at once; all that it held is gone.
    pub fn stop(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = server.kill();
            let _ = server.wait();
        }
    }

    /// Starts it again after a stop, empty, and waits until it accepts connections.
    #[track_caller]
    pub fn start_again(&mut self) {
        assert!(self.server.is_none() && self.try_start(), "Redis did not start again");
    }

    /// Leaves its connections open and answers nothing, until [`Redis::resume`].
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Goes on after a pause, with what was asked meanwhile.
    pub fn resume(&self) {
        self.signal("CONT");
    }

    /// What `redis-cli` says to these words.
    #[track_caller]
    pub fn cli(&self, words: &[&str]) -> String {
        let output = Command::new("redis-cli")
            .args(["-h", "127.0.0.1", "-p", &self.port.to_string(), "--no-auth-warning"])
            .env("REDISCLI_AUTH", PASSWORD)
            .args(words)
            .output()
            .expect("redis-cli can be run");
        assert!(output.status.success(), "redis-cli {words:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// The names of all that it holds, in order.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.cli(&["--scan"]).lines().map(str::to_owned).collect();
        names.sort();
        names
    }

    /// Every byte that it holds, names and values.
    pub fn bytes(&self) -> Vec<u8> {
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
        let log = Lines::collect(server.stdout.take().expect("stdout is piped"));
        let is_ready = log.wait_for(PATIENCE, |log| log.contains(READY).then_some(())).is_ok();
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

fn leave_out<T>() -> Option<T> {
    static SAID: Once = Once::new();
    let words = "redis-server or redis-cli was not found; install Debian's package redis-server or its like";
    assert!(std::env::var("CI").as_deref() != Ok("true"), "under CI=true no test may be left out: {words}");
    // Not eprintln!: the test harness would hide it in a test that passes.
    SAID.call_once(|| {
        let _ = writeln!(std::io::stderr(), "Redis tests are left out: {words}");
    });
    None
}
