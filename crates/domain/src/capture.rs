//! What of a call's words is kept: nothing, unless a server's settings say so.

use serde_json::value::RawValue;

use crate::closed_set::closed_set;
use crate::fault::{Fault, FaultKind};
use crate::json::{self, Members};
use crate::lenient;

/// The key in a server's settings that says of which calls arguments and answers are kept.
pub const CAPTURE: &str = "capture";
/// The key that says how much of each.
pub const CAPTURE_MAX_BYTES: &str = "capture_max_bytes";

/// How much is kept where the settings do not say.
const MAX_BYTES: usize = 4 * 1024;
/// As much as can be asked for.
const MAX_BYTES_MAX: usize = 64 * 1024;

closed_set! {
    /// Of which calls something is kept.
    pub enum CaptureMode {
        /// Of none.
        Off = "off",
        /// Of those that failed.
        Failures = "failures",
        /// Of all.
        All = "all",
    }
}

/// What is kept of a server's calls, where anything is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureRule {
    /// Whether calls that succeed leave nothing.
    pub failures_only: bool,
    /// The most bytes kept of the arguments, and as many of the answer.
    pub max_bytes: usize,
}

impl CaptureRule {
    /// What a server's settings say. Whatever they say wrongly is as good as silence.
    pub fn of(settings: &Members) -> Option<Self> {
        let mode = settings.get(CAPTURE).and_then(|value| CaptureMode::parse(&json::as_string(value)?));
        let failures_only = match mode? {
            CaptureMode::Off => return None,
            CaptureMode::Failures => true,
            CaptureMode::All => false,
        };
        let max_bytes = settings.get(CAPTURE_MAX_BYTES).and_then(|value| max_bytes(value)).unwrap_or(MAX_BYTES);
        Some(Self { failures_only, max_bytes })
    }
}

/// Checks the mode of a request.
pub(crate) fn check_mode(place: &str, value: &RawValue) -> Result<(), Fault> {
    let known = json::as_string(value).and_then(|name| CaptureMode::parse(&name));
    known.map(drop).ok_or_else(|| Fault::not_in(place, CaptureMode::NAMES))
}

/// Reads the size of a request.
pub(crate) fn parse_max_bytes(place: &str, value: &RawValue) -> Result<Box<RawValue>, Fault> {
    let text = json::as_string(value).unwrap_or_else(|| value.get().to_owned());
    let bytes = lenient::whole_number(text.trim()).ok_or_else(|| Fault::type_of(place, "integer"))?;
    Some(json::raw(bytes.to_string())).filter(|bytes| max_bytes(bytes).is_some()).ok_or_else(|| {
        let message = format!("{place} must be between 1 (inclusive) and {MAX_BYTES_MAX} (inclusive)");
        Fault::new(place, FaultKind::OutOfBounds, message)
    })
}

fn max_bytes(value: &RawValue) -> Option<usize> {
    serde_json::from_str(value.get()).ok().filter(|bytes| (1..=MAX_BYTES_MAX).contains(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::JsonObject;

    fn rule(settings: &str) -> Option<CaptureRule> {
        CaptureRule::of(&JsonObject::from_stored(settings.to_owned()).members())
    }

    #[test]
    fn nothing_is_kept_unless_the_settings_say_so() {
        for settings in ["{}", r#"{"capture":"off"}"#, r#"{"capture":true}"#, r#"{"capture_max_bytes":10}"#] {
            assert_eq!(rule(settings), None, "{settings}");
        }
        let all = CaptureRule { failures_only: false, max_bytes: 4096 };
        assert_eq!(rule(r#"{"capture":"all"}"#), Some(all));
        let failures = CaptureRule { failures_only: true, max_bytes: 65_536 };
        assert_eq!(rule(r#"{"capture":"failures","capture_max_bytes":65536}"#), Some(failures));
    }

    #[test]
    fn faults_say_what_would_be_right() {
        let raw = |text: &str| json::raw(text.to_owned());
        for (text, kind) in [
            ("0", FaultKind::OutOfBounds),
            ("-5", FaultKind::OutOfBounds),
            ("65537", FaultKind::OutOfBounds),
            ("99999999999999999999", FaultKind::OutOfBounds),
            ("1.5", FaultKind::InvalidType),
            ("\"1.5\"", FaultKind::InvalidType),
            ("true", FaultKind::InvalidType),
            ("{}", FaultKind::InvalidType),
        ] {
            assert_eq!(parse_max_bytes("p", &raw(text)).unwrap_err().kind, kind, "{text}");
        }
        for text in ["100", "\"100\"", "100.0", "\" 1e2 \""] {
            assert_eq!(parse_max_bytes("p", &raw(text)).unwrap().get(), "100", "{text}");
        }
        let fault = check_mode("settings[capture]", &raw("true")).unwrap_err();
        assert_eq!(fault.message, "settings[capture] is not one of off, failures, and all.");
        assert_eq!(check_mode("p", &raw("\"failures\"")), Ok(()));
    }
}
