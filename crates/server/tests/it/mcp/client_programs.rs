//! Runs the third-party programs that `scripts/mcp-clients` installs.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use tempfile::TempDir;

use crate::external_tools;

/// The environment variable with the folder that `scripts/mcp-clients` prints.
const FOLDER_ENV: &str = "TOOLGATE_MCP_CLIENTS";
/// Limit of one run; the slowest program, the conformance suite, takes about ten seconds.
const RUN_TIMEOUT: Duration = Duration::from_secs(150);

/// The folder of the installed programs.
pub(super) struct ClientPrograms {
    folder: PathBuf,
    /// A temporary home directory, because some programs write files there.
    home: TempDir,
}

/// The output of a program.
pub(super) struct ProgramOutput {
    pub(super) status: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl ClientPrograms {
    /// `None` if nothing is installed; the test then returns immediately.
    pub(super) fn find() -> Option<Self> {
        let folder = external_tools::installed_path(FOLDER_ENV, "scripts/mcp-clients")?;
        assert!(
            folder.join("node_modules").is_dir(),
            "{FOLDER_ENV} is {}, which has no node_modules",
            folder.display()
        );
        Some(Self { folder, home: tempfile::tempdir().unwrap() })
    }

    /// A Python program of `tests/clients`.
    pub(super) fn python(&self, program: &str) -> Command {
        let mut command = self.command("python/bin/python");
        command.arg(client_program(program)).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    /// A JavaScript program of `tests/clients`. It is read from standard input, so that its imports are resolved in the
    /// working directory.
    pub(super) fn javascript(&self, program: &str) -> Command {
        let mut command = self.command("bin/node");
        command.args(["--input-type=module", "-"]).stdin(File::open(client_program(program)).unwrap());
        command
    }

    /// A command of an installed package.
    pub(super) fn package_command(&self, name: &str) -> Command {
        let mut command = self.command("bin/node");
        command.arg(self.folder.join("node_modules/.bin").join(name));
        command
    }

    /// A command with a clean environment, without proxies or settings.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.folder.join(program));
        command.env_clear().env("HOME", self.home.path()).current_dir(&self.folder).stdin(Stdio::null());
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }
}

impl fmt::Display for ProgramOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, stdout, stderr } = self;
        write!(f, "exit status {status:?}\nstdout:\n{stdout}\nstderr:\n{stderr}")
    }
}

/// Runs a program to its end.
pub(super) fn run(mut command: Command) -> ProgramOutput {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (stdout, stderr) =
        (read_in_background(child.stdout.take().unwrap()), read_in_background(child.stderr.take().unwrap()));
    let stdout =
        stdout.recv_timeout(RUN_TIMEOUT).unwrap_or_else(|error| fail_after_timeout(&mut child, &command, error));
    let stderr =
        stderr.recv_timeout(RUN_TIMEOUT).unwrap_or_else(|error| fail_after_timeout(&mut child, &command, error));
    ProgramOutput { status: child.wait().unwrap().code(), stdout, stderr }
}

/// Reads a stream to its end in another thread.
fn read_in_background(mut stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        // Sending fails only after the timeout, when the receiver is gone.
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}

fn fail_after_timeout(child: &mut Child, command: &Command, error: RecvTimeoutError) -> String {
    let _ = child.kill();
    panic!("{command:?} did not finish ({error})");
}

fn client_program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}
