//! Exponential backoff of the ingest worker.

use std::time::Duration;

use super::source::IngestError;

/// The first delay after a failure.
const DELAY_MIN: Duration = Duration::from_millis(100);
/// The longest delay.
const DELAY_MAX: Duration = Duration::from_secs(5);

/// The delay between attempts. Only the first failure and the recovery are logged.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    /// The delay after the last failure; `None` after a success.
    last_delay: Option<Duration>,
}

impl Backoff {
    /// Records a failure; returns the delay before the next attempt.
    pub(super) fn record_failure(&mut self, error: &IngestError) -> Duration {
        if self.last_delay.is_none() {
            let failed = match error {
                IngestError::Read(_) => "read a call journal",
                IngestError::UnknownJournal | IngestError::Storage(_) | IngestError::Timeout(_) => {
                    "write calls to the database"
                }
            };
            tracing::warn!(error = ?error, "cannot {failed}; calls stay in the journal until a retry succeeds");
        }
        let delay = self.last_delay.map_or(DELAY_MIN, |last| (last * 2).min(DELAY_MAX));
        self.last_delay = Some(delay);
        delay
    }

    /// Records a success.
    pub(super) fn record_success(&mut self) {
        if self.last_delay.take().is_some() {
            tracing::info!("calls are ingested again");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_five_seconds_and_start_over_after_a_success() {
        let mut backoff = Backoff::default();
        let mut next_delay = || backoff.record_failure(&IngestError::UnknownJournal).as_millis();
        assert_eq!([(); 8].map(|()| next_delay()), [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        backoff.record_success();
        assert_eq!(backoff.record_failure(&IngestError::UnknownJournal).as_millis(), 100);
    }
}
