//! `Retry-After`: when an upstream wants to be asked again, in seconds or as a date.
//!
//! A date is by the upstream's clock, so it is read against the `Date` of the same answer: the difference is right
//! however wrong that clock is, and ours is not needed.

use std::time::Duration;

use http::HeaderMap;
use http::header::{DATE, HeaderName, RETRY_AFTER};

/// Whoever asks for more means something else, and no number of an upstream's may overflow a sum.
const LONGEST: Duration = Duration::from_hours(24 * 365);

/// What an upstream says about asking again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RetryAfter {
    /// Nothing.
    Untold,
    /// Not before this has passed.
    In(Duration),
    /// Something that cannot be understood.
    Unclear,
}

impl RetryAfter {
    /// Of the answer with these headers.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        if !headers.contains_key(RETRY_AFTER) {
            return Self::Untold;
        }
        let told = text(headers, &RETRY_AFTER);
        let wait = told.and_then(|told| seconds(told).or_else(|| from_date(told, text(headers, &DATE)?)));
        wait.filter(|wait| *wait <= LONGEST).map_or(Self::Unclear, Self::In)
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

fn seconds(text: &str) -> Option<Duration> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?.map(Duration::from_secs)
}

/// A date that is past asks for no wait at all.
fn from_date(until: &str, sent_at: &str) -> Option<Duration> {
    let [until, sent_at] = [until, sent_at].map(|text| httpdate::parse_http_date(text).ok());
    Some(until?.duration_since(sent_at?).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: &str = "Fri, 31 Dec 1999 12:00:00 GMT";

    fn read(after: &str, date: Option<&str>) -> RetryAfter {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, after.parse().unwrap());
        headers.extend(date.map(|date| (DATE, date.parse().unwrap())));
        RetryAfter::of(&headers)
    }

    #[test]
    fn seconds_are_taken_as_they_are_told() {
        for (text, secs) in [("0", 0), (" 7 ", 7), ("007", 7), ("31536000", 31_536_000)] {
            assert_eq!(read(text, None), RetryAfter::In(Duration::from_secs(secs)), "{text}");
        }
        assert_eq!(RetryAfter::of(&HeaderMap::new()), RetryAfter::Untold);
    }

    #[test]
    fn a_date_counts_from_the_date_of_the_answer() {
        for (until, secs) in [
            ("Fri, 31 Dec 1999 12:00:30 GMT", 30),
            ("Friday, 31-Dec-99 12:01:00 GMT", 60),
            ("Fri Dec 31 13:00:00 1999", 3_600),
            ("Fri, 31 Dec 1999 11:00:00 GMT", 0),
        ] {
            assert_eq!(read(until, Some(NOON)), RetryAfter::In(Duration::from_secs(secs)), "{until}");
        }
    }

    #[test]
    fn what_cannot_be_understood_is_not_guessed() {
        let endless = ["31536001", "18446744073709551615", "18446744073709551616", "Fri, 31 Dec 9999 12:00:00 GMT"];
        for text in endless.into_iter().chain(["", "-1", "+1", "1.5", "1e3", "soon", "31 Dec 1999"]) {
            assert_eq!(read(text, Some(NOON)), RetryAfter::Unclear, "{text}");
        }
        for date in [None, Some(""), Some("noon")] {
            assert_eq!(read(NOON, date), RetryAfter::Unclear, "{date:?}");
        }
    }
}
