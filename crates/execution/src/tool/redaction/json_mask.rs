//! Replaces secrets in a text. JSON stays valid.

use std::ops::Range;

use serde::de::IgnoredAny;
use toolgate_domain::headers::MASK;

/// The text with the ranges, which are in order, replaced by the mask.
pub(super) fn mask_ranges(text: &str, ranges: &[Range<usize>]) -> String {
    if !is_json(text) {
        return replace(text, ranges.iter().map(|range| (range.clone(), false)));
    }
    let masked = replace(text, json_ranges(text, ranges).into_iter());
    // A secret with quotes may reach from one JSON value into another.
    if is_json(&masked) { masked } else { format!("\"{MASK}\"") }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Replaces ranges; where the flag is set, by the mask in quotes.
fn replace(text: &str, ranges: impl Iterator<Item = (Range<usize>, bool)>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, is_quoted) in ranges {
        let quote = if is_quoted { "\"" } else { "" };
        out.extend([text.get(at..range.start).unwrap_or_default(), quote, MASK, quote]);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// The ranges in a JSON text. One outside a string is extended to the whole number, which the mask in quotes replaces.
fn json_ranges(text: &str, ranges: &[Range<usize>]) -> Vec<(Range<usize>, bool)> {
    let bytes = text.as_bytes();
    let is_number_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let mut out: Vec<(Range<usize>, bool)> = Vec::with_capacity(ranges.len());
    let (mut at, mut is_in_string) = (0, false);
    for range in ranges {
        while at < range.start {
            match bytes.get(at) {
                Some(b'\\') if is_in_string => at += 1,
                Some(b'"') => is_in_string = !is_in_string,
                _ => {}
            }
            at += 1;
        }
        let end = out.last().map_or(0, |(last, _)| last.end);
        if is_in_string || bytes.get(range.start) == Some(&b'"') {
            out.push((range.start.max(end)..range.end.max(end), false));
        } else if range.end > end {
            let before = bytes.get(end..range.start).unwrap_or_default();
            let start = range.start - before.iter().rev().take_while(|byte| is_number_byte(byte)).count();
            let after = bytes.get(range.end..).unwrap_or_default();
            let end = range.end + after.iter().take_while(|byte| is_number_byte(byte)).count();
            out.push((start..end, true));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_valid() {
        for (text, secret, expected) in [
            (r#"{"a":"x-secret-y","b":1}"#, "secret", r#"{"a":"x-********-y","b":1}"#),
            (r#"{"a":[112345678,-12345678.5]}"#, "12345678", r#"{"a":["********","********"]}"#),
            (r#"{"a":"\\","b":"12345678"}"#, "12345678", r#"{"a":"\\","b":"********"}"#),
            (r#"{"a":"\"","b":"12345678"}"#, "12345678", r#"{"a":"\"","b":"********"}"#),
            (r#"{"a":"x","b":"y"}"#, r#"x","b":"y"#, r#"{"a":"********"}"#),
            (r#"{"a":"x","b":"y"}"#, r#"x","b"#, r#"{"a":"********":"y"}"#),
            ("plain 12345678, secret", "12345678", "plain ********, secret"),
        ] {
            let found = text.match_indices(secret).map(|(at, found)| at..at + found.len());
            let masked = mask_ranges(text, &found.collect::<Vec<_>>());
            let expected = if is_json(text) && !is_json(expected) { "\"********\"" } else { expected };
            assert_eq!(masked, expected, "{text}");
        }
    }
}
