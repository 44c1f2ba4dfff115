//! What is done to something good to make it bad.

use serde_json::Value;
use toolgate_testkit::http::Request;

use super::super::generator::{Dice, fixed_values};

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

pub(super) fn one_of<'a, T>(dice: &mut Dice, among: &'a [T]) -> &'a T {
    &among[dice.below(among.len())]
}

/// Sets a few of these headers to something they should not be, and says so in `shown`.
pub(super) fn spoil_headers(dice: &mut Dice, mut request: Request, names: &[&str], shown: &mut String) -> Request {
    for name in names {
        if dice.below(40) == 0 {
            let value = one_of(dice, &TEXTS);
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
pub(super) fn spoil_value(dice: &mut Dice, value: &mut Value) {
    let goes_deeper = dice.below(3) > 0;
    match value {
        Value::Object(members) if goes_deeper && !members.is_empty() => {
            let name = members.keys().nth(dice.below(members.len())).cloned().unwrap_or_default();
            match dice.below(6) {
                0 => drop(members.remove(&name)),
                1 => drop(members.insert(dice.text(), dice.value(2))),
                _ => spoil_value(dice, &mut members[&name]),
            }
        }
        Value::Array(items) if goes_deeper && !items.is_empty() => {
            let at = dice.below(items.len());
            spoil_value(dice, &mut items[at]);
        }
        other => *other = any_value(dice),
    }
}

/// A value of no particular kind: one of those known to hurt, or a made-up one.
pub(super) fn any_value(dice: &mut Dice) -> Value {
    let mut fixed = fixed_values();
    if dice.below(2) == 0 { fixed.swap_remove(dice.below(fixed.len())) } else { dice.value(4) }
}

/// Changes the bytes themselves: cut short, overwritten, doubled or with something foreign put in.
pub(super) fn spoil_bytes(dice: &mut Dice, bytes: &mut Vec<u8>) {
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len() + 1);
        match dice.below(5) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, u8::try_from(dice.below(256)).unwrap()),
            2 => bytes.extend_from_within(at..),
            3 => drop(bytes.splice(at..at, b"{[\"\\u".iter().copied().cycle().take(dice.below(200)))),
            _ => bytes.iter_mut().skip(at).take(2).for_each(|byte| *byte ^= 1 << dice.below(8)),
        }
    }
    // Doubling a doubled body a few times is enough.
    bytes.truncate(100_000);
}
