//! Removes noise: headers and cookies that browsers add to a request and the API does not need.

use indexmap::IndexMap;

use crate::tables::{NOISE_HEADERS, TRACKING_COOKIES};
use crate::warnings::Warnings;

/// Maximum number of names in the warning.
const LISTED_MAX: usize = 40;
/// Headers that the HTTP client sets. They are left out without a warning.
const CLIENT_HEADERS: [&str; 2] = ["host", "content-length"];

/// Removes the headers and cookies that the API does not need; returns their names.
pub(super) fn remove_headers(headers: &mut IndexMap<String, String>) -> Vec<String> {
    let mut removed = Vec::new();
    headers.retain(|name, value| {
        let lower = name.to_ascii_lowercase();
        if lower == "cookie" {
            removed.extend(remove_cookies(value));
            return !value.is_empty();
        }
        let is_noise = NOISE_HEADERS.contains(&lower) || (lower == "accept" && value == "*/*");
        removed.extend(is_noise.then(|| lower.clone()));
        !is_noise && !CLIENT_HEADERS.contains(&lower.as_str())
    });
    removed
}

/// Removes the cookies that the API does not need; returns their names.
fn remove_cookies(value: &mut String) -> Vec<String> {
    let name = |cookie: &str| cookie.split('=').next().unwrap_or_default().trim().to_owned();
    let cookies = value.split(';').map(str::trim).filter(|cookie| !cookie.is_empty());
    let (tracking, others): (Vec<&str>, Vec<&str>) =
        cookies.partition(|cookie| TRACKING_COOKIES.contains(&name(cookie)));
    let removed: Vec<String> = tracking.into_iter().map(|cookie| format!("cookie {}", name(cookie))).collect();
    if !removed.is_empty() {
        *value = others.join("; ");
    }
    removed
}

/// Adds a warning with the names that were left out.
pub(super) fn warn(names: &[String], warnings: &mut Warnings) {
    if names.is_empty() {
        return;
    }
    let listed: Vec<&str> = names.iter().take(LISTED_MAX).map(String::as_str).collect();
    let more = if names.len() > LISTED_MAX { " and others" } else { "" };
    warnings.add(format!("{}{more} were left out: they do not matter to an API.", listed.join(", ")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_removed_and_listed() {
        let header = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut headers: IndexMap<String, String> = [
            ("Accept", "*/*"),
            ("Sec-Fetch-Mode", "cors"),
            ("Host", "a"),
            ("X-Page", "1"),
            ("Cookie", "_ga=1;session=a; _gid=2; b=c"),
        ]
        .iter()
        .map(header)
        .collect();
        assert_eq!(remove_headers(&mut headers), ["accept", "sec-fetch-mode", "cookie _ga", "cookie _gid"]);
        let kept: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(kept, [("X-Page", "1"), ("Cookie", "session=a; b=c")]);
        let mut only_tracking: IndexMap<String, String> = [("Cookie", "_ga=1")].iter().map(header).collect();
        remove_headers(&mut only_tracking);
        assert!(only_tracking.is_empty());
    }
}
