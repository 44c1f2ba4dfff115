//! Tables as RFC 4180 has them, for spreadsheets: what is documented as fields are columns, in the same order.

use serde::Serialize;
use serde_json::Value;
use utoipa::PartialSchema;

use crate::routes::schema;

/// What a spreadsheet takes for the beginning of a formula; some read the wide forms as they read the others.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];

/// The columns of a table.
#[derive(Debug)]
pub(crate) struct Columns(Vec<String>);

impl Columns {
    /// The fields of what a type is documented as.
    pub(crate) fn of<T: PartialSchema>() -> Self {
        let schema = schema::<T>();
        let names = schema["properties"].as_object().map(|properties| properties.keys().cloned().collect());
        Self(names.unwrap_or_default())
    }

    /// The line of names.
    pub(crate) fn head(&self) -> String {
        let mut text = String::new();
        line(self.0.iter().cloned(), &mut text);
        text
    }

    /// Adds a row: the cells are what JSON would say.
    pub(crate) fn write(&self, row: &impl Serialize, text: &mut String) -> Result<(), serde_json::Error> {
        let row = serde_json::to_value(row)?;
        line(self.0.iter().map(|name| cell(&row[name])), text);
        Ok(())
    }
}

fn line(cells: impl Iterator<Item = String>, text: &mut String) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            text.push(',');
        }
        // A semicolon separates cells where the comma is for decimals.
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

/// A value as text. What others wrote must not run on the machine of whoever opens the table.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.starts_with(FORMULA) => format!("'{text}"),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use utoipa::ToSchema;

    use super::*;

    #[derive(Serialize, ToSchema)]
    struct Row {
        name: &'static str,
        number: f64,
        note: Option<&'static str>,
        flag: bool,
    }

    fn written(name: &'static str) -> String {
        let mut text = String::new();
        let row = Row { name, number: -1.5, note: None, flag: true };
        Columns::of::<Row>().write(&row, &mut text).unwrap();
        text
    }

    #[test]
    fn the_head_has_the_documented_fields_in_order() {
        assert_eq!(Columns::of::<Row>().head(), "name,number,note,flag\r\n");
    }

    #[test]
    fn cells_are_quoted_where_they_have_to_be() {
        assert_eq!(written("plain ü"), "plain ü,-1.5,,true\r\n");
        assert_eq!(written("a,b"), "\"a,b\",-1.5,,true\r\n");
        assert_eq!(written("a;b"), "\"a;b\",-1.5,,true\r\n");
        assert_eq!(written("say \"hi\""), "\"say \"\"hi\"\"\",-1.5,,true\r\n");
        assert_eq!(written("two\r\nlines"), "\"two\r\nlines\",-1.5,,true\r\n");
    }

    #[test]
    fn no_text_is_taken_for_a_formula() {
        for hostile in ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠A", "\tx", "\rx", "\nx"] {
            assert!(written(hostile).trim_start_matches('"').starts_with('\''), "{hostile:?}");
        }
        assert_eq!(written("=cmd|'/c calc'!A0,\""), "\"'=cmd|'/c calc'!A0,\"\"\",-1.5,,true\r\n");
        assert_eq!(written("a=1"), "a=1,-1.5,,true\r\n");
    }
}
