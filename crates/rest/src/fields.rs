//! `_fields`: a client names what it wants to see, `a,b.c`. What is kept is copied as text, so numbers keep their digits.

use serde_json::value::RawValue;
use toolgate_domain::json::Members;

/// Names of a request that are looked at; no object has so many fields.
const FIELDS_MAX: usize = 100;

/// Keeps the named top-level fields of an object.
pub(crate) fn only(body: &RawValue, fields: &[&str]) -> Option<Box<RawValue>> {
    let paths: Vec<&[&str]> = fields.iter().map(std::slice::from_ref).collect();
    select_paths(body, &paths)
}

/// Keeps the named fields of an object, or of each object in a list.
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
    let mut kept = Members::new();
    for (name, member) in &members {
        let below: Vec<&[&str]> = paths
            .iter()
            .filter_map(|path| path.split_first())
            .filter(|(head, _)| *head == name)
            .map(|(_, t)| t)
            .collect();
        if below.iter().any(|rest| rest.is_empty()) {
            kept.insert(name.clone(), member.clone());
        } else if !below.is_empty()
            && let Some(part) = select_paths(member, &below)
        {
            kept.insert(name.clone(), part);
        }
    }
    serde_json::value::to_raw_value(&kept).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(body: &str, fields: &str) -> String {
        let body = toolgate_domain::json::raw(body.to_owned());
        select(&body, fields).map_or_else(|| body.get().to_owned(), |kept| kept.get().to_owned())
    }

    #[test]
    fn fields_are_kept_by_name_and_by_path() {
        let body = r#"[{"a":1,"b":{"c":123456789012345678901234,"d":3},"e":null}]"#;
        assert_eq!(selected(body, "a,e"), r#"[{"a":1,"e":null}]"#);
        assert_eq!(selected(body, "b.c, x"), r#"[{"b":{"c":123456789012345678901234}}]"#);
        assert_eq!(selected(body, "b.c,b"), r#"[{"b":{"c":123456789012345678901234,"d":3}}]"#);
        assert_eq!(selected(body, "zzz"), "[{}]");
        assert_eq!(selected(body, " ,"), body);
    }
}
