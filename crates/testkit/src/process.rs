//! Programs that were built along with this one, and what processes take of the machine. Linux tells.

use std::fs;
use std::path::{Path, PathBuf};

/// A program that was built along with this one, which is an example: `toolgate`, or `examples/…`.
pub fn built(name: &str) -> PathBuf {
    let here = std::env::current_exe().expect("this program has a path");
    here.parent().and_then(Path::parent).expect("it lies in a folder of examples").join(name)
}

/// CPU time of this thread, in microseconds.
pub fn own_cpu_us() -> f64 {
    scheduled_us(Path::new("/proc/thread-self"))
}

/// CPU time of a process and its children, in microseconds: of the threads that they have now.
pub fn cpu_us(pid: u32) -> f64 {
    tree(pid).into_iter().flat_map(threads).map(|thread| scheduled_us(&thread)).sum()
}

/// What a process and its children hold in memory now, in KiB.
pub fn rss_kib(pid: u32) -> u64 {
    tree(pid).into_iter().map(|pid| kib(pid, "VmRSS:")).sum()
}

/// The most that a process and its children have held in memory so far, in KiB.
pub fn peak_rss_kib(pid: u32) -> u64 {
    tree(pid).into_iter().map(|pid| kib(pid, "VmHWM:")).sum()
}

fn tree(pid: u32) -> Vec<u32> {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let below = children.split_whitespace().filter_map(|child| child.parse().ok()).flat_map(tree);
    std::iter::once(pid).chain(below).collect()
}

fn threads(pid: u32) -> impl Iterator<Item = PathBuf> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("the process runs");
    threads.map(|thread| thread.expect("a folder that can be read").path())
}

/// A thread that has just ended used as good as nothing since.
fn scheduled_us(thread: &Path) -> f64 {
    let text = fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or_default() / 1000.0
}

fn kib(pid: u32, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("it holds memory");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
