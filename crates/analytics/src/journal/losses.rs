//! What the log is told of lost records: they come in crowds, so a line in so much time tells of them, and the last line
//! of what no other told.

use std::time::{Duration, Instant};

const LINE_EVERY: Duration = Duration::from_secs(10);

/// Losses that no line in the log tells of yet.
#[derive(Debug, Default)]
pub(super) struct Losses {
    unsaid: u64,
    /// Of the last one.
    cause: String,
    last_line: Option<Instant>,
}

/// A line for the log.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    lost: u64,
    cause: String,
}

impl Losses {
    /// Takes note of records that are lost; returns what is to be said now.
    pub(super) fn note(&mut self, records: u64, cause: &str, now: Instant) -> Option<Line> {
        self.unsaid += records;
        cause.clone_into(&mut self.cause);
        self.due(now)
    }

    /// When something is to be said that was not said yet.
    pub(super) fn next_line(&self) -> Option<Instant> {
        self.last_line.filter(|_| self.unsaid > 0).map(|last| last + LINE_EVERY)
    }

    /// What is to be said now.
    pub(super) fn due(&mut self, now: Instant) -> Option<Line> {
        if self.last_line.is_some_and(|last| now < last + LINE_EVERY) {
            return None;
        }
        let line = self.rest()?;
        self.last_line = Some(now);
        Some(line)
    }

    /// What was not said yet.
    pub(super) fn rest(&mut self) -> Option<Line> {
        let lost = std::mem::take(&mut self.unsaid);
        (lost > 0).then(|| Line { lost, cause: self.cause.clone() })
    }
}

impl Line {
    pub(super) fn log(&self) {
        tracing::error!(lost = self.lost, cause = self.cause, "calls are lost for analytics");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_in_ten_seconds_tells_of_losses_and_none_stays_unsaid() {
        let mut losses = Losses::default();
        let begun = Instant::now();
        let after = |seconds| begun + Duration::from_secs(seconds);
        let line = |lost, cause: &str| Some(Line { lost, cause: cause.to_owned() });
        assert_eq!((losses.due(begun), losses.next_line()), (None, None));
        assert_eq!(losses.note(1, "full", begun), line(1, "full"));
        assert_eq!(losses.next_line(), None);
        assert_eq!(losses.note(2, "full", after(3)), None);
        assert_eq!(losses.note(5, "broken", after(9)), None);
        assert_eq!((losses.due(after(9)), losses.next_line()), (None, Some(after(10))));
        assert_eq!(losses.due(after(10)), line(7, "broken"));
        assert_eq!((losses.due(after(30)), losses.next_line()), (None, None));
        assert_eq!(losses.note(4, "full", after(31)), line(4, "full"));
        assert_eq!(losses.note(3, "full", after(32)), None);
        assert_eq!((losses.rest(), losses.rest()), (line(3, "full"), None));
    }
}
