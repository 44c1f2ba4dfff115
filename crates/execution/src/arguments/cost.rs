//! An upper bound on the work of a validation, computed before the validation runs.
//!
//! With `$ref`, thirty small schemas can require a billion steps; `unevaluatedProperties` repeats the work of its
//! sibling keywords, and a counted pattern multiplies with the length of a text. jsonschema cannot be interrupted, so
//! the same traversal runs here first, with a limit. It assumes the worst case: no branch is skipped because another
//! one failed. One cost unit is about a tenth of a microsecond.

use serde_json::{Map, Value};

use super::keyword_costs::count_values;
use super::schema_graph::{NodeId, SchemaGraph, SchemaNode};

/// The cost limit of one validation: about 50 ms.
const COST_MAX: u64 = 500_000;

/// The limit on nested schema evaluations; it bounds the stack depth.
const NESTING_MAX: usize = 400;

/// The cost of a text is counted in units of this size. In the worst case a pattern visits each of its states for each
/// byte, at about 4 ns per visit, so 32 visits take about one cost unit.
const TEXT_UNIT_BYTES: u64 = 32;

/// The validation would exceed [`COST_MAX`] or [`NESTING_MAX`].
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooComplex;

impl SchemaGraph {
    /// The cost of validating `arguments`, if it is within the limits.
    pub(super) fn cost(&self, arguments: &Value) -> Result<u64, TooComplex> {
        let mut counter = CostCounter { nodes: &self.nodes, total: 0 };
        counter.visit(0, arguments, 0)?;
        Ok(counter.total)
    }
}

/// Adds up the cost of one validation.
struct CostCounter<'a> {
    nodes: &'a [SchemaNode],
    total: u64,
}

impl CostCounter<'_> {
    fn add(&mut self, cost: u64) -> Result<(), TooComplex> {
        self.total = self.total.saturating_add(cost);
        if self.total > COST_MAX { Err(TooComplex) } else { Ok(()) }
    }

    fn add_text(&mut self, text: &str, cost_per_unit: u64) -> Result<(), TooComplex> {
        let len = u64::try_from(text.len()).unwrap_or(u64::MAX);
        self.add(len.saturating_mul(cost_per_unit) / TEXT_UNIT_BYTES)
    }

    /// Adds the cost of applying one schema to one value, including its subschemas.
    fn visit(&mut self, id: NodeId, value: &Value, nesting: usize) -> Result<(), TooComplex> {
        let nodes = self.nodes;
        let Some(node) = nodes.get(id).filter(|_| nesting <= NESTING_MAX) else { return Err(TooComplex) };
        self.add(node.costs.per_evaluation)?;
        for &in_place in std::iter::repeat_n(&node.in_place, node.costs.in_place_passes).flatten() {
            self.visit(in_place, value, nesting + 1)?;
        }
        match value {
            Value::String(text) => self.add_text(text, node.costs.per_text_unit),
            Value::Array(items) => self.visit_items(node, items, nesting + 1),
            Value::Object(members) => self.visit_members(node, members, nesting + 1),
            _ => Ok(()),
        }
    }

    fn visit_items(&mut self, node: &SchemaNode, items: &[Value], nesting: usize) -> Result<(), TooComplex> {
        if node.costs.compares_items {
            items.iter().try_for_each(|item| self.add(count_values(item)))?;
        }
        for (index, item) in items.iter().enumerate() {
            for &id in node.items.get(index).into_iter().chain(&node.every_item) {
                self.visit(id, item, nesting)?;
            }
        }
        Ok(())
    }

    fn visit_members(
        &mut self,
        node: &SchemaNode,
        members: &Map<String, Value>,
        nesting: usize,
    ) -> Result<(), TooComplex> {
        for (name, member) in members {
            self.add_text(name, node.costs.per_name_unit)?;
            for &id in node.properties.get(name).into_iter().chain(&node.every_property) {
                self.visit(id, member, nesting)?;
            }
            for &id in &node.property_names {
                self.visit(id, &Value::String(name.clone()), nesting)?;
            }
        }
        Ok(())
    }
}
