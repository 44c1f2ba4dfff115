//! Turns valid headers, values and bodies into invalid ones.

use serde_json::Value;
use toolgate_testkit::http::TestRequest;

use super::super::generator::{HostileRng, fixed_values};

/// Raw values for headers and query parameters. None of them may be a reachable URL, because stored URLs may be called.
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

pub(super) fn one_of<'a, T>(rng: &mut HostileRng, items: &'a [T]) -> &'a T {
    &items[rng.below(items.len())]
}

/// Sets a few of these headers to invalid values and appends them to `description`.
pub(super) fn corrupt_headers(
    rng: &mut HostileRng,
    mut request: TestRequest,
    names: &[&str],
    description: &mut String,
) -> TestRequest {
    for name in names {
        if rng.below(40) == 0 {
            let value = one_of(rng, &TEXTS);
            description.extend([", ", name, ": ", value]);
            request = request.header(name, value);
        }
    }
    request
}

/// The start of a body, for failure messages.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(300).collect()
}

/// Replaces, removes or adds one part of a document.
pub(super) fn corrupt_value(rng: &mut HostileRng, value: &mut Value) {
    let descends = rng.below(3) > 0;
    match value {
        Value::Object(members) if descends && !members.is_empty() => {
            let name = members.keys().nth(rng.below(members.len())).cloned().unwrap_or_default();
            match rng.below(6) {
                0 => drop(members.remove(&name)),
                1 => drop(members.insert(rng.text(), rng.value(2))),
                _ => corrupt_value(rng, &mut members[&name]),
            }
        }
        Value::Array(items) if descends && !items.is_empty() => {
            let index = rng.below(items.len());
            corrupt_value(rng, &mut items[index]);
        }
        other => *other = any_value(rng),
    }
}

/// An edge-case value or a random one.
pub(super) fn any_value(rng: &mut HostileRng) -> Value {
    let mut fixed = fixed_values();
    if rng.below(2) == 0 { fixed.swap_remove(rng.below(fixed.len())) } else { rng.value(4) }
}

/// Truncates, overwrites, duplicates or inserts bytes.
pub(super) fn corrupt_bytes(rng: &mut HostileRng, bytes: &mut Vec<u8>) {
    for _ in 0..=rng.below(3) {
        let index = rng.below(bytes.len() + 1);
        match rng.below(5) {
            0 => bytes.truncate(index),
            1 => bytes.insert(index, u8::try_from(rng.below(256)).unwrap()),
            2 => bytes.extend_from_within(index..),
            3 => drop(bytes.splice(index..index, b"{[\"\\u".iter().copied().cycle().take(rng.below(200)))),
            _ => bytes.iter_mut().skip(index).take(2).for_each(|byte| *byte ^= 1 << rng.below(8)),
        }
    }
    // Repeated duplication must not make the body grow without bound.
    bytes.truncate(100_000);
}
