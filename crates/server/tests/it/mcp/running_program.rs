//! A program that serves until the test ends: the Inspector, or a third-party issuer.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// How long a start may take. A busy machine needs several seconds.
const START_TIMEOUT: Duration = Duration::from_secs(90);

/// A running process, which is killed when the value is dropped.
pub(super) struct RunningProgram {
    process: Child,
    /// The URL that the program printed.
    pub(super) url: String,
}

impl RunningProgram {
    /// Starts a program and waits for a line that begins with a URL. Its standard error appears in the output of a
    /// failed test.
    pub(super) fn start(mut command: Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let stdout = process.stdout.take().unwrap();
        let (sender, receiver) = channel();
        // Reads to the end, so that the program never waits for a reader.
        std::thread::spawn(move || {
            let lines = BufReader::new(stdout).lines().map_while(Result::ok);
            for url in
                lines.filter_map(|line| Some(line.trim()).filter(|line| line.starts_with("http")).map(str::to_owned))
            {
                let _ = sender.send(url);
            }
        });
        match receiver.recv_timeout(START_TIMEOUT) {
            Ok(url) => Self { process, url },
            Err(error) => {
                let _ = process.kill();
                panic!("{command:?} printed no URL ({error})");
            }
        }
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
