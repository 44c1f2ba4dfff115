//! Shell variables in URLs: `$USER_ID` in `/users/$USER_ID` becomes an argument.

use toolgate_domain::endpoint_url::URL_MAX;

use crate::naming::NAME_MAX;
use crate::spelling;

/// Replaces variables with placeholders. A lower-case name without braces, such as `$count`, is not replaced, because
/// some APIs have such names in their URLs.
pub(super) fn to_placeholders(text: &str) -> String {
    if text.len() > URL_MAX {
        return text.to_owned();
    }
    let mut pieces = text.split('$');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match variable(piece) {
            Some((name, after)) => {
                out.extend(["{", &name, "}", after]);
            }
            None => out.extend(["$", piece]),
        }
    }
    out
}

/// A variable at the start of a text: its name as a placeholder name, and the text after it.
fn variable(text: &str) -> Option<(String, &str)> {
    let is_name_char = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let (name, after) = if let Some(inner) = text.strip_prefix('{') {
        inner.split_once('}')?
    } else {
        text.split_at_checked(text.find(|c| !is_name_char(c)).unwrap_or(text.len()))?
    };
    let name = spelling::to_snake_case(name);
    (name.starts_with(|c: char| c.is_ascii_lowercase()) && name.len() <= NAME_MAX).then_some((name, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_become_placeholders() {
        for (text, expected) in [
            ("users/$USER_ID/x", "users/{user_id}/x"),
            ("v${VERSION}.json", "v{version}.json"),
            ("a=$A&b=${bValue}", "a={a}&b={b_value}"),
            ("$count", "$count"),
            ("$", "$"),
            ("$5", "$5"),
            ("a$$B", "a${b}"),
            ("${", "${"),
            ("${}", "${}"),
        ] {
            assert_eq!(to_placeholders(text), expected);
        }
        for long in [format!("${}", "A".repeat(65)), "/$A".repeat(URL_MAX)] {
            assert_eq!(to_placeholders(&long), long);
        }
    }
}
