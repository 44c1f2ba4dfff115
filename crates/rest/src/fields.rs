//! `_fields`: selects the fields of a reply, `a,b.c`. Values are copied as raw JSON, so numbers stay exact.

use serde_json::value::RawValue;
use toolgate_domain::json::Members;

/// Maximum number of field names read from a request; no object has more fields.
const FIELDS_MAX: usize = 100;

/// Removes fields of an object.
pub(crate) fn remove(body: &RawValue, names: &[&str]) -> Option<Box<RawValue>> {
    let mut members: Members = serde_json::from_str(body.get()).ok()?;
    members.retain(|name, _| !names.contains(&name.as_str()));
    serde_json::value::to_raw_value(&members).ok()
}

/// Selects the named fields of an object, or of each object in a list. `None` if no field is named.
pub(crate) fn select(body: &RawValue, fields: &str) -> Option<Box<RawValue>> {
    let names = fields.split([',', ' ']).map(str::trim).filter(|name| !name.is_empty());
    let paths: Vec<Vec<&str>> = names.take(FIELDS_MAX).map(|name| name.split('.').collect()).collect();
    if paths.is_empty() {
        return None;
    }
    let paths: Vec<&[&str]> = paths.iter().map(Vec::as_slice).collect();
    select_paths(body, &paths)
}

fn select_paths(value: &RawValue, paths: &[&[&str]]) -> Option<Box<RawValue>> {
    if let Ok(items) = serde_json::from_str::<Vec<Box<RawValue>>>(value.get()) {
        let items: Vec<_> =
            items.iter().map(|item| select_paths(item, paths).unwrap_or_else(|| item.clone())).collect();
        return serde_json::value::to_raw_value(&items).ok();
    }
    let members: Members = serde_json::from_str(value.get()).ok()?;
    let mut selected = Members::new();
    for (name, member) in &members {
        let subpaths: Vec<&[&str]> = paths
            .iter()
            .filter_map(|path| path.split_first())
            .filter(|(head, _)| *head == name)
            .map(|(_, tail)| tail)
            .collect();
        if subpaths.iter().any(|path| path.is_empty()) {
            selected.insert(name.clone(), member.clone());
        } else if !subpaths.is_empty()
            && let Some(part) = select_paths(member, &subpaths)
        {
            selected.insert(name.clone(), part);
        }
    }
    serde_json::value::to_raw_value(&selected).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select_text(body: &str, fields: &str) -> String {
        let body = toolgate_domain::json::raw(body.to_owned());
        select(&body, fields).map_or_else(|| body.get().to_owned(), |selected| selected.get().to_owned())
    }

    #[test]
    fn fields_are_selected_by_name_and_by_path() {
        let body = r#"[{"a":1,"b":{"c":123456789012345678901234,"d":3},"e":null}]"#;
        assert_eq!(select_text(body, "a,e"), r#"[{"a":1,"e":null}]"#);
        assert_eq!(select_text(body, "b.c, x"), r#"[{"b":{"c":123456789012345678901234}}]"#);
        assert_eq!(select_text(body, "b.c,b"), r#"[{"b":{"c":123456789012345678901234,"d":3}}]"#);
        assert_eq!(select_text(body, "zzz"), "[{}]");
        assert_eq!(select_text(body, " ,"), body);
    }
}
