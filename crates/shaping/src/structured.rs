//! Shapes `structuredContent`: `fields` and `omit` apply to it as to its schema, and arrays are cut only if the schema
//! allows it. All other rules are for text only.

use serde_json::{Map, Value};
use toolgate_domain::shaping::{BlobShaping, Shaping};
use toolgate_domain::tokens;

use crate::cost::{Cost, TOKEN};
use crate::gap::GapKind;
use crate::parser::{Form, ParseRules, parse};
use crate::projection::{Projection, ProjectionState};
use crate::tree::TextLimit;
use crate::writer::{RootPosition, WriteRules, write};

/// Maximum number of attempts to reach the budget; each one reduces the target by the excess of the previous one.
const ATTEMPTS: usize = 3;

/// Shapes structured content. `validates` compares a value with the published schema, which [`shape_output_schema`]
/// made; the result validates if the value does.
///
/// [`shape_output_schema`]: crate::shape_output_schema
pub fn shape_structured(value: &Value, shaping: &Shaping, validates: impl Fn(&Value) -> bool) -> Value {
    let mut projection = Projection::new(shaping);
    let root = projection.root();
    let projected = project(value, &mut projection, root);
    let cut = shaping.max_tokens.and_then(|max_tokens| cut_arrays(&projected, max_tokens));
    if let Some(cut) = cut.filter(|cut| validates(cut)) {
        return cut;
    }
    if projected != *value && !validates(&projected) && validates(value) { value.clone() } else { projected }
}

/// Applies `fields` and `omit`. The depth of a value is limited by its parser.
fn project(value: &Value, projection: &mut Projection<'_>, state: ProjectionState) -> Value {
    match value {
        _ if projection.keeps_all(state) => value.clone(),
        Value::Array(elements) => {
            Value::Array(elements.iter().map(|element| project(element, projection, state)).collect())
        }
        Value::Object(members) => {
            let mut projected = Map::new();
            for (name, member) in members {
                if let Some(state) = projection.named_member(state, name) {
                    projected.insert(name.clone(), project(member, projection, state));
                }
            }
            Value::Object(projected)
        }
        scalar => scalar.clone(),
    }
}

/// The value with shorter arrays; `None` if it fits as it is, or cannot be cut.
fn cut_arrays(value: &Value, max_tokens: usize) -> Option<Value> {
    let text = value.to_string();
    if tokens::estimate(&text) <= max_tokens {
        return None;
    }
    let whole = Shaping::default();
    let mut projection = Projection::new(&whole);
    let state = projection.root();
    let blobs = BlobShaping::Keep;
    let rules = ParseRules {
        projection: &mut projection,
        state,
        drop_empty: false,
        blobs,
        budget: None,
        measures: true,
        stops_early: false,
    };
    let mut tree = parse(&text, 0, Form::Value, rules)?;
    tree.measure(TextLimit::NONE);
    let rules = WriteRules {
        wrap: true,
        blobs,
        reference: None,
        text_limit: TextLimit::NONE,
        arrays_only: true,
        tables: false,
    };
    let mut target = max_tokens as Cost * TOKEN / 10 * 9;
    let mut cut = None;
    for _ in 0..ATTEMPTS {
        let written = write(&tree, RootPosition::whole(false), rules, target);
        let is_cut = written.gaps.iter().all(|gap| matches!(gap.kind, GapKind::Elements { .. }));
        cut = is_cut.then_some(written.text);
        let tokens = cut.as_deref().map(tokens::estimate)?;
        if tokens <= max_tokens {
            break;
        }
        target = target * max_tokens as Cost / tokens as Cost / 10 * 9;
    }
    serde_json::from_str(&cut?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test_rules::rules;

    #[test]
    fn fields_and_omit_apply_and_other_rules_do_not() {
        let value = json!({"a": null, "b": {"c": "", "d": 1}, "e": [{"c": 1, "d": 2}, 3]});
        let shaping = rules(r#"{"fields":["a","b.c","e.d"],"drop_empty":true,"tables":true}"#);
        assert_eq!(
            shape_structured(&value, &shaping, |_| true),
            json!({"a": null, "b": {"c": ""}, "e": [{"d": 2}, 3]})
        );
    }

    #[test]
    fn arrays_are_cut_only_if_the_schema_allows_it() {
        let items: Vec<Value> = (0..500).map(|id| json!({"id": id, "note": "Prefers delivery before noon."})).collect();
        let value = json!({"total": 500, "items": items, "long": "word ".repeat(500)});
        let shaping = rules(r#"{"max_tokens":2000}"#);
        let cut = shape_structured(&value, &shaping, |_| true);
        let remaining = cut["items"].as_array().unwrap();
        assert!(tokens::estimate(&cut.to_string()) <= 2000);
        assert!(!remaining.is_empty() && remaining.len() < 500);
        assert_eq!(remaining[..], items[..remaining.len()]);
        assert_eq!((&cut["total"], &cut["long"]), (&value["total"], &value["long"]));
        let at_least_500 = |value: &Value| value["items"].as_array().is_some_and(|items| items.len() >= 500);
        assert_eq!(shape_structured(&value, &shaping, at_least_500), value);
    }

    #[test]
    fn a_value_that_fits_is_not_cut() {
        let value = json!({"items": [1, 2, 3]});
        assert_eq!(shape_structured(&value, &rules(r#"{"max_tokens":200}"#), |_| true), value);
    }
}
