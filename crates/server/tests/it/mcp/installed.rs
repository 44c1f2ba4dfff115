//! The programs of other projects that `scripts/mcp-clients` installed, and running one of them.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use tempfile::TempDir;

use crate::left_out;

/// Names the folder that `scripts/mcp-clients` prints.
const VARIABLE: &str = "TOOLGATE_MCP_CLIENTS";
/// The slowest, the conformance suite, takes about ten seconds.
const PATIENCE: Duration = Duration::from_secs(150);

/// The folder of the installed programs.
pub(super) struct Installed {
    folder: PathBuf,
    /// Some leave files in the home of whoever runs them.
    home: TempDir,
}

/// What a program said.
pub(super) struct Said {
    pub(super) status: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Installed {
    /// `None` where nothing is installed: the test is to return at once.
    pub(super) fn find() -> Option<Self> {
        let folder = left_out::folder(VARIABLE, "scripts/mcp-clients")?;
        assert!(folder.join("node_modules").is_dir(), "{VARIABLE} names {}, which is empty", folder.display());
        Some(Self { folder, home: tempfile::tempdir().unwrap() })
    }

    /// One of our own programs in Python.
    pub(super) fn python(&self, program: &str) -> Command {
        let mut command = self.command("python/bin/python");
        command.arg(our_program(program)).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    /// One of our own programs in JavaScript. It is read from standard input, because its imports are then looked
    /// for in the folder it runs in.
    pub(super) fn javascript(&self, program: &str) -> Command {
        let mut command = self.command("bin/node");
        command.args(["--input-type=module", "-"]).stdin(File::open(our_program(program)).unwrap());
        command
    }

    /// A command that an installed package brings.
    pub(super) fn package_command(&self, name: &str) -> Command {
        let mut command = self.command("bin/node");
        command.arg(self.folder.join("node_modules/.bin").join(name));
        command
    }

    /// Nothing of our own environment gets in: no proxy, no settings.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.folder.join(program));
        command.env_clear().env("HOME", self.home.path()).current_dir(&self.folder).stdin(Stdio::null());
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, stdout, stderr } = self;
        write!(f, "exit status {status:?}\nstdout:\n{stdout}\nstderr:\n{stderr}")
    }
}

/// Runs a program to its end.
pub(super) fn run(mut command: Command) -> Said {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (stdout, stderr) = (collect(child.stdout.take().unwrap()), collect(child.stderr.take().unwrap()));
    let stdout = stdout.recv_timeout(PATIENCE).unwrap_or_else(|error| give_up(&mut child, &command, error));
    let stderr = stderr.recv_timeout(PATIENCE).unwrap_or_else(|error| give_up(&mut child, &command, error));
    Said { status: child.wait().unwrap().code(), stdout, stderr }
}

fn collect(mut stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        // Nobody listens any more when the patience was over.
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}

fn give_up(child: &mut Child, command: &Command, error: RecvTimeoutError) -> String {
    let _ = child.kill();
    panic!("{command:?} did not end ({error})");
}

fn our_program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}
