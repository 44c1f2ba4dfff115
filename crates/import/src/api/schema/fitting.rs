//! Builds the schema of a tool with as much detail as the limits of a tool allow.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use toolgate_domain::json::JsonObject;

use super::copy::{CopyRules, CopyTooLarge, CutParts, SchemaCopy};
use super::cycles::break_cycles;
use super::graph::DefinitionGraph;
use super::inlining::{SmallDefinitions, inline};
use super::measure;
use super::pattern_budget::limit_patterns;
use super::relaxation::relax;
use super::vocabulary::each_reference;
use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;
use crate::api::schema::{SchemaContext, SchemaDetail, SchemaDirection, SchemaTooLarge, ToolSchema};

/// Maximum number of warnings of one tool.
const WARNINGS_MAX: usize = 30;
/// Maximum number of definitions that the size in full detail includes.
const DEFINITIONS_MAX: usize = 2000;

const FULL: CopyRules = CopyRules {
    is_compact: false,
    description_depth: usize::MAX,
    property_depth: usize::MAX,
    schema_depth: usize::MAX,
    is_bare: false,
};
const COMPACT: CopyRules = CopyRules { is_compact: true, description_depth: 3, property_depth: 6, ..FULL };

/// The levels of detail below `compact`, most detailed first.
const CUT: [CopyRules; 9] = [
    CopyRules { description_depth: 1, ..COMPACT },
    CopyRules { description_depth: 1, property_depth: 5, ..COMPACT },
    CopyRules { description_depth: 1, property_depth: 4, ..COMPACT },
    CopyRules { description_depth: 1, property_depth: 3, ..COMPACT },
    CopyRules { description_depth: 1, property_depth: 2, ..COMPACT },
    CopyRules { description_depth: 1, property_depth: 1, ..COMPACT },
    CopyRules { description_depth: 1, property_depth: 1, schema_depth: 1, ..COMPACT },
    CopyRules { description_depth: 1, property_depth: 1, schema_depth: 1, is_bare: true, ..COMPACT },
    CopyRules { description_depth: 0, property_depth: 1, schema_depth: 1, is_bare: true, ..COMPACT },
];

pub(super) struct Fitting<'c, 'a> {
    pub(super) context: &'c SchemaContext<'a>,
    pub(super) direction: SchemaDirection,
    /// The schema of the arguments. The definitions that it refers to are not part of it yet.
    pub(super) root: Value,
    /// Where the document describes each argument.
    pub(super) pointers: HashMap<String, Pointer>,
    pub(super) warnings: Vec<ApiWarning>,
}

impl Fitting<'_, '_> {
    pub(super) fn fit(mut self, detail: SchemaDetail) -> Result<ToolSchema, SchemaTooLarge> {
        let full_bytes = self.full_size();
        let first = if detail == SchemaDetail::Full { vec![FULL, COMPACT] } else { vec![COMPACT] };
        let fitting = first.into_iter().find_map(|rules| self.attempt(rules).ok());
        let schema = if let Some(fitting) = fitting {
            fitting.schema
        } else {
            let cut = self.cut().ok_or(SchemaTooLarge)?;
            self.warn_cut(&cut.cut);
            cut.schema
        };
        self.warnings.truncate(WARNINGS_MAX);
        let text = schema.to_string();
        let full_bytes = full_bytes.max(text.len());
        Ok(ToolSchema { schema: JsonObject::from_stored(text), full_bytes, warnings: self.warnings })
    }

    /// The schema with the most detail that fits. Every level with less detail fits as well, so a binary search
    /// finds it.
    fn cut(&self) -> Option<FittingSchema> {
        let (mut low, mut high, mut best) = (0, CUT.len(), None);
        while low < high {
            let middle = usize::midpoint(low, high);
            match CUT.get(middle).map(|rules| self.attempt(*rules)) {
                Some(Ok(fitting)) => {
                    best = Some(fitting);
                    high = middle;
                }
                _ => low = middle + 1,
            }
        }
        best
    }

    /// The schema with this detail, if it is within the limits.
    fn attempt(&self, rules: CopyRules) -> Result<FittingSchema, CopyTooLarge> {
        let mut copy = SchemaCopy::new(self.context, self.direction, rules);
        let graph = copy.copy(&self.root)?;
        let schema = finish(self.context, graph).ok_or(CopyTooLarge)?;
        Ok(FittingSchema { schema, cut: copy.cut })
    }

    /// The size of the schema and all definitions in full detail. Also collects the warnings of the definitions.
    fn full_size(&mut self) -> usize {
        let mut bytes = measure::bytes(&self.root);
        let mut pending: Vec<String> = Vec::new();
        each_reference(&self.root, &mut |name| pending.push(name.to_owned()));
        let mut seen: HashSet<String> = HashSet::new();
        while let Some(name) = pending.pop() {
            if seen.len() >= DEFINITIONS_MAX || !seen.insert(name.clone()) || !self.context.spend(1) {
                continue;
            }
            let Some(definition) = self.context.definition(&name, self.direction, 0) else { continue };
            bytes += definition.bytes;
            pending.extend(definition.references.iter().cloned());
            let remaining = WARNINGS_MAX.saturating_sub(self.warnings.len());
            self.warnings.extend(definition.warnings.iter().take(remaining).cloned());
        }
        bytes
    }

    fn warn_cut(&mut self, cut: &CutParts) {
        let arguments = cut.arguments.iter().filter_map(|name| self.pointers.get(name).cloned());
        let definitions = cut.definitions.iter().filter_map(|name| self.context.definition_pointer(name));
        let mut pointers: Vec<Pointer> = arguments.chain(definitions).take(WARNINGS_MAX).collect();
        if pointers.is_empty() {
            pointers.push(Pointer::root());
        }
        let message = "The schema exceeds the limits of a tool; parts of it were left out and accept any value.";
        let warning = |pointer| ApiWarning { code: "schema_cut", message: message.to_owned(), pointer };
        // These warnings come first, because the list is truncated at its end.
        self.warnings.splice(0..0, pointers.into_iter().map(warning));
    }
}

/// A schema within the limits, and the parts that were left out of it.
struct FittingSchema {
    schema: Value,
    cut: CutParts,
}

/// The schema as one document; `None` if it exceeds the limits.
fn finish(context: &SchemaContext<'_>, mut graph: DefinitionGraph) -> Option<Value> {
    break_cycles(&mut graph);
    limit_patterns(&mut graph, &context.patterns);
    relax(&mut graph);
    let shared = graph.is_large().then(|| graph.clone());
    let repeated = inline(graph, SmallDefinitions::Repeated);
    if measure::fits(&repeated) {
        return Some(repeated);
    }
    Some(inline(shared?, SmallDefinitions::Shared)).filter(measure::fits)
}

/// The schema in each level of detail that is within the limits.
#[cfg(test)]
pub(super) fn every_level(context: &SchemaContext<'_>, direction: SchemaDirection, root: &Value) -> Vec<Value> {
    let levels = [FULL, COMPACT].into_iter().chain(CUT);
    let copies = levels.filter_map(|rules| SchemaCopy::new(context, direction, rules).copy(root).ok());
    copies.filter_map(|graph| finish(context, graph)).collect()
}
