//! Indents JSON. Changes only white space: parsing and printing would lose digits of long numbers.

/// The same document, indented by two spaces per level. The input must be valid JSON.
pub(super) fn indent(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut rest = json.trim_start();
    while let Some(first) = rest.chars().next() {
        let after = rest.strip_prefix(first).unwrap_or_default().trim_start();
        rest = match (first, after.chars().next()) {
            ('"', _) => {
                let (string, after) = split_string(rest);
                out.push_str(string);
                after.trim_start()
            }
            ('{' | '[', Some(end @ ('}' | ']'))) => {
                out.extend([first, end]);
                after.strip_prefix(end).unwrap_or_default().trim_start()
            }
            ('{' | '[', _) => {
                out.push(first);
                depth = depth.saturating_add(1);
                new_line(&mut out, depth);
                after
            }
            ('}' | ']', _) => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(first);
                after
            }
            (',', _) => {
                out.push(',');
                new_line(&mut out, depth);
                after
            }
            (':', _) => {
                out.push_str(": ");
                after
            }
            _ => {
                out.push(first);
                after
            }
        };
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// Splits a text that begins with a JSON string into the string, with its quotes, and the rest.
fn split_string(text: &str) -> (&str, &str) {
    let mut is_escaped = false;
    for (index, char) in text.char_indices().skip(1) {
        match char {
            '"' if !is_escaped => return text.split_at_checked(index + 1).unwrap_or((text, "")),
            _ => is_escaped = char == '\\' && !is_escaped,
        }
    }
    (text, "")
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
