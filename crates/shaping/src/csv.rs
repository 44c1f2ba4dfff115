//! CSV (RFC 4180): the ends of records, cells, and a choice of columns.

use std::borrow::Cow;

use toolgate_domain::shaping::Shaping;

use crate::projection::Projection;

/// The end of the record that starts at `at`, after its line end.
pub(crate) fn record_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut is_quoted = false;
    let rest = bytes.get(at..).unwrap_or_default();
    let end = rest.iter().position(|byte| {
        is_quoted ^= *byte == b'"';
        *byte == b'\n' && !is_quoted
    });
    end.map_or(bytes.len(), |end| at + end + 1)
}

/// The text with the columns that `fields` and `omit` select; unchanged if they select all or none.
pub(crate) fn select_columns<'t>(text: &'t str, shaping: &Shaping) -> Cow<'t, str> {
    let mut projection = Projection::new(shaping);
    let root = projection.root();
    if projection.keeps_all(root) {
        return Cow::Borrowed(text);
    }
    let header = text.get(..record_end(text, 0)).unwrap_or_default();
    let is_selected: Vec<bool> =
        cells(header).map(|cell| projection.named_member(root, cell_text(cell).trim()).is_some()).collect();
    if is_selected.iter().all(|selected| *selected) || !is_selected.contains(&true) {
        return Cow::Borrowed(text);
    }
    let mut selected = String::with_capacity(text.len() / 2);
    let mut at = 0;
    while at < text.len() {
        let end = record_end(text, at);
        let record = text.get(at..end).unwrap_or_default();
        let record = record.trim_end_matches(['\r', '\n']);
        let chosen = cells(record).enumerate().filter(|(column, _)| is_selected.get(*column).copied().unwrap_or(false));
        for (position, (_, cell)) in chosen.enumerate() {
            if position > 0 {
                selected.push(',');
            }
            selected.push_str(cell);
        }
        selected.push('\n');
        at = end;
    }
    Cow::Owned(selected)
}

/// The raw cells of a record.
fn cells(record: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(record.trim_end_matches(['\r', '\n']));
    std::iter::from_fn(move || {
        let text = rest?;
        let mut is_quoted = false;
        let end = text.bytes().position(|byte| {
            is_quoted ^= byte == b'"';
            byte == b',' && !is_quoted
        });
        let (cell, after) = match end {
            Some(end) => (text.get(..end)?, text.get(end + 1..)),
            None => (text, None),
        };
        rest = after;
        Some(cell)
    })
}

/// The text of a cell without its quotes.
fn cell_text(cell: &str) -> Cow<'_, str> {
    match cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')) {
        Some(quoted) => Cow::Owned(quoted.replace("\"\"", "\"")),
        None => Cow::Borrowed(cell),
    }
}

/// Writes a cell, in quotes if it needs them.
pub(crate) fn write_cell(text: &str, out: &mut String) {
    if text.contains([',', '"', '\n', '\r']) {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rules::rules;

    const TABLE: &str = "id,name,\"note, long\"\r\n1,\"Kim \"\"K\"\"\",\"a\nb\"\r\n2,,c";

    #[test]
    fn a_record_may_hold_line_ends_in_quotes() {
        let mut at = 0;
        let mut records = Vec::new();
        while at < TABLE.len() {
            let end = record_end(TABLE, at);
            records.push(TABLE.get(at..end).unwrap());
            at = end;
        }
        assert_eq!(records, ["id,name,\"note, long\"\r\n", "1,\"Kim \"\"K\"\"\",\"a\nb\"\r\n", "2,,c"]);
    }

    #[test]
    fn columns_are_chosen_by_their_names() {
        assert_eq!(select_columns(TABLE, &rules(r#"{"omit":["note*"]}"#)), "id,name\n1,\"Kim \"\"K\"\"\"\n2,\n");
        assert_eq!(select_columns(TABLE, &rules(r#"{"fields":["id"]}"#)), "id\n1\n2\n");
        for all in ["{}", r#"{"fields":["unknown"]}"#, r#"{"fields":["*"]}"#] {
            assert_eq!(select_columns(TABLE, &rules(all)), TABLE);
        }
    }

    #[test]
    fn cells_are_quoted_if_necessary() {
        let mut out = String::new();
        for text in ["plain", "a,b", "say \"hi\""] {
            write_cell(text, &mut out);
            out.push('|');
        }
        assert_eq!(out, "plain|\"a,b\"|\"say \"\"hi\"\"\"|");
    }
}
