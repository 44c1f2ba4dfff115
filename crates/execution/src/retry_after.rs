//! Parses `Retry-After`, in seconds or as a date.
//!
//! A date is compared with the `Date` header of the same response. Both are from the upstream's clock, so the
//! difference is right even if that clock is wrong.

use std::time::Duration;

use http::HeaderMap;
use http::header::{DATE, HeaderName, RETRY_AFTER};

/// Longer waits are treated as invalid. The bound also prevents overflow in later arithmetic.
const WAIT_MAX: Duration = Duration::from_hours(24 * 365);

/// The value of the `Retry-After` header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RetryAfter {
    /// There is no such header.
    Absent,
    /// Retry after this time.
    After(Duration),
    /// The header cannot be parsed.
    Invalid,
}

impl RetryAfter {
    /// Parses the headers of a response.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        if !headers.contains_key(RETRY_AFTER) {
            return Self::Absent;
        }
        let value = header_text(headers, &RETRY_AFTER);
        let wait = value
            .and_then(|value| parse_seconds(value).or_else(|| time_until_date(value, header_text(headers, &DATE)?)));
        wait.filter(|wait| *wait <= WAIT_MAX).map_or(Self::Invalid, Self::After)
    }
}

fn header_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

fn parse_seconds(text: &str) -> Option<Duration> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?.map(Duration::from_secs)
}

/// The time from `sent_at` to `until`; zero if `until` is in the past.
fn time_until_date(until: &str, sent_at: &str) -> Option<Duration> {
    let [until, sent_at] = [until, sent_at].map(|text| httpdate::parse_http_date(text).ok());
    Some(until?.duration_since(sent_at?).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: &str = "Fri, 31 Dec 1999 12:00:00 GMT";

    fn parse(after: &str, date: Option<&str>) -> RetryAfter {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, after.parse().unwrap());
        headers.extend(date.map(|date| (DATE, date.parse().unwrap())));
        RetryAfter::from_headers(&headers)
    }

    #[test]
    fn seconds_are_parsed() {
        for (text, secs) in [("0", 0), (" 7 ", 7), ("007", 7), ("31536000", 31_536_000)] {
            assert_eq!(parse(text, None), RetryAfter::After(Duration::from_secs(secs)), "{text}");
        }
        assert_eq!(RetryAfter::from_headers(&HeaderMap::new()), RetryAfter::Absent);
    }

    #[test]
    fn a_date_is_relative_to_the_date_of_the_response() {
        for (until, secs) in [
            ("Fri, 31 Dec 1999 12:00:30 GMT", 30),
            ("Friday, 31-Dec-99 12:01:00 GMT", 60),
            ("Fri Dec 31 13:00:00 1999", 3_600),
            ("Fri, 31 Dec 1999 11:00:00 GMT", 0),
        ] {
            assert_eq!(parse(until, Some(NOON)), RetryAfter::After(Duration::from_secs(secs)), "{until}");
        }
    }

    #[test]
    fn invalid_values_are_reported_as_invalid() {
        let too_long = ["31536001", "18446744073709551615", "18446744073709551616", "Fri, 31 Dec 9999 12:00:00 GMT"];
        for text in too_long.into_iter().chain(["", "-1", "+1", "1.5", "1e3", "soon", "31 Dec 1999"]) {
            assert_eq!(parse(text, Some(NOON)), RetryAfter::Invalid, "{text}");
        }
        for date in [None, Some(""), Some("noon")] {
            assert_eq!(parse(NOON, date), RetryAfter::Invalid, "{date:?}");
        }
    }
}
