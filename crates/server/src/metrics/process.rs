//! Reads the resources of this process from the operating system.

/// The resources of this process; `None` where the operating system does not report them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ProcessStats {
    /// CPU time of user and system, in seconds.
    pub(super) cpu_seconds: Option<f64>,
    /// Memory in use, in bytes.
    pub(super) resident_bytes: Option<u64>,
    /// Address space, in bytes.
    pub(super) virtual_bytes: Option<u64>,
    pub(super) threads: Option<u64>,
    pub(super) open_fds: Option<u64>,
    pub(super) max_fds: Option<u64>,
    /// When it started, in seconds since 1970.
    pub(super) start_seconds: Option<f64>,
}

#[cfg(not(target_os = "linux"))]
impl ProcessStats {
    pub(super) fn read() -> Self {
        Self::default()
    }
}

#[cfg(target_os = "linux")]
impl ProcessStats {
    pub(super) fn read() -> Self {
        let text = |path| std::fs::read_to_string(path).unwrap_or_default();
        let (stat, status) = (text("/proc/self/stat"), text("/proc/self/status"));
        let ticks_per_second = rustix::param::clock_ticks_per_second();
        let boot_seconds = number_after(&text("/proc/stat"), "btime");
        Self {
            cpu_seconds: stat_field(&stat, 14)
                .zip(stat_field(&stat, 15))
                .map(|(user, system)| seconds(user + system, ticks_per_second)),
            resident_bytes: number_after(&status, "VmRSS:").map(|kibibytes| kibibytes * 1024),
            virtual_bytes: number_after(&status, "VmSize:").map(|kibibytes| kibibytes * 1024),
            threads: number_after(&status, "Threads:"),
            open_fds: std::fs::read_dir("/proc/self/fd").ok().map(|entries| entries.count() as u64),
            max_fds: max_open_files(&text("/proc/self/limits")),
            start_seconds: boot_seconds
                .zip(stat_field(&stat, 22))
                .map(|(boot, started)| seconds(boot * ticks_per_second + started, ticks_per_second)),
        }
    }
}

#[cfg(target_os = "linux")]
#[expect(clippy::cast_precision_loss, reason = "ticks since 1970 are exact for many thousand years")]
fn seconds(ticks: u64, ticks_per_second: u64) -> f64 {
    ticks as f64 / ticks_per_second as f64
}

/// A field of `/proc/self/stat` by its number, as in the manual. The second one, the name of the program, may contain
/// spaces and parentheses.
#[cfg(target_os = "linux")]
fn stat_field(stat: &str, number: usize) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(") ")?;
    after_name.split(' ').nth(number.checked_sub(3)?)?.parse().ok()
}

/// The number after a name at the start of a line.
#[cfg(target_os = "linux")]
fn number_after(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.split_whitespace().next()?.parse().ok()
}

/// The soft limit of open files; `None` if it is unlimited.
#[cfg(target_os = "linux")]
fn max_open_files(limits: &str) -> Option<u64> {
    number_after(limits, "Max open files")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_resources() {
        let ProcessStats { cpu_seconds, resident_bytes, virtual_bytes, threads, open_fds, max_fds, start_seconds } =
            ProcessStats::read();
        assert!(cpu_seconds.is_some_and(|seconds| (0.0..100_000.0).contains(&seconds)), "{cpu_seconds:?}");
        assert!(resident_bytes.is_some_and(|bytes| bytes > 100_000) && virtual_bytes >= resident_bytes);
        assert!(threads >= Some(1) && open_fds >= Some(1) && max_fds >= open_fds);
        // 1.5e9 seconds after 1970 is in 2017.
        assert!(start_seconds.is_some_and(|seconds| seconds > 1.5e9), "{start_seconds:?}");
    }

    #[test]
    fn a_program_name_with_parentheses_does_not_shift_the_fields() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 1 0 0 0 250 50 0 0 20 0 9 0 777 1 2";
        assert_eq!(
            (stat_field(stat, 14), stat_field(stat, 15), stat_field(stat, 22)),
            (Some(250), Some(50), Some(777))
        );
        assert_eq!((stat_field("", 14), stat_field(stat, 99)), (None, None));
    }
}
