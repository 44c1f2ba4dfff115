//! What a child process printed so far, and waiting for what it prints next without sleeping.

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A stream of a child process, collected by a thread of its own.
#[derive(Clone)]
pub(crate) struct Lines {
    shared: Arc<Shared>,
}

struct Shared {
    printed: Mutex<Printed>,
    changed: Condvar,
}

#[derive(Default)]
struct Printed {
    text: String,
    is_closed: bool,
}

/// Why a wait ended without what was waited for.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WaitError {
    #[error("the stream was closed before")]
    Closed,
    #[error("it did not come in time")]
    TimedOut,
}

impl Lines {
    /// Starts collecting; the thread ends when the stream does.
    pub(crate) fn collect(stream: impl Read + Send + 'static) -> Self {
        let shared = Arc::new(Shared { printed: Mutex::default(), changed: Condvar::new() });
        let writer = Arc::clone(&shared);
        thread::spawn(move || read_all(stream, &writer));
        Self { shared }
    }

    /// Everything printed so far.
    pub(crate) fn text(&self) -> String {
        self.shared.lock().text.clone()
    }

    /// Waits until `find` sees what it looks for in the whole lines printed so far.
    pub(crate) fn wait_for<T>(&self, patience: Duration, find: impl Fn(&str) -> Option<T>) -> Result<T, WaitError> {
        let deadline = Instant::now() + patience;
        let mut printed = self.shared.lock();
        loop {
            if let Some(found) = find(&printed.text) {
                return Ok(found);
            }
            if printed.is_closed {
                return Err(WaitError::Closed);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(WaitError::TimedOut);
            }
            printed = self.shared.changed.wait_timeout(printed, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until the stream is closed, which is what the end of its process looks like from here.
    pub(crate) fn wait_for_close(&self, patience: Duration) -> Result<(), WaitError> {
        match self.wait_for(patience, |_| None::<()>) {
            Ok(()) | Err(WaitError::Closed) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lines").field(&self.text()).finish()
    }
}

impl Shared {
    /// A panic elsewhere must not hide what the process said.
    fn lock(&self) -> MutexGuard<'_, Printed> {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Only whole lines are shown, so that nobody parses half of an address.
fn read_all(stream: impl Read, shared: &Shared) {
    let mut stream = BufReader::new(stream);
    let mut line = Vec::new();
    while matches!(stream.read_until(b'\n', &mut line), Ok(read) if read > 0) {
        shared.lock().text.push_str(&String::from_utf8_lossy(&line));
        shared.changed.notify_all();
        line.clear();
    }
    shared.lock().is_closed = true;
    shared.changed.notify_all();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const SOON: Duration = Duration::from_secs(10);

    #[test]
    fn a_wait_sees_what_was_printed_before_and_after_it_began() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let lines = Lines::collect(reader);
        writer.write_all(b"first\n").unwrap();
        let has = |word: &'static str| move |text: &str| text.contains(word).then_some(());
        lines.wait_for(SOON, has("first")).unwrap();
        writer.write_all(b"second\n").unwrap();
        lines.wait_for(SOON, has("second")).unwrap();
        assert_eq!(lines.text(), "first\nsecond\n");
    }

    #[test]
    fn a_closed_stream_ends_the_wait_at_once() {
        let lines = Lines::collect(&b"only this"[..]);
        let outcome = lines.wait_for(SOON, |text| text.contains("more").then_some(()));
        assert!(matches!(outcome, Err(WaitError::Closed)));
        assert_eq!(lines.text(), "only this");
    }

    #[test]
    fn a_silent_stream_times_out() {
        let (reader, _writer) = std::io::pipe().unwrap();
        let lines = Lines::collect(reader);
        let outcome = lines.wait_for_close(Duration::from_millis(20));
        assert!(matches!(outcome, Err(WaitError::TimedOut)));
    }
}
