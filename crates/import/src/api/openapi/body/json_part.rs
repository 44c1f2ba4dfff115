//! Parts of a multipart body that are JSON.

use serde_json::Value;

use crate::api::openapi::scope::OperationScope;
use crate::api::reference::Located;

/// Maximum number of schemas that are visited.
const VISITS_MAX: usize = 200;

/// Whether every value of a schema is an object or a list, apart from null.
pub(super) fn is_structured<'a>(scope: &OperationScope<'_, 'a>, schema: &Located<'a>) -> bool {
    is_structured_within(scope, schema, &mut { VISITS_MAX })
}

fn is_structured_within<'a>(scope: &OperationScope<'_, 'a>, schema: &Located<'a>, visits_left: &mut usize) -> bool {
    let Some(left) = visits_left.checked_sub(1) else { return false };
    *visits_left = left;
    let Ok(schema) = scope.resolve(schema.clone()) else { return false };
    let is_structure = |name: &str| matches!(name, "object" | "array");
    match schema.value.get("type") {
        Some(Value::String(name)) => return is_structure(name),
        Some(Value::Array(names)) => {
            let mut names = names.iter().filter_map(Value::as_str).filter(|name| *name != "null").peekable();
            return names.peek().is_some() && names.all(is_structure);
        }
        _ => {}
    }
    let branches = |key: &str| -> Vec<Located<'a>> { schema.member(key).iter().flat_map(Located::items).collect() };
    if schema.value.get("properties").is_some()
        || branches("allOf").iter().any(|part| is_structured_within(scope, part, visits_left))
    {
        return true;
    }
    ["oneOf", "anyOf"].into_iter().map(branches).any(|branches| {
        !branches.is_empty() && branches.iter().all(|branch| is_structured_within(scope, branch, visits_left))
    })
}
