//! What is done to something good to make it bad.

use serde_json::Value;
use toolgate_testkit::http::TestRequest;

use super::super::generator::{HostileRng, fixed_values};

/// Values for headers and queries, as they stand in a request: nothing here may be an address that somebody could
/// reach, for what is stored may be called.
pub(super) const TEXTS: [&str; 24] = [
    "",
    "0",
    "-1",
    "1.5",
    "99999999999999999999",
    "1e400",
    "NaN",
    "true",
    "null",
    "[]",
    "{}",
    "%00",
    "%ff",
    "%",
    "%zz",
    "%E2%80%AE",
    "..%2f..",
    "%27%20OR%201=1--",
    "a,b;c=d",
    "2026-07-28",
    "1900-01-01",
    "=?base64?%%%?=",
    "application/json",
    "x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x",
];

pub(super) fn one_of<'a, T>(rng: &mut HostileRng, among: &'a [T]) -> &'a T {
    &among[rng.below(among.len())]
}

/// Sets a few of these headers to something they should not be, and says so in `shown`.
pub(super) fn spoil_headers(
    rng: &mut HostileRng,
    mut request: TestRequest,
    names: &[&str],
    shown: &mut String,
) -> TestRequest {
    for name in names {
        if rng.below(40) == 0 {
            let value = one_of(rng, &TEXTS);
            shown.extend([", ", name, ": ", value]);
            request = request.header(name, value);
        }
    }
    request
}

/// The beginning of a body, for messages.
pub(super) fn beginning(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(300).collect()
}

/// Puts something else in the place of one part of a document, takes that part away, or adds one.
pub(super) fn spoil_value(rng: &mut HostileRng, value: &mut Value) {
    let goes_deeper = rng.below(3) > 0;
    match value {
        Value::Object(members) if goes_deeper && !members.is_empty() => {
            let name = members.keys().nth(rng.below(members.len())).cloned().unwrap_or_default();
            match rng.below(6) {
                0 => drop(members.remove(&name)),
                1 => drop(members.insert(rng.text(), rng.value(2))),
                _ => spoil_value(rng, &mut members[&name]),
            }
        }
        Value::Array(items) if goes_deeper && !items.is_empty() => {
            let at = rng.below(items.len());
            spoil_value(rng, &mut items[at]);
        }
        other => *other = any_value(rng),
    }
}

/// A value of no particular kind: one of those known to hurt, or a made-up one.
pub(super) fn any_value(rng: &mut HostileRng) -> Value {
    let mut fixed = fixed_values();
    if rng.below(2) == 0 { fixed.swap_remove(rng.below(fixed.len())) } else { rng.value(4) }
}

/// Changes the bytes themselves: cut short, overwritten, doubled or with something foreign put in.
pub(super) fn spoil_bytes(rng: &mut HostileRng, bytes: &mut Vec<u8>) {
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(5) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, u8::try_from(rng.below(256)).unwrap()),
            2 => bytes.extend_from_within(at..),
            3 => drop(bytes.splice(at..at, b"{[\"\\u".iter().copied().cycle().take(rng.below(200)))),
            _ => bytes.iter_mut().skip(at).take(2).for_each(|byte| *byte ^= 1 << rng.below(8)),
        }
    }
    // Doubling a doubled body a few times is enough.
    bytes.truncate(100_000);
}
