//! Tool names that model APIs accept. Model APIs refuse the whole tool list because of a name like `x (copy)`, so such
//! a tool is listed under a safe name. A call may use either name.

use std::collections::HashSet;

/// The longest name that model APIs accept.
const SAFE_NAME_MAX: usize = 128;
/// The longest name before a number is appended; below `SAFE_NAME_MAX`, to leave room for the number.
const UNNUMBERED_NAME_MAX: usize = 120;

/// The name under which a tool is listed; `taken` are the names that are already in use.
pub(super) fn safe_name(name: &str, taken: &HashSet<String>) -> String {
    if is_safe(name) {
        return name.to_owned();
    }
    let mut safe = String::with_capacity(name.len());
    for c in name.chars() {
        if is_safe_char(c) {
            safe.push(c);
        } else if !safe.ends_with('_') {
            safe.push('_');
        }
    }
    let safe: String = safe.trim_matches('_').chars().take(UNNUMBERED_NAME_MAX).collect();
    let safe = if safe.is_empty() { "tool".to_owned() } else { safe };
    let numbered = (2..).map(|number| format!("{safe}_{number}"));
    std::iter::once(safe.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(safe)
}

fn is_safe(name: &str) -> bool {
    !name.is_empty() && name.len() <= SAFE_NAME_MAX && name.chars().all(is_safe_char)
}

fn is_safe_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_gets_a_unique_safe_name() {
        let taken: HashSet<String> = ["x_copy".to_owned()].into();
        assert_eq!(safe_name("x", &taken), "x");
        assert_eq!(safe_name("y (copy)", &taken), "y_copy");
        assert_eq!(safe_name("x (copy)", &taken), "x_copy_2");
        assert_eq!(safe_name("x (copy) (copy)", &taken), "x_copy_copy");
        assert_eq!(safe_name("(é)", &taken), "tool");
    }
}
