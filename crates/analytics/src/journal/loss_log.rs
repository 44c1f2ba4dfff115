//! Logs lost records. Losses come in bursts, so they are logged at most once per interval, by cause; shutdown logs the
//! rest.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// Losses that are not logged yet.
#[derive(Debug, Default)]
pub(super) struct LossLog {
    /// The number of records by cause.
    unreported: BTreeMap<String, u64>,
    /// All losses, logged or not.
    total: u64,
    last_report: Option<Instant>,
}

/// One log message about records that were lost for the same cause.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LossReport {
    lost: u64,
    cause: String,
}

impl LossLog {
    /// Adds lost records; returns the reports if they are due.
    pub(super) fn add(&mut self, records: u64, cause: &str, now: Instant) -> Vec<LossReport> {
        *self.unreported.entry(cause.to_owned()).or_default() += records;
        self.total += records;
        self.take_due(now)
    }

    /// All losses so far.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// When the next reports are due; `None` if there is nothing to report.
    pub(super) fn next_report_at(&self) -> Option<Instant> {
        self.last_report.filter(|_| !self.unreported.is_empty()).map(|last| last + REPORT_INTERVAL)
    }

    /// The reports that are due now, one for each cause.
    pub(super) fn take_due(&mut self, now: Instant) -> Vec<LossReport> {
        if self.last_report.is_some_and(|last| now < last + REPORT_INTERVAL) {
            return Vec::new();
        }
        let reports = self.take_all();
        if !reports.is_empty() {
            self.last_report = Some(now);
        }
        reports
    }

    /// Reports of all losses that are not logged yet, whether or not they are due.
    pub(super) fn take_all(&mut self) -> Vec<LossReport> {
        std::mem::take(&mut self.unreported).into_iter().map(|(cause, lost)| LossReport { lost, cause }).collect()
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
    fn losses_are_logged_by_cause_at_most_once_in_ten_seconds_and_all_are_logged() {
        let mut losses = LossLog::default();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let report = |lost, cause: &str| LossReport { lost, cause: cause.to_owned() };
        assert_eq!((losses.take_due(start), losses.next_report_at()), (vec![], None));
        assert_eq!(losses.add(1, "full", start), [report(1, "full")]);
        assert_eq!(losses.next_report_at(), None);
        assert_eq!(losses.add(2, "full", after(3)), []);
        assert_eq!(losses.add(5, "broken", after(8)), []);
        assert_eq!(losses.add(1, "full", after(9)), []);
        assert_eq!((losses.take_due(after(9)), losses.next_report_at()), (vec![], Some(after(10))));
        assert_eq!(losses.take_due(after(10)), [report(5, "broken"), report(3, "full")]);
        assert_eq!((losses.take_due(after(30)), losses.next_report_at()), (vec![], None));
        assert_eq!(losses.add(4, "full", after(31)), [report(4, "full")]);
        assert_eq!(losses.add(3, "full", after(32)), []);
        assert_eq!((losses.take_all(), losses.take_all()), (vec![report(3, "full")], vec![]));
        assert_eq!(losses.total(), 16);
    }
}
