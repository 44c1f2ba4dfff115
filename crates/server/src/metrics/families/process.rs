//! The process, with the names that all Prometheus clients use.

use std::fmt;

use super::super::family_writer::FamilyWriter;
use super::super::process::ProcessStats;
use super::super::scrape::Scrape;

pub(super) fn write(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let ProcessStats { cpu_seconds, resident_bytes, virtual_bytes, threads, open_fds, max_fds, start_seconds } =
        scrape.process;
    if let Some(seconds) = cpu_seconds {
        writer.counter("process_cpu_seconds", "CPU time of user and system.", seconds)?;
    }
    let gauges = [
        ("process_resident_memory_bytes", "Memory in use.", resident_bytes),
        ("process_virtual_memory_bytes", "Address space.", virtual_bytes),
        ("process_threads", "Threads.", threads),
        ("process_open_fds", "Open file descriptors.", open_fds),
        ("process_max_fds", "The most open file descriptors.", max_fds),
    ];
    for (name, help, value) in gauges {
        if let Some(value) = value {
            writer.gauge(name, help, value)?;
        }
    }
    match start_seconds {
        Some(seconds) => {
            writer.gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", seconds)
        }
        None => Ok(()),
    }
}
