//! Capture of arguments and responses: off unless a server's settings enable it.

use serde_json::value::RawValue;

use crate::closed_set::closed_set;
use crate::fault::{Fault, FaultKind};
use crate::json::{self, Members};
use crate::lenient;

/// The key in a server's settings that selects the calls whose arguments and responses are stored.
pub const CAPTURE: &str = "capture";
/// The key that limits how many bytes of the arguments and of the response are stored.
pub const CAPTURE_MAX_BYTES: &str = "capture_max_bytes";

/// Separates the two texts in the captured response of a failed call: before it is the text for the owner, after it the
/// text that the model got.
pub const MODEL_TEXT_MARK: &str = "\n\nSent to the model: ";

/// The limit if the settings contain none.
const DEFAULT_CAPTURED_BYTES: usize = 4 * 1024;
/// The highest limit that settings may contain.
const CAPTURED_BYTES_MAX: usize = 64 * 1024;

closed_set! {
    /// Which calls are captured.
    pub enum CaptureMode {
        /// No calls.
        Off = "off",
        /// Failed calls.
        Failures = "failures",
        /// All calls.
        All = "all",
    }
}

/// Which calls of a server are captured, and how many bytes of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureRule {
    /// Whether only failed calls are captured.
    pub failures_only: bool,
    /// The limit in bytes, for the arguments and for the response each.
    pub max_bytes: usize,
}

impl CaptureRule {
    /// Reads a server's settings; `None` if capture is off. Invalid values are ignored.
    pub fn from_settings(settings: &Members) -> Option<Self> {
        let mode = settings.get(CAPTURE).and_then(|value| CaptureMode::parse(&json::as_string(value)?));
        let failures_only = match mode? {
            CaptureMode::Off => return None,
            CaptureMode::Failures => true,
            CaptureMode::All => false,
        };
        let max_bytes =
            settings.get(CAPTURE_MAX_BYTES).and_then(|value| read_max_bytes(value)).unwrap_or(DEFAULT_CAPTURED_BYTES);
        Some(Self { failures_only, max_bytes })
    }
}

/// Checks the `capture` value of a request.
pub(crate) fn check_mode(path: &str, value: &RawValue) -> Result<(), Fault> {
    let mode = json::as_string(value).and_then(|name| CaptureMode::parse(&name));
    mode.map(drop).ok_or_else(|| Fault::not_in(path, CaptureMode::NAMES))
}

/// Parses the `capture_max_bytes` value of a request.
pub(crate) fn parse_max_bytes(path: &str, value: &RawValue) -> Result<Box<RawValue>, Fault> {
    let text = json::as_string(value).unwrap_or_else(|| value.get().to_owned());
    let bytes = lenient::parse_whole_number(text.trim()).ok_or_else(|| Fault::invalid_type(path, "integer"))?;
    Some(json::raw(bytes.to_string())).filter(|bytes| read_max_bytes(bytes).is_some()).ok_or_else(|| {
        let message = format!("{path} must be between 1 (inclusive) and {CAPTURED_BYTES_MAX} (inclusive)");
        Fault::new(path, FaultKind::OutOfBounds, message)
    })
}

/// The limit in a stored or sent value, if it is valid.
fn read_max_bytes(value: &RawValue) -> Option<usize> {
    serde_json::from_str(value.get()).ok().filter(|bytes| (1..=CAPTURED_BYTES_MAX).contains(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::JsonObject;

    fn rule(settings: &str) -> Option<CaptureRule> {
        CaptureRule::from_settings(&JsonObject::from_stored(settings.to_owned()).members())
    }

    #[test]
    fn nothing_is_captured_unless_the_settings_enable_it() {
        for settings in ["{}", r#"{"capture":"off"}"#, r#"{"capture":true}"#, r#"{"capture_max_bytes":10}"#] {
            assert_eq!(rule(settings), None, "{settings}");
        }
        let all = CaptureRule { failures_only: false, max_bytes: 4096 };
        assert_eq!(rule(r#"{"capture":"all"}"#), Some(all));
        let failures = CaptureRule { failures_only: true, max_bytes: 65_536 };
        assert_eq!(rule(r#"{"capture":"failures","capture_max_bytes":65536}"#), Some(failures));
    }

    #[test]
    fn invalid_settings_are_refused_and_numbers_may_be_strings() {
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
