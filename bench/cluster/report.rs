//! The figures of a run, and the checks that decide whether it passed.

use std::time::Duration;

use crate::call_stats::{PhaseStats, percentile};
use crate::cluster::LimitedServer;
use crate::cost::CallCost;
use crate::propagation::PropagationDelays;
use crate::recorded_calls::LogComparison;
use crate::traffic::CLIENTS;
use crate::upstream_log::BusiestMinute;

/// The longest time until a change or the end of a grant is visible on the other nodes, for 99 % of them.
const VISIBLE_MAX: Duration = Duration::from_millis(100);
/// Maximum CPU time of a call on PostgreSQL and Redis, as a multiple of that on SQLite.
const COST_RATIO_MAX: f64 = 1.15;
/// Maximum number of Redis operations per call with a large limit.
const OPERATIONS_PER_CALL_MAX: f64 = 0.05;
/// The lowest rate at which [`OPERATIONS_PER_CALL_MAX`] is checked: at lower rates nodes lease few slots or none.
const TRIPS_CHECKED_CALLS_PER_SECOND: f64 = 100_000.0 / 60.0;

/// The cost of a call in a phase without faults, in which only the server with the large limit is called.
pub(crate) struct SteadyCost {
    pub(crate) calls_per_second: f64,
    pub(crate) operations_per_call: f64,
    pub(crate) cpu_us_per_call: f64,
}

/// Everything that a run has measured.
pub(crate) struct ClusterReport {
    pub(crate) phases: Vec<PhaseStats>,
    pub(crate) steady: SteadyCost,
    pub(crate) delays: PropagationDelays,
    /// Delays after the connections that receive changes were cut silently.
    pub(crate) delays_after_cuts: PropagationDelays,
    pub(crate) limits: Vec<(LimitedServer, BusiestMinute)>,
    pub(crate) log: LogComparison,
    /// Calls that arrived at the upstream more than once.
    pub(crate) repeated: u64,
    pub(crate) cost: Option<CallCost>,
}

impl ClusterReport {
    pub(crate) fn print(&self) {
        println!(
            "\n{:32} {:>5} {:>8} {:>8} {:>8} {:>6} {:>6} {:>14} {:>8} {:>8} {:>8}",
            "phase",
            "s",
            "calls",
            "calls/s",
            "refused",
            "failed",
            "cut",
            "longest gap ms",
            "p50 ms",
            "p99 ms",
            "max ms"
        );
        for phase in &self.phases {
            print_phase(phase);
        }
        for failure in self.phases.iter().flat_map(|phase| &phase.failures) {
            println!("failed call: {failure}");
        }
        let SteadyCost { calls_per_second, operations_per_call, cpu_us_per_call } = self.steady;
        println!("\nlarge limit only, {calls_per_second:.0} calls/s over all nodes:");
        println!(
            "  {operations_per_call:.4} operations of Redis and {cpu_us_per_call:.0} us of CPU of all nodes per call"
        );
        if let Some(cost) = &self.cost {
            let CallCost { sqlite_us, cluster_us, calls_per_second, operations_per_call, .. } = cost;
            println!(
                "one node, {calls_per_second:.0} calls/s: CPU for each call {cluster_us:.1} us on PostgreSQL and Redis,"
            );
            println!("  {sqlite_us:.1} us on SQLite; {operations_per_call:.5} operations of Redis for each call");
        }
        let PropagationDelays { changes, levels, ends, revocations } = &self.delays;
        for (name, delays) in [
            ("change", changes),
            ("change after a silent cut", &self.delays_after_cuts.changes),
            ("log level of a session", levels),
            ("end of a session", ends),
            ("end of a grant", revocations),
            ("end of a grant after a silent cut", &self.delays_after_cuts.revocations),
        ] {
            let [p50, p99, max] = [50, 99, 100].map(|percent| milliseconds(percentile(delays, percent)));
            println!(
                "{name} known to the other nodes: p50 {p50:.1} ms, p99 {p99:.1} ms, slowest {max:.1} ms ({})",
                delays.len()
            );
        }
    }

    /// Prints the result of each check. Returns whether all have passed.
    pub(crate) fn check(&self) -> bool {
        let mut checks = self.call_checks();
        checks.extend(self.limits.iter().flat_map(|(server, busiest)| limit_checks(*server, busiest)));
        // Limits on times apply to release builds only.
        if !cfg!(debug_assertions) {
            checks.extend(self.time_checks());
        }
        println!();
        for (text, is_ok) in &checks {
            println!("{} {text}", if *is_ok { "ok  " } else { "FAIL" });
        }
        checks.iter().all(|(_, is_ok)| *is_ok)
    }

    fn call_checks(&self) -> Vec<(String, bool)> {
        let sum = |count: fn(&PhaseStats) -> u64| self.phases.iter().map(count).sum::<u64>();
        let (failed, cut, total) = (sum(|phase| phase.failed), sum(|phase| phase.cut), sum(|phase| phase.acknowledged));
        let LogComparison { acknowledged, logged, missing, duplicated } = self.log;
        vec![
            (format!("failed calls: {failed} of {total}"), failed == 0 && total > 0),
            (format!("calls that ended with the killed node and were repeated: {cut}"), cut <= u64::from(CLIENTS)),
            (format!("acknowledged calls that are not in the log: {missing} of {acknowledged}"), missing == 0),
            (format!("calls that are in the log twice: {duplicated} of {logged}"), duplicated == 0),
            (format!("calls that reached the upstream twice: {}", self.repeated), self.repeated == 0),
        ]
    }

    fn time_checks(&self) -> Vec<(String, bool)> {
        let mut checks = Vec::new();
        for (condition, delays) in [("", &self.delays), (" after a silent cut", &self.delays_after_cuts)] {
            for (events, delays) in [
                ("changes", &delays.changes),
                ("log levels of sessions", &delays.levels),
                ("ends of sessions", &delays.ends),
                ("ends of grants", &delays.revocations),
            ] {
                let visible = percentile(delays, 99);
                let text = format!("99 % of {events}{condition} visible within {VISIBLE_MAX:?}: {visible:?}");
                checks.push((text, visible <= VISIBLE_MAX));
            }
        }
        if self.steady.calls_per_second >= TRIPS_CHECKED_CALLS_PER_SECOND {
            let operations = self.steady.operations_per_call;
            let text = format!("operations of Redis for each call with a large limit: {operations:.4}");
            checks.push((text, operations <= OPERATIONS_PER_CALL_MAX));
        }
        if let Some(CallCost { ratio, .. }) = self.cost {
            let text =
                format!("CPU for each call, PostgreSQL and Redis to SQLite: {ratio:.3} (at most {COST_RATIO_MAX})");
            checks.push((text, ratio <= COST_RATIO_MAX));
        }
        checks
    }
}

fn print_phase(phase: &PhaseStats) {
    let PhaseStats { name, elapsed, acknowledged, refused, failed, cut, longest_gap, .. } = phase;
    let seconds = elapsed.as_secs_f64();
    let [p50, p99, max] = [50, 99, 100].map(|percent| milliseconds(phase.latency(percent)));
    println!(
        "{name:32} {seconds:>5.0} {acknowledged:>8} {:>8.0} {refused:>8} {failed:>6} {cut:>6} {:>14.0} {p50:>8.1} {p99:>8.1} {max:>8.1}",
        phase.calls_per_second(),
        milliseconds(*longest_gap),
    );
}

fn limit_checks(server: LimitedServer, busiest: &BusiestMinute) -> [(String, bool); 2] {
    let limit = usize::try_from(server.limit_per_min()).unwrap_or(usize::MAX);
    let BusiestMinute { normal, any, is_within_bound } = *busiest;
    [
        (format!("calls in a minute of the server with a limit of {limit}: at most {normal}"), normal <= limit),
        (format!("  with a minute in which an outage of Redis begins: at most {any}"), is_within_bound),
    ]
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
