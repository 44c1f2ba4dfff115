//! What a process and its children take of the machine.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A process that ends with its owner.
pub(crate) struct Process {
    child: Child,
}

impl Process {
    pub(crate) fn start(command: &mut Command) -> Self {
        Self { child: command.spawn().expect("the program can be started") }
    }

    /// Starts a program that prints its address as its first line.
    pub(crate) fn announced(command: &mut Command) -> (Self, String) {
        let mut process = Self::start(command.stdout(Stdio::piped()));
        let mut line = String::new();
        let stdout = process.child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        (process, line.trim().to_owned())
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Children of a killed nginx would stay; told to stop, it ends them.
        let _ = Command::new("kill").arg("-TERM").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

/// CPU time of a process and its children, in microseconds.
pub(crate) fn cpu_us(pid: u32) -> f64 {
    tree(pid).into_iter().map(own_cpu_us).sum()
}

fn own_cpu_us(pid: u32) -> f64 {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return 0.0 };
    threads.flatten().map(|thread| nanoseconds(&thread.path().join("schedstat"))).sum::<f64>() / 1000.0
}

fn nanoseconds(schedstat: &Path) -> f64 {
    let text = fs::read_to_string(schedstat).unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or_default()
}

/// Memory of a process and its children in MiB, now and at most so far.
pub(crate) fn rss_mib(pid: u32) -> (f64, f64) {
    let all: Vec<String> =
        tree(pid).iter().map(|pid| fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default()).collect();
    let sum = |field| all.iter().map(|status| kib(status, field)).sum::<f64>() / 1024.0;
    (sum("VmRSS:"), sum("VmHWM:"))
}

fn kib(status: &str, field: &str) -> f64 {
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    line.and_then(|rest| rest.split_whitespace().next()).and_then(|kib| kib.parse().ok()).unwrap_or_default()
}

fn tree(pid: u32) -> Vec<u32> {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let below = children.split_whitespace().filter_map(|child| child.parse().ok()).flat_map(tree);
    std::iter::once(pid).chain(below).collect()
}
