//! Programs built together with this one, and the CPU time and memory of processes (Linux only).

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// The path of a program built together with the running example or test: `toolgate`, or `examples/…`.
pub fn built_program(name: &str) -> PathBuf {
    let executable = std::env::current_exe().expect("this program has a path");
    executable.parent().and_then(Path::parent).expect("this program is in a folder of the build").join(name)
}

/// The binary of the service: the one that `BINARY` names, else the one built together with the running example.
pub fn service_binary() -> PathBuf {
    std::env::var_os("BINARY").map_or_else(|| built_program("toolgate"), PathBuf::from)
}

/// CPU time of this thread, in microseconds.
pub fn thread_cpu_us() -> f64 {
    cpu_time_us(Path::new("/proc/thread-self")).unwrap_or_default()
}

/// CPU time of a process and its children, by thread; empty by default.
#[derive(Debug, Default)]
pub struct CpuTime(HashMap<PathBuf, f64>);

impl CpuTime {
    /// The CPU time used up to now.
    pub fn measure(pid: u32) -> Self {
        let with_time = |thread: PathBuf| cpu_time_us(&thread).map(|time| (thread, time));
        Self(process_tree(pid).into_iter().flat_map(threads).filter_map(with_time).collect())
    }

    /// Microseconds used since an earlier measurement. Threads that have ended in between are left out: they were idle,
    /// and their earlier time must not be subtracted.
    pub fn us_since(&self, earlier: &Self) -> f64 {
        self.by_thread_since(earlier).map(|(_, time)| time).sum()
    }

    /// The same by thread name. Threads whose names differ only in the number at the end are added up.
    pub fn us_by_name_since(&self, earlier: &Self) -> BTreeMap<String, f64> {
        let mut times = BTreeMap::new();
        for (thread, time) in self.by_thread_since(earlier) {
            *times.entry(thread_name(thread)).or_default() += time;
        }
        times
    }

    fn by_thread_since<'a>(&'a self, earlier: &'a Self) -> impl Iterator<Item = (&'a Path, f64)> {
        let before = |thread| earlier.0.get(thread).copied().unwrap_or_default();
        self.0.iter().map(move |(thread, time)| (thread.as_path(), time - before(thread)))
    }
}

/// Resident memory of a process and its children, in KiB.
pub fn rss_kib(pid: u32) -> u64 {
    process_tree(pid).into_iter().map(|pid| status_kib(pid, "VmRSS:")).sum()
}

/// Peak resident memory of a process and its children, in KiB.
pub fn peak_rss_kib(pid: u32) -> u64 {
    process_tree(pid).into_iter().map(|pid| status_kib(pid, "VmHWM:")).sum()
}

fn process_tree(pid: u32) -> Vec<u32> {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let descendants = children.split_whitespace().filter_map(|child| child.parse().ok()).flat_map(process_tree);
    std::iter::once(pid).chain(descendants).collect()
}

fn threads(pid: u32) -> impl Iterator<Item = PathBuf> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("the process runs");
    threads.map(|thread| thread.expect("the folder can be read").path())
}

/// CPU time of a thread, in microseconds; `None` for a thread that has just ended.
fn cpu_time_us(thread: &Path) -> Option<f64> {
    let text = fs::read_to_string(thread.join("schedstat")).ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1000.0)
}

/// The name of a thread without the number at its end; empty for a thread that has just ended.
fn thread_name(thread: &Path) -> String {
    let name = fs::read_to_string(thread.join("comm")).unwrap_or_default();
    name.trim_end().trim_end_matches(|end: char| end == '-' || end.is_ascii_digit()).to_owned()
}

fn status_kib(pid: u32, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("the process has memory");
    line.trim().trim_end_matches(" kB").parse().expect("the field is a number")
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    const WORKER_CPU_US: f64 = 20_000.0;

    #[test]
    fn the_earlier_time_of_a_thread_that_ended_is_not_subtracted() {
        let (done_sender, done) = channel();
        let (end_sender, end) = channel::<()>();
        let worker = thread::spawn(move || {
            while thread_cpu_us() < WORKER_CPU_US {}
            done_sender.send(()).unwrap();
            let _ = end.recv();
        });
        done.recv().unwrap();
        let earlier = CpuTime::measure(std::process::id());
        drop(end_sender);
        worker.join().unwrap();
        let used = CpuTime::measure(std::process::id()).us_since(&earlier);
        assert!((0.0..WORKER_CPU_US).contains(&used), "{used}");
    }
}
