//! Schemas of the arguments of one operation, as self-contained JSON Schema 2020-12.
//!
//! `conversion` converts one schema of the document; the target of each reference is converted once and cached in
//! `definitions`. `fitting` builds the schema of a tool from converted schemas: `copy` drops the keywords that a level
//! of detail excludes; `cycles`, `pattern_budget` and `relaxation` make the result valid; `inlining` decides which
//! definitions stay in `$defs`.

mod conversion;
mod copy;
mod cycles;
mod definitions;
mod fitting;
mod graph;
mod inlining;
mod measure;
mod merge;
mod object_members;
mod pattern;
mod pattern_budget;
mod relaxation;
#[cfg(test)]
mod tests;
mod vocabulary;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use toolgate_domain::json::JsonObject;

use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;
use crate::api::reference::{Located, ReferenceError, ReferenceResolver};
use conversion::Conversion;
use definitions::{ConversionProgress, Definition, DefinitionStore};
use fitting::Fitting;
use pattern::PatternCache;

/// Maximum number of values read for one operation, and for one definition.
const OPERATION_NODES_MAX: usize = 20_000;
/// Maximum number of values read for all schemas of a document.
const DOCUMENT_NODES_MAX: usize = 5_000_000;

/// Maximum size of all cached definitions, in bytes.
const CACHE_BYTES_MAX: usize = 16 << 20;

/// The level of detail of a schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SchemaDetail {
    /// Without keywords that a model rarely needs: titles, further examples, deeply nested descriptions.
    #[default]
    Compact,
    /// Everything.
    Full,
}

/// Whether a schema describes a request or a response. `readOnly` properties are not part of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SchemaDirection {
    Request,
    Response,
}

/// State that all operations of a document share: the cache of converted `$ref` targets and the budget of visited
/// nodes.
pub(crate) struct SchemaContext<'a> {
    resolver: &'a ReferenceResolver<'a>,
    definitions: RefCell<DefinitionStore<'a>>,
    patterns: PatternCache,
    nodes_left: Cell<usize>,
    /// The size of the cached definitions.
    cached_bytes: Cell<usize>,
}

/// Converts the schemas of one operation and collects the definitions that they share.
pub(crate) struct SchemaConverter<'c, 'a> {
    context: &'c SchemaContext<'a>,
    direction: SchemaDirection,
    warnings: Vec<ApiWarning>,
    nodes_left: usize,
}

/// A schema of type object whose members can be separate arguments, after its `allOf` and `$ref` are merged.
pub(crate) struct ObjectMembers<'a> {
    pub(crate) properties: IndexMap<String, ObjectProperty<'a>>,
    pub(crate) required: Vec<String>,
    /// Whether the schema has an `additionalProperties` that is not `false`.
    pub(crate) is_open: bool,
    pub(crate) is_nullable: bool,
}

pub(crate) struct ObjectProperty<'a> {
    /// The schema as the document has it, e.g. for `readOnly`, `const`, `format: binary`, `x-toolgate-…`.
    pub(crate) source: Located<'a>,
    /// The schemas of the same property in other branches of `allOf`.
    pub(crate) others: Vec<Located<'a>>,
}

/// An argument of a tool with its converted schema.
pub(crate) struct ArgumentSchema {
    pub(crate) name: String,
    pub(crate) schema: Value,
    pub(crate) required: bool,
    /// Where the argument is described in the document.
    pub(crate) pointer: Pointer,
}

/// The `input_schema` of a tool.
#[derive(Debug)]
pub(crate) struct ToolSchema {
    pub(crate) schema: JsonObject,
    /// The size of the schema with full detail, for `schema_full_tokens`.
    pub(crate) full_bytes: usize,
    pub(crate) warnings: Vec<ApiWarning>,
}

/// The arguments alone exceed the limits of a schema.
#[derive(Debug)]
pub(crate) struct SchemaTooLarge;

impl<'a> SchemaContext<'a> {
    pub(crate) fn new(resolver: &'a ReferenceResolver<'a>) -> Self {
        Self {
            resolver,
            definitions: RefCell::default(),
            patterns: PatternCache::default(),
            nodes_left: Cell::new(DOCUMENT_NODES_MAX),
            cached_bytes: Cell::new(0),
        }
    }

    pub(crate) fn resolver(&self) -> &'a ReferenceResolver<'a> {
        self.resolver
    }

    /// Counts values that were read; false if the budget of the document is used up.
    fn spend(&self, nodes: usize) -> bool {
        let left = self.nodes_left.get().checked_sub(nodes);
        self.nodes_left.set(left.unwrap_or(0));
        left.is_some()
    }

    fn accepts_pattern(&self, pattern: &str) -> bool {
        self.patterns.cost(pattern).is_some()
    }

    /// The name of the target of a reference in `$defs`.
    fn name(&self, target: &Located<'a>) -> String {
        self.definitions.borrow_mut().name(target)
    }

    fn progress(&self, name: &str, direction: SchemaDirection) -> ConversionProgress {
        self.definitions.borrow().progress(name, direction)
    }

    /// The converted target of this name; `None` while its conversion is in progress, which means that it is recursive.
    fn definition(&self, name: &str, direction: SchemaDirection, merge_depth: usize) -> Option<Rc<Definition>> {
        match self.progress(name, direction) {
            ConversionProgress::Done(definition) => return Some(definition),
            ConversionProgress::Active => return None,
            ConversionProgress::Pending => {}
        }
        let source = self.definitions.borrow().source(name)?;
        self.definitions.borrow_mut().set_progress(name, direction, ConversionProgress::Active);
        let mut conversion = Conversion::new(self, direction, OPERATION_NODES_MAX, merge_depth);
        let value = conversion.schema(&source, Some(name));
        let definition = Rc::new(Definition::new(value, conversion.warnings));
        let cached_bytes = self.cached_bytes.get() + definition.bytes;
        // Targets may contain each other, so together they can be larger than the document.
        let progress = if cached_bytes > CACHE_BYTES_MAX {
            ConversionProgress::Pending
        } else {
            self.cached_bytes.set(cached_bytes);
            ConversionProgress::Done(Rc::clone(&definition))
        };
        self.definitions.borrow_mut().set_progress(name, direction, progress);
        Some(definition)
    }

    fn definition_pointer(&self, name: &str) -> Option<Pointer> {
        self.definitions.borrow().source(name).map(|source| source.pointer)
    }
}

impl<'c, 'a> SchemaConverter<'c, 'a> {
    pub(crate) fn new(context: &'c SchemaContext<'a>, direction: SchemaDirection) -> Self {
        Self { context, direction, warnings: Vec::new(), nodes_left: OPERATION_NODES_MAX }
    }

    /// The schema as JSON Schema 2020-12. References to definitions are `#/$defs/…`, which `input_schema` adds. Fails
    /// if the schema itself is a reference without a target; within the schema, such a reference accepts every value.
    pub(crate) fn convert(&mut self, schema: &Located<'a>) -> Result<Value, ReferenceError> {
        self.context.resolver.resolve(schema.clone())?;
        let mut conversion = Conversion::new(self.context, self.direction, self.nodes_left, 0);
        let value = conversion.schema(schema, None);
        self.nodes_left = conversion.nodes_left;
        self.warnings.append(&mut conversion.warnings);
        Ok(value)
    }

    /// The schema of a member of an object, with all branches of `allOf` that describe it.
    pub(crate) fn convert_property(&mut self, property: &ObjectProperty<'a>) -> Result<Value, ReferenceError> {
        let mut branches = Vec::new();
        for other in &property.others {
            branches.extend(match self.convert(other)? {
                Value::Object(keywords) => Some(keywords),
                _ => None,
            });
        }
        match self.convert(&property.source)? {
            Value::Object(keywords) if !branches.is_empty() => Ok(Value::Object(merge::all(branches, keywords))),
            schema => Ok(schema),
        }
    }

    /// The members of an object schema with `properties`; `None` for every other schema.
    pub(crate) fn object_members(&mut self, schema: &Located<'a>) -> Result<Option<ObjectMembers<'a>>, ReferenceError> {
        object_members::collect(self.context.resolver, schema, self.direction)
    }

    /// The schema of the tool: an object with these arguments and the definitions they use, compacted and, where it
    /// exceeds the limits of a tool, cut.
    pub(crate) fn input_schema(
        self,
        arguments: Vec<ArgumentSchema>,
        detail: SchemaDetail,
    ) -> Result<ToolSchema, SchemaTooLarge> {
        let required: Vec<&str> =
            arguments.iter().filter(|argument| argument.required).map(|argument| argument.name.as_str()).collect();
        let required = json!(required);
        let pointers = arguments.iter().map(|argument| (argument.name.clone(), argument.pointer.clone())).collect();
        let properties: Map<String, Value> =
            arguments.into_iter().map(|argument| (argument.name, argument.schema)).collect();
        let root = json!({"type": "object", "properties": properties, "required": required});
        Fitting { context: self.context, direction: self.direction, root, pointers, warnings: self.warnings }
            .fit(detail)
    }
}
