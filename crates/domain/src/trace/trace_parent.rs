//! The header `traceparent` of W3C Trace Context.

use std::fmt;

/// Length of a header of version 00; later versions may append fields.
const LENGTH: usize = 55;
const SAMPLED: u8 = 1;

/// A position in a trace, in the form that services pass on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceParent {
    /// The trace; never 0.
    pub trace_id: u128,
    /// The span of the caller; never 0.
    pub span_id: u64,
    /// Whether the caller records the trace.
    pub is_sampled: bool,
}

impl TraceParent {
    /// Parses a header; `None` if it is not valid, in which case it must be ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let mut fields = text.split('-');
        let [version, trace_id, span_id, flags] = [2, 32, 16, 2].map(|digits| {
            let field = fields.next().filter(|field| field.len() == digits);
            field.and_then(parse_hex)
        });
        let (version, flags) = (version?, u8::try_from(flags?).ok()?);
        let has_valid_version = if version == 0 { text.len() == LENGTH } else { version != 0xff };
        let (trace_id, span_id) = (trace_id?, u64::try_from(span_id?).ok()?);
        let is_valid = has_valid_version && trace_id != 0 && span_id != 0;
        is_valid.then_some(Self { trace_id, span_id, is_sampled: flags & SAMPLED != 0 })
    }
}

impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{:032x}-{:016x}-{:02x}", self.trace_id, self.span_id, u8::from(self.is_sampled))
    }
}

/// Parses hexadecimal digits; the standard allows lower case only.
fn parse_hex(digits: &str) -> Option<u128> {
    let is_hex = digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_hex.then(|| u128::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_valid_header_is_parsed_and_written_the_same() {
        let parent = TraceParent::parse(EXAMPLE).unwrap();
        assert!(parent.is_sampled);
        assert_eq!(parent.to_string(), EXAMPLE);
        let unsampled = TraceParent::parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-02").unwrap();
        assert!(!unsampled.is_sampled);
        let later_version = format!("cc{}-more", EXAMPLE.strip_prefix("00").unwrap());
        assert_eq!(TraceParent::parse(&later_version), Some(parent));
    }

    #[test]
    fn an_invalid_header_is_ignored() {
        for bad in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7a-01",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] {
            assert_eq!(TraceParent::parse(bad), None, "{bad}");
        }
    }
}
