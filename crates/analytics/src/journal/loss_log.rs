//! Logs lost records. Losses come in bursts, so they are logged at most once per interval; shutdown logs the rest.

use std::time::{Duration, Instant};

const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// Losses that are not logged yet.
#[derive(Debug, Default)]
pub(super) struct LossLog {
    unreported: u64,
    /// All losses, logged or not.
    total: u64,
    /// Cause of the last loss.
    cause: String,
    last_report: Option<Instant>,
}

/// One log message about lost records.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LossReport {
    lost: u64,
    cause: String,
}

impl LossLog {
    /// Adds lost records; returns a report if one is due.
    pub(super) fn add(&mut self, records: u64, cause: &str, now: Instant) -> Option<LossReport> {
        self.unreported += records;
        self.total += records;
        cause.clone_into(&mut self.cause);
        self.take_due(now)
    }

    /// All losses so far.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// When the next report is due; `None` if there is nothing to report.
    pub(super) fn next_report_at(&self) -> Option<Instant> {
        self.last_report.filter(|_| self.unreported > 0).map(|last| last + REPORT_INTERVAL)
    }

    /// The report that is due now, if any.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<LossReport> {
        if self.last_report.is_some_and(|last| now < last + REPORT_INTERVAL) {
            return None;
        }
        let report = self.take_all()?;
        self.last_report = Some(now);
        Some(report)
    }

    /// A report of all losses that are not logged yet, whether or not it is due.
    pub(super) fn take_all(&mut self) -> Option<LossReport> {
        let lost = std::mem::take(&mut self.unreported);
        (lost > 0).then(|| LossReport { lost, cause: self.cause.clone() })
    }
}

impl LossReport {
    pub(super) fn log(&self) {
        tracing::error!(lost = self.lost, cause = self.cause, "calls are lost for analytics");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_logged_at_most_once_in_ten_seconds_and_all_are_logged() {
        let mut losses = LossLog::default();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let report = |lost, cause: &str| Some(LossReport { lost, cause: cause.to_owned() });
        assert_eq!((losses.take_due(start), losses.next_report_at()), (None, None));
        assert_eq!(losses.add(1, "full", start), report(1, "full"));
        assert_eq!(losses.next_report_at(), None);
        assert_eq!(losses.add(2, "full", after(3)), None);
        assert_eq!(losses.add(5, "broken", after(9)), None);
        assert_eq!((losses.take_due(after(9)), losses.next_report_at()), (None, Some(after(10))));
        assert_eq!(losses.take_due(after(10)), report(7, "broken"));
        assert_eq!((losses.take_due(after(30)), losses.next_report_at()), (None, None));
        assert_eq!(losses.add(4, "full", after(31)), report(4, "full"));
        assert_eq!(losses.add(3, "full", after(32)), None);
        assert_eq!((losses.take_all(), losses.take_all()), (report(3, "full"), None));
    }
}
