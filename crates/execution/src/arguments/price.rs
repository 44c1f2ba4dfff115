//! What a validation will cost, counted before it is done.
//!
//! `$ref` lets thirty small schemas ask for a billion steps, `unevaluatedProperties` repeats the work of its
//! neighbours, and a counted pattern multiplies with the length of a text. jsonschema cannot be stopped half-way,
//! so we walk the same way with our finger and stop ourselves. The walk assumes the worst: no branch is
//! spared because another failed. One unit is about a tenth of a microsecond.

mod rates;

use serde_json::{Map, Value};

use super::outline::{Id, Node, Outline};

pub(super) use rates::{Rates, patterns, states};

/// What a validation may cost: some 50 ms.
const MAX_PRICE: u64 = 500_000;

/// How many schemas may be at work within one another: it bounds the stack.
const MAX_NESTING: usize = 400;

/// Texts are charged per this many bytes: in the worst case a pattern visits each of its states for each
/// byte, some 4 ns at a time.
const TEXT_UNIT: u64 = 32;

/// The arguments ask for more work than any honest call does.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooComplex;

impl Outline {
    /// The price of validating `arguments`, if it can be paid.
    pub(super) fn price(&self, arguments: &Value) -> Result<u64, TooComplex> {
        let mut bill = Bill { nodes: &self.nodes, total: 0 };
        bill.charge(0, arguments, 0)?;
        Ok(bill.total)
    }
}

struct Bill<'a> {
    nodes: &'a [Node],
    total: u64,
}

impl Bill<'_> {
    fn add(&mut self, price: u64) -> Result<(), TooComplex> {
        self.total = self.total.saturating_add(price);
        if self.total > MAX_PRICE { Err(TooComplex) } else { Ok(()) }
    }

    fn add_text(&mut self, text: &str, rate: u64) -> Result<(), TooComplex> {
        let len = u64::try_from(text.len()).unwrap_or(u64::MAX);
        self.add(len.saturating_mul(rate) / TEXT_UNIT)
    }

    fn add_size(&mut self, value: &Value) -> Result<(), TooComplex> {
        self.add(1)?;
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.add_size(item)),
            Value::Object(members) => members.values().try_for_each(|member| self.add_size(member)),
            _ => Ok(()),
        }
    }

    /// Charges for one schema applied to one value, and for all that follows from it.
    fn charge(&mut self, id: Id, value: &Value, nesting: usize) -> Result<(), TooComplex> {
        let nodes = self.nodes;
        let Some(node) = nodes.get(id).filter(|_| nesting <= MAX_NESTING) else { return Err(TooComplex) };
        self.add(node.rates.per_evaluation)?;
        for &same in std::iter::repeat_n(&node.in_place, node.rates.rounds).flatten() {
            self.charge(same, value, nesting + 1)?;
        }
        match value {
            Value::String(text) => self.add_text(text, node.rates.per_text_unit),
            Value::Array(items) => self.charge_items(node, items, nesting + 1),
            Value::Object(members) => self.charge_members(node, members, nesting + 1),
            _ => Ok(()),
        }
    }

    fn charge_items(&mut self, node: &Node, items: &[Value], nesting: usize) -> Result<(), TooComplex> {
        if node.rates.compares_items {
            items.iter().try_for_each(|item| self.add_size(item))?;
        }
        for (index, item) in items.iter().enumerate() {
            for &id in node.items.get(index).into_iter().chain(&node.every_item) {
                self.charge(id, item, nesting)?;
            }
        }
        Ok(())
    }

    fn charge_members(&mut self, node: &Node, members: &Map<String, Value>, nesting: usize) -> Result<(), TooComplex> {
        for (name, member) in members {
            self.add_text(name, node.rates.per_name_unit)?;
            for &id in node.properties.get(name).into_iter().chain(&node.every_property) {
                self.charge(id, member, nesting)?;
            }
            for &id in &node.names {
                self.charge(id, &Value::String(name.clone()), nesting)?;
            }
        }
        Ok(())
    }
}
