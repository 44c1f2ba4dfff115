//! Child processes: nginx and the minimal gateway (`bench/minimal`).

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// A child process that is stopped on drop.
pub(crate) struct Process {
    child: Child,
}

impl Process {
    pub(crate) fn start(command: &mut Command) -> Self {
        Self { child: command.spawn().expect("the program starts") }
    }

    /// Starts a program that prints its address as its first line.
    pub(crate) fn start_with_address(command: &mut Command) -> (Self, String) {
        let mut process = Self::start(command.stdout(Stdio::piped()));
        let mut line = String::new();
        let stdout = process.child.stdout.take().expect("stdout is piped");
        BufReader::new(stdout).read_line(&mut line).expect("the program prints its address");
        (process, line.trim().to_owned())
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // SIGTERM lets nginx stop its workers; after SIGKILL they would keep running.
        // Uses the shell's built-in `kill`, because small systems lack the program.
        let id = self.child.id().to_string();
        let signalled = Command::new("sh").args(["-c", "kill -s TERM \"$0\"", &id]).status();
        if !signalled.is_ok_and(|status| status.success()) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
