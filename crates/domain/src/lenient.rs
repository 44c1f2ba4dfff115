//! Lenient parsing of numbers and booleans in forms, queries and quoted JSON values.

/// Parses a whole number, which may be written with a fraction or an exponent (`5.0`, `1e2`).
pub fn parse_whole_number(text: &str) -> Option<i128> {
    if let Ok(number) = text.parse::<i128>() {
        return Some(number);
    }
    let number: f64 = text.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, reason = "saturation is fine: callers check the bounds")]
    (number.is_finite() && number.fract() == 0.0).then_some(number as i128)
}

/// Parses `true`, `false`, `1` or `0`.
pub fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}
