//! Detects RFC 3339 dates.

use toolgate_domain::time::Day;

/// The JSON Schema `format` of a string, if it is a date or a date with time.
pub(crate) fn detect(text: &str) -> Option<&'static str> {
    if is_date(text) {
        return Some("date");
    }
    let (date, time) = text.split_once('T')?;
    (is_date(date) && is_time(time)).then_some("date-time")
}

fn is_date(text: &str) -> bool {
    parse_numbers(text, '-', [4, 2, 2]).is_some() && Day::parse(text).is_some()
}

/// Whether a text is a time of day with its offset from UTC.
fn is_time(text: &str) -> bool {
    // 8 is the length of `HH:MM:SS`.
    let Some((clock, rest)) = text.split_at_checked(8) else { return false };
    let is_clock = parse_numbers(clock, ':', [2, 2, 2]).is_some_and(|[hour, minute, second]| {
        // A leap second (`:60`) is rejected, because it is more often a typing mistake.
        hour < 24 && minute < 60 && second < 60
    });
    let zone = match rest.strip_prefix('.') {
        None => Some(rest),
        Some(fraction) => {
            Some(fraction.trim_start_matches(|c: char| c.is_ascii_digit())).filter(|zone| zone.len() < fraction.len())
        }
    };
    is_clock && zone.is_some_and(is_zone)
}

fn is_zone(text: &str) -> bool {
    text == "Z"
        || text
            .strip_prefix(['+', '-'])
            .and_then(|offset| parse_numbers(offset, ':', [2, 2]))
            .is_some_and(|[hours, minutes]| hours < 24 && minutes < 60)
}

/// Parses numbers with fixed numbers of digits and a separator between them.
fn parse_numbers<const N: usize>(text: &str, separator: char, digits: [usize; N]) -> Option<[u32; N]> {
    let mut numbers = [0; N];
    let mut parts = text.split(separator);
    for (number, count) in numbers.iter_mut().zip(digits) {
        let part = parts.next().filter(|part| part.len() == count && part.bytes().all(|b| b.is_ascii_digit()))?;
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_detected() {
        for (text, format) in [
            ("2026-02-28", Some("date")),
            ("2024-02-29", Some("date")),
            ("2000-02-29", Some("date")),
            ("2026-02-29", None),
            ("1900-02-29", None),
            ("2026-04-31", None),
            ("2026-13-01", None),
            ("2026-00-01", None),
            ("2026-01-00", None),
            ("2026-1-01", None),
            ("2026-W05-1", None),
            ("2026-01-01-", None),
            ("+026-01-01", None),
            ("2026-01-01T10:00:00Z", Some("date-time")),
            ("2026-01-01T10:00:00.123+02:00", Some("date-time")),
            ("2026-01-01T10:00:00-23:59", Some("date-time")),
            ("2026-01-01T10:00:00", None),
            ("2026-01-01T10:00Z", None),
            ("2026-01-01T24:00:00Z", None),
            ("2026-01-01T10:60:00Z", None),
            ("2026-01-01T10:00:60Z", None),
            ("2026-01-01T10:00:00.Z", None),
            ("2026-01-01T10:00:00+24:00", None),
            ("2026-01-01T10:00:00+0200", None),
            ("2026-01-01 10:00:00Z", None),
            ("2026-02-30T10:00:00Z", None),
            ("2026-01-01T", None),
            ("T", None),
            ("", None),
            ("２０２６-01-01", None),
        ] {
            assert_eq!(detect(text), format, "{text}");
        }
    }
}
