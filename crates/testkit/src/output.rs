//! Captures the output of a child process and waits for lines without sleeping.

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// An output stream of a child process, read by a thread.
#[derive(Clone)]
pub(crate) struct CapturedOutput {
    shared: Arc<SharedOutput>,
}

struct SharedOutput {
    state: Mutex<OutputState>,
    changed: Condvar,
}

#[derive(Default)]
struct OutputState {
    text: String,
    is_closed: bool,
}

/// Why a wait failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WaitError {
    #[error("the stream was closed")]
    Closed,
    #[error("nothing matched in time")]
    TimedOut,
}

impl CapturedOutput {
    /// Starts a thread that reads the stream to its end.
    pub(crate) fn from_stream(stream: impl Read + Send + 'static) -> Self {
        let shared = Arc::new(SharedOutput { state: Mutex::default(), changed: Condvar::new() });
        let writer = Arc::clone(&shared);
        thread::spawn(move || read_all(stream, &writer));
        Self { shared }
    }

    /// Everything printed so far.
    pub(crate) fn text(&self) -> String {
        self.shared.lock().text.clone()
    }

    /// Waits until `find` returns a value for the lines printed so far.
    pub(crate) fn wait_for<T>(&self, timeout: Duration, find: impl Fn(&str) -> Option<T>) -> Result<T, WaitError> {
        let deadline = Instant::now() + timeout;
        let mut state = self.shared.lock();
        loop {
            if let Some(found) = find(&state.text) {
                return Ok(found);
            }
            if state.is_closed {
                return Err(WaitError::Closed);
            }
            let remaining = deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                return Err(WaitError::TimedOut);
            }
            state = self.shared.changed.wait_timeout(state, remaining).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until the stream is closed, which happens when its process ends.
    pub(crate) fn wait_for_close(&self, timeout: Duration) -> Result<(), WaitError> {
        match self.wait_for(timeout, |_| None::<()>) {
            Ok(()) | Err(WaitError::Closed) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl fmt::Debug for CapturedOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CapturedOutput").field(&self.text()).finish()
    }
}

impl SharedOutput {
    /// Ignores poisoning: a panic of another thread must not hide the output.
    fn lock(&self) -> MutexGuard<'_, OutputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds whole lines, so that a reader never parses half of a URL; only the end of the stream adds an incomplete one.
/// Lines that were written together appear together: a test that waits for the first of them can read them all.
fn read_all(stream: impl Read, shared: &SharedOutput) {
    let mut stream = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let is_open = matches!(stream.read_until(b'\n', &mut lines), Ok(read) if read > 0);
        if is_open && stream.buffer().contains(&b'\n') {
            continue;
        }
        let mut state = shared.lock();
        state.text.push_str(&String::from_utf8_lossy(&lines));
        state.is_closed = !is_open;
        drop(state);
        shared.changed.notify_all();
        lines.clear();
        if !is_open {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const TEST_TIMEOUT: Duration = Duration::from_secs(10);

    #[test]
    fn a_wait_finds_lines_printed_before_and_after_it_began() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let output = CapturedOutput::from_stream(reader);
        writer.write_all(b"first\n").unwrap();
        let contains = |word: &'static str| move |text: &str| text.contains(word).then_some(());
        output.wait_for(TEST_TIMEOUT, contains("first")).unwrap();
        writer.write_all(b"second\n").unwrap();
        output.wait_for(TEST_TIMEOUT, contains("second")).unwrap();
        assert_eq!(output.text(), "first\nsecond\n");
    }

    #[test]
    fn a_closed_stream_ends_the_wait_immediately() {
        let output = CapturedOutput::from_stream(&b"only this"[..]);
        let outcome = output.wait_for(TEST_TIMEOUT, |text| text.contains("more").then_some(()));
        assert!(matches!(outcome, Err(WaitError::Closed)));
        assert_eq!(output.text(), "only this");
    }

    #[test]
    fn a_silent_stream_times_out() {
        let (reader, _writer) = std::io::pipe().unwrap();
        let output = CapturedOutput::from_stream(reader);
        let outcome = output.wait_for_close(Duration::from_millis(20));
        assert!(matches!(outcome, Err(WaitError::TimedOut)));
    }
}
