//! Markdown in descriptions.

/// The text without images and tables, and with the texts of links in place of the links.
pub(super) fn without_links_and_tables(text: &str) -> String {
    let lines = text.lines().filter(|line| !is_table_row(line));
    lines.map(without_links).collect::<Vec<_>>().join("\n")
}

fn is_table_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1 && line.starts_with('|') && line.ends_with('|')
}

fn without_links(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, from_bracket)) = rest.find('[').and_then(|at| rest.split_at_checked(at)) {
        let Some((text, after)) = link(from_bracket) else {
            out.push_str(before);
            out.push('[');
            rest = from_bracket.strip_prefix('[').unwrap_or_default();
            continue;
        };
        match before.strip_suffix('!') {
            // An image.
            Some(before) => out.push_str(before),
            None => out.extend([before, text]),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The text of the link at the start of a text, and what follows the link.
fn link(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.strip_prefix('[')?.split_once(']')?;
    let after_address = match after.as_bytes().first()? {
        b'(' => after.split_once(')').map(|(_, after)| after)?,
        b'[' => after.split_once(']').map(|(_, after)| after)?,
        _ => return None,
    };
    (!name.contains('[')).then_some((name, after_address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_their_text_and_tables_are_left_out() {
        for (text, expected) in [
            ("See [the docs](https://a.example/x).", "See the docs."),
            ("[a](b) and [c][d]", "a and c"),
            ("![logo](x.png) text", " text"),
            ("filter[name] and a[0]", "filter[name] and a[0]"),
            ("[unclosed", "[unclosed"),
            ("[a](b", "[a](b"),
            ("one\n| a | b |\n|---|---|\ntwo", "one\ntwo"),
            ("a | b", "a | b"),
            ("[[x](y)]", "[x]"),
        ] {
            assert_eq!(without_links_and_tables(text), expected, "{text}");
        }
    }
}
