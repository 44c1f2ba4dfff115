//! Numbers and booleans as they are written where everything is text: in forms and queries, and by those who quote them.

/// A whole number, also when written with a fraction of zero.
pub fn whole_number(text: &str) -> Option<i128> {
    if let Ok(number) = text.parse::<i128>() {
        return Some(number);
    }
    let number: f64 = text.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, reason = "saturating is right: bounds are checked by whoever reads it")]
    (number.is_finite() && number.fract() == 0.0).then_some(number as i128)
}

/// True or false.
pub fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}
