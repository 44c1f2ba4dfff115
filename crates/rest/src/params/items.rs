//! Reads the items of a list.

use serde_json::value::RawValue;
use toolgate_domain::fault::Fault;
use toolgate_domain::json;
use toolgate_domain::lenient;

/// The items of the list `name` as integers.
pub(crate) fn integers(name: &str, items: &[Box<RawValue>]) -> Result<Vec<i64>, Fault> {
    let integer = |item: &RawValue| {
        let text = json::as_string(item).unwrap_or_else(|| item.get().to_owned());
        i64::try_from(lenient::parse_whole_number(text.trim())?).ok()
    };
    read(name, "integer", items, integer)
}

/// The items of the list `name` as strings.
pub(crate) fn strings(name: &str, items: &[Box<RawValue>]) -> Result<Vec<String>, Fault> {
    read(name, "string", items, json::as_string)
}

fn read<T>(
    name: &str,
    kind: &str,
    items: &[Box<RawValue>],
    read_item: impl Fn(&RawValue) -> Option<T>,
) -> Result<Vec<T>, Fault> {
    let numbered = items.iter().enumerate();
    numbered
        .map(|(index, item)| read_item(item).ok_or_else(|| Fault::invalid_type(&format!("{name}[{index}]"), kind)))
        .collect()
}
