//! A real Redis or Valkey for one test, which can stop, pause and restart it; also with TLS, and as a Redis Cluster.
//!
//! It listens on a loopback port, requires a password, writes no file except for [`Redis::dump`], and is a direct child
//! process of the test. Tests are skipped with a message on stderr if Redis is not installed, except under `CI=true`.

mod redis_cluster;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::time::Duration;

use tempfile::TempDir;

use crate::output::CapturedOutput;
use crate::ports::free_port;

pub use redis_cluster::RedisCluster;

/// The folder of the programs of Valkey, `valkey-server` and `valkey-cli`; see scripts/valkey.
const VALKEY_VARIABLE: &str = "TOOLGATE_VALKEY";

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
    mode: RedisMode,
    /// `redis-server` and `redis-cli`, or those of Valkey.
    programs: [PathBuf; 2],
    folder: TempDir,
    server: Option<Child>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RedisMode {
    Plain,
    /// The certificate and its CA are in the folder of the server.
    Tls,
    ClusterNode,
}

impl Redis {
    /// Starts a server. `None` if Redis is not installed: the test must return.
    pub fn start() -> Option<Self> {
        Self::start_programs(RedisMode::Plain, ["redis-server".into(), "redis-cli".into()])
    }

    /// Starts a server that accepts only TLS. `None` if Redis or openssl is not installed.
    pub fn start_with_tls() -> Option<Self> {
        if !is_installed(Path::new("openssl"), "version") {
            return skip("openssl was not found; install it (Debian: package openssl)");
        }
        Self::start_programs(RedisMode::Tls, ["redis-server".into(), "redis-cli".into()])
    }

    /// Starts Valkey. `None` if `TOOLGATE_VALKEY` is not set to the output of `scripts/valkey`. This is not an error
    /// under `CI=true`: Debian's archive may no longer have the package that the script downloads.
    pub fn start_valkey() -> Option<Self> {
        let folder = std::env::var_os(VALKEY_VARIABLE).filter(|folder| !folder.is_empty())?;
        let program = |name| Path::new(&folder).join(name);
        Self::start_programs(RedisMode::Plain, [program("valkey-server"), program("valkey-cli")])
    }

    fn start_programs(mode: RedisMode, programs: [PathBuf; 2]) -> Option<Self> {
        if !programs.iter().all(|program| is_installed(program, "--version")) {
            return skip("redis-server or redis-cli was not found; install them (Debian: package redis-server)");
        }
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        if mode == RedisMode::Tls {
            create_certificates(folder.path());
        }
        let mut redis = Self { port: 0, mode, programs, folder, server: None };
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
        self.url_for("", PASSWORD)
    }

    /// The URL with this user and password.
    pub fn url_for(&self, user: &str, password: &str) -> String {
        let scheme = match self.mode {
            RedisMode::Plain => "redis",
            RedisMode::Tls => "rediss",
            RedisMode::ClusterNode => "redis+cluster",
        };
        format!("{scheme}://{user}:{password}@127.0.0.1:{}/0", self.port)
    }

    /// The file with the CA certificate of a server with TLS.
    pub fn ca_file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
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
        let mut command = Command::new(&self.programs[1]);
        if self.mode == RedisMode::Tls {
            command.arg("--tls").arg("--cacert").arg(self.ca_file());
        }
        let output = command
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
        let mut server = Command::new(&self.programs[0])
            .args(self.mode_arguments())
            .args(["--bind", "127.0.0.1", "--requirepass", PASSWORD])
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

    fn mode_arguments(&self) -> Vec<String> {
        let port = self.port.to_string();
        let file = |name: &str| self.folder.path().join(name).display().to_string();
        let arguments = match self.mode {
            RedisMode::Plain => vec!["--port", &port],
            RedisMode::Tls => vec!["--port", "0", "--tls-port", &port, "--tls-auth-clients", "no"],
            RedisMode::ClusterNode => vec!["--port", &port, "--cluster-enabled", "yes"],
        };
        let mut arguments: Vec<_> = arguments.into_iter().map(str::to_owned).collect();
        match self.mode {
            RedisMode::Plain => {}
            RedisMode::Tls => {
                for (name, value) in
                    [("--tls-cert-file", "cert.pem"), ("--tls-key-file", "key.pem"), ("--tls-ca-cert-file", "ca.pem")]
                {
                    arguments.extend([name.to_owned(), file(value)]);
                }
            }
            // The port on which the nodes of a cluster speak to each other.
            RedisMode::ClusterNode => arguments.extend(["--cluster-port".to_owned(), free_port().to_string()]),
        }
        arguments
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

fn is_installed(program: &Path, version_argument: &str) -> bool {
    Command::new(program).arg(version_argument).stdout(Stdio::null()).status().is_ok()
}

/// Creates a CA, and a certificate for the loopback address signed by it: clients refuse a server certificate that is
/// its own CA.
fn create_certificates(folder: &Path) {
    let openssl = |arguments: &str| {
        let output = Command::new("openssl").args(arguments.split(' ')).current_dir(folder).output();
        let output = output.expect("openssl can be run");
        assert!(output.status.success(), "openssl {arguments}: {output:?}");
    };
    fs::write(folder.join("extensions"), "subjectAltName=IP:127.0.0.1").expect("the folder can be written");
    let new_key = "-nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1";
    openssl(&format!("req -x509 -days 2 {new_key} -subj /CN=authority -keyout ca-key.pem -out ca.pem"));
    openssl(&format!("req {new_key} -subj /CN=redis -keyout key.pem -out request.pem"));
    openssl(
        "x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 2 -extfile extensions -out cert.pem",
    );
}

fn skip<T>(advice: &str) -> Option<T> {
    static WARNED: Once = Once::new();
    assert!(std::env::var("CI").as_deref() != Ok("true"), "no test may be skipped under CI=true: {advice}");
    // Not eprintln!: the test harness would hide it in a test that passes.
    WARNED.call_once(|| {
        let _ = writeln!(std::io::stderr(), "Redis tests are skipped: {advice}");
    });
    None
}
