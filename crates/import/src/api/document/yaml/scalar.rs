//! Plain scalars by the core schema of YAML 1.2.

use serde_json::{Number, Value};

/// The value of a plain scalar. `on`, `yes` and dates are strings, as are numbers that JSON cannot write.
pub(super) fn plain(text: String) -> Value {
    match text.as_str() {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(&text).map_or(Value::String(text), Value::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return integer(digits, unsigned);
    }
    if is_float(digits) { Number::from_f64(unsigned.parse().ok()?) } else { None }
}

fn integer(digits: &str, text: &str) -> Option<Number> {
    // `0123` is an identifier or a postal code, whose digits JSON would lose.
    if digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    let as_integer = text.parse::<u64>().map(Number::from).or_else(|_| text.parse::<i64>().map(Number::from));
    as_integer.ok().or_else(|| Number::from_f64(text.parse().ok()?))
}

fn radix(digits: &str, radix: u32) -> Option<Number> {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u64::from_str_radix(digits, radix).ok().map(Number::from)
}

/// Whether a text without sign has a form like `1.5`, `.5`, `1.` or `1e3`.
fn is_float(text: &str) -> bool {
    let (mantissa, exponent) =
        text.split_once(['e', 'E']).map_or((text, None), |(number, exponent)| (number, Some(exponent)));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_exponent = |text: &str| {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        !digits.is_empty() && all_digits(digits)
    };
    (!whole.is_empty() || !fraction.is_empty())
        && all_digits(whole)
        && all_digits(fraction)
        && exponent.is_none_or(is_exponent)
}
