//! Checks for schemas that clients refuse or for which models often send invalid arguments.

use serde_json::Value;

use crate::lint::finding::{Finding, FindingCode};
use crate::lint::{LintedServer, LintedTool};
use crate::schema::budget::WorkBudget;
use crate::schema::for_each_subschema;
use crate::schema::pointer::{LocalRef, resolve};

/// Maximum number of subschemas of one schema that are checked.
const SCHEMAS_MAX: usize = 5_000;
/// Maximum nesting of arguments that is not reported.
const LEVELS_MAX: usize = 4;
/// Maximum number of levels that are counted, because references may be recursive.
const LEVELS_COUNTED_MAX: usize = 12;

pub(super) fn check(server: &LintedServer<'_>, tool: &LintedTool<'_>, findings: &mut Vec<Finding>) {
    let schema = tool.input_schema;
    if let Some(keyword) = ["oneOf", "anyOf", "allOf"].into_iter().find(|keyword| schema.get(keyword).is_some()) {
        let folded = if server.discovery.adapts_schemas { " It is folded for such clients." } else { "" };
        let message =
            format!("The schema uses {keyword} at the top: Anthropic's API refuses the whole conversation.{folded}");
        let finding = Finding::tool(tool.id, FindingCode::TopLevelVariants, message);
        let fix = finding.fix.filter(|_| !server.discovery.adapts_schemas);
        findings.push(Finding { fix, ..finding });
    }
    if let Some(reference) = foreign_reference(schema, schema, &mut WorkBudget::new(SCHEMAS_MAX)) {
        let message = format!("The schema has a $ref that leads out of it ({reference}): clients cannot follow it.");
        findings.push(Finding::tool(tool.id, FindingCode::ForeignReference, message));
    }
    let levels = levels(schema, schema, LEVELS_COUNTED_MAX, &mut WorkBudget::new(SCHEMAS_MAX));
    if levels > LEVELS_MAX {
        let message = format!(
            "Nested {levels} levels deep: models fill in deep objects badly. Flatten the arguments models need."
        );
        findings.push(Finding::tool(tool.id, FindingCode::DeepNesting, message));
    }
}

/// The first reference to another document or to a missing schema.
fn foreign_reference<'a>(root: &'a Value, schema: &'a Value, budget: &mut WorkBudget) -> Option<&'a str> {
    if !budget.take_schema() {
        return None;
    }
    let reference = schema.get("$ref").and_then(Value::as_str);
    if let Some(foreign) = reference.filter(|reference| resolve(root, reference) == LocalRef::Foreign) {
        return Some(foreign);
    }
    let mut found = None;
    for_each_subschema(schema, |subschema| {
        found = found.or_else(|| foreign_reference(root, subschema, budget));
    });
    found
}

/// The nesting of objects and lists: 0 without arguments, 1 if all arguments are scalars.
fn levels(root: &Value, schema: &Value, levels_left: usize, budget: &mut WorkBudget) -> usize {
    if levels_left == 0 || !budget.take_schema() {
        return 0;
    }
    let schema = match schema.get("$ref").and_then(Value::as_str).map(|reference| resolve(root, reference)) {
        Some(LocalRef::Found(found)) => found,
        _ => schema,
    };
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|map| map.values());
    let nested = properties.chain(schema.get("items"));
    let nested_levels = nested.map(|value| 1 + levels(root, value, levels_left - 1, budget)).max().unwrap_or_default();
    let variants = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array());
    let variants = variants.flatten().map(|variant| levels(root, variant, levels_left - 1, budget));
    variants.max().unwrap_or_default().max(nested_levels)
}
