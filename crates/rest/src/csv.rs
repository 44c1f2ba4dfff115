//! CSV (RFC 4180) for spreadsheets. The columns are the fields of the JSON Schema, in its order, except objects.

use serde::Serialize;
use serde_json::Value;

use crate::schema::ReplyObject;

/// Characters that make a spreadsheet read a cell as a formula; some also accept the full-width forms.
const FORMULA_PREFIXES: [char; 11] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];

/// The columns of a CSV document.
#[derive(Debug)]
pub(crate) struct CsvColumns(Vec<String>);

impl CsvColumns {
    /// The fields in the schema of `T`, except objects.
    pub(crate) fn from_schema<T: ReplyObject>() -> Self {
        let schema = T::schema();
        let properties = schema["properties"].as_object().into_iter().flatten();
        Self(properties.filter(|(_, field)| field["type"] != "object").map(|(name, _)| name.clone()).collect())
    }

    /// The header line.
    pub(crate) fn header(&self) -> String {
        let mut text = String::new();
        write_line(self.0.iter().cloned(), &mut text);
        text
    }

    /// Appends a row; the cells are the values in the JSON form of `row`.
    pub(crate) fn write_row(&self, row: &impl Serialize, text: &mut String) -> Result<(), serde_json::Error> {
        let row = serde_json::to_value(row)?;
        write_line(self.0.iter().map(|name| cell_text(&row[name])), text);
        Ok(())
    }
}

fn write_line(cells: impl Iterator<Item = String>, text: &mut String) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            text.push(',');
        }
        // Spreadsheets of locales with a decimal comma separate cells by semicolon, so it is quoted, too.
        if cell.contains([',', ';', '"', '\r', '\n']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&cell);
        }
    }
    text.push_str("\r\n");
}

/// A value as cell text. A leading `'` stops spreadsheets from running untrusted text as a formula.
fn cell_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.starts_with(FORMULA_PREFIXES) => format!("'{text}"),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply_object::reply_object;

    reply_object! {
        /// A row.
        struct CsvRow(name: &'static str) {
            name: &'static str = name,
            number: f64 = -1.5,
            note: Option<&'static str> = None,
            flag: bool = true,
        }
    }

    fn row_text(name: &'static str) -> String {
        let mut text = String::new();
        CsvColumns::from_schema::<CsvRow>().write_row(&CsvRow::new(name), &mut text).unwrap();
        text
    }

    #[test]
    fn the_header_has_the_documented_fields_in_order() {
        assert_eq!(CsvColumns::from_schema::<CsvRow>().header(), "name,number,note,flag\r\n");
    }

    #[test]
    fn cells_are_quoted_where_needed() {
        assert_eq!(row_text("plain ü"), "plain ü,-1.5,,true\r\n");
        assert_eq!(row_text("a,b"), "\"a,b\",-1.5,,true\r\n");
        assert_eq!(row_text("a;b"), "\"a;b\",-1.5,,true\r\n");
        assert_eq!(row_text("say \"hi\""), "\"say \"\"hi\"\"\",-1.5,,true\r\n");
        assert_eq!(row_text("two\r\nlines"), "\"two\r\nlines\",-1.5,,true\r\n");
    }

    #[test]
    fn no_text_is_read_as_a_formula() {
        for hostile in ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠A", "\tx", "\rx", "\nx"] {
            assert!(row_text(hostile).trim_start_matches('"').starts_with('\''), "{hostile:?}");
        }
        assert_eq!(row_text("=cmd|'/c calc'!A0,\""), "\"'=cmd|'/c calc'!A0,\"\"\",-1.5,,true\r\n");
        assert_eq!(row_text("a=1"), "a=1,-1.5,,true\r\n");
    }
}
