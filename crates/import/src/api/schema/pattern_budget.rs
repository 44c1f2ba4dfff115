//! Limits the total cost of the patterns in a schema. Patterns beyond the limit are left out.

use std::collections::HashSet;

use serde_json::Value;

use super::graph::DefinitionGraph;
use super::pattern::{COST_MAX, PatternCache};
use super::vocabulary::{Keywords, mark_widened, relation, subschemas_mut};

pub(super) fn limit_patterns(graph: &mut DefinitionGraph, patterns: &PatternCache) {
    let mut budget = PatternCosts { patterns, admitted: HashSet::new(), cost: 0 };
    for schema in graph.schemas_mut() {
        budget.visit(schema);
    }
}

struct PatternCosts<'p> {
    patterns: &'p PatternCache,
    /// The patterns that fit within the budget. Equal patterns are counted once.
    admitted: HashSet<String>,
    cost: u64,
}

impl PatternCosts<'_> {
    fn visit(&mut self, schema: &mut Value) {
        let Some(keywords) = schema.as_object_mut() else { return };
        if keywords.get("pattern").and_then(Value::as_str).is_some_and(|pattern| !self.admits(pattern)) {
            keywords.remove("pattern");
            mark_widened(keywords);
        }
        self.limit_names(keywords);
        for (keyword, value) in keywords.iter_mut().filter(|(keyword, _)| relation(keyword).is_some()) {
            subschemas_mut(keyword, value).for_each(|schema| self.visit(schema));
        }
    }

    fn limit_names(&mut self, keywords: &mut Keywords) {
        let Some(names) = keywords.get_mut("patternProperties").and_then(Value::as_object_mut) else { return };
        let count = names.len();
        names.retain(|pattern, _| self.admits(pattern));
        if names.len() < count {
            keywords.remove("additionalProperties");
            mark_widened(keywords);
        }
    }

    fn admits(&mut self, pattern: &str) -> bool {
        if self.admitted.contains(pattern) {
            return true;
        }
        let Some(cost) = self.patterns.cost(pattern).filter(|cost| self.cost + cost <= COST_MAX) else { return false };
        self.cost += cost;
        self.admitted.insert(pattern.to_owned())
    }
}
