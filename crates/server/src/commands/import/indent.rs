//! Indents JSON. Changes only white space: parsing and printing would lose digits of long numbers.

use toolgate_domain::json;

/// The same document, indented by two spaces per level. The input must be valid JSON.
pub(super) fn indent(document: &str) -> String {
    let document = json::compact(document);
    let mut out = String::with_capacity(document.len() * 2);
    let (mut depth, mut is_in_string, mut is_escaped) = (0_usize, false, false);
    let mut chars = document.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            _ if is_in_string => {
                out.push(c);
                is_in_string = c != '"' || is_escaped;
                is_escaped = c == '\\' && !is_escaped;
            }
            '{' | '[' => {
                out.push(c);
                if let Some(end) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(end);
                } else {
                    depth = depth.saturating_add(1);
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(',');
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                is_in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_matches_serde_json() {
        for document in [
            serde_json::json!({}),
            serde_json::json!([]),
            serde_json::json!("a\"b\\"),
            serde_json::json!({"a": [1, {"b": [], "c": {}}, "x, {y}: [\"z\\\""], "d\\": null, "é": true}),
        ] {
            assert_eq!(indent(&document.to_string()), format!("{document:#}"));
        }
    }

    #[test]
    fn only_white_space_changes() {
        let input = " { \"n\" : 1.50e400 ,\n\t\"m\":[ 12345678901234567890123 , [ ] ] }";
        assert_eq!(indent(input), "{\n  \"n\": 1.50e400,\n  \"m\": [\n    12345678901234567890123,\n    []\n  ]\n}");
    }
}
