//! Schemas of the arguments of one operation, as self-contained JSON Schema 2020-12.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgate_domain::json::JsonObject;

use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;
use crate::api::reference::{Located, ReferenceError, Resolver};

/// How much of a schema is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SchemaDetail {
    #[default]
    Compact,
    Full,
}

/// Whether a schema describes what is sent or what is received: `readOnly` properties are not sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Request,
    Response,
}

/// State that all operations of a document share: the memo of converted `$ref` targets and the budget of visited nodes.
pub(crate) struct SchemaContext<'a> {
    resolver: &'a Resolver<'a>,
}

/// Converts the schemas of one operation and collects the definitions that they share.
pub(crate) struct SchemaConverter<'c, 'a> {
    context: &'c SchemaContext<'a>,
    direction: Direction,
    warnings: Vec<ApiWarning>,
}

/// A schema of type object whose members can be arguments of their own, after its `allOf` and `$ref` are merged.
pub(crate) struct ObjectForm<'a> {
    pub(crate) properties: IndexMap<String, Property<'a>>,
    pub(crate) required: Vec<String>,
    /// `additionalProperties` is written in the schema and is not `false`.
    pub(crate) open: bool,
    pub(crate) nullable: bool,
}

pub(crate) struct Property<'a> {
    /// The schema as the document has it, e.g. for `readOnly`, `const`, `format: binary`, `x-toolgate-…`.
    pub(crate) source: Located<'a>,
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
pub(crate) struct InputSchema {
    pub(crate) schema: JsonObject,
    /// The size of the schema with full detail, for `schema_full_tokens`.
    pub(crate) full_bytes: usize,
    pub(crate) warnings: Vec<ApiWarning>,
}

/// The arguments alone exceed the limits of a schema.
pub(crate) struct SchemaTooLarge;

impl<'a> SchemaContext<'a> {
    pub(crate) fn new(resolver: &'a Resolver<'a>) -> Self {
        Self { resolver }
    }

    pub(crate) fn resolver(&self) -> &'a Resolver<'a> {
        self.resolver
    }
}

impl<'c, 'a> SchemaConverter<'c, 'a> {
    pub(crate) fn new(context: &'c SchemaContext<'a>, direction: Direction) -> Self {
        Self { context, direction, warnings: Vec::new() }
    }

    /// The schema as JSON Schema 2020-12. References to definitions are `#/$defs/…`, which `input_schema` adds.
    pub(crate) fn convert(&mut self, schema: &Located<'a>) -> Result<Value, ReferenceError> {
        let _ = (self.context, self.direction);
        Ok(schema.value.clone())
    }

    /// The members of an object schema with `properties`; `None` for every other schema.
    pub(crate) fn object_form(&mut self, schema: &Located<'a>) -> Result<Option<ObjectForm<'a>>, ReferenceError> {
        let Some(_) = schema.value.get("properties").and_then(Value::as_object) else { return Ok(None) };
        let properties = schema.member("properties").into_iter();
        let properties = properties.flat_map(|all| {
            all.members().map(|(name, source)| (name.to_owned(), Property { source })).collect::<Vec<_>>()
        });
        let required = schema.value.get("required").and_then(Value::as_array).into_iter().flatten();
        Ok(Some(ObjectForm {
            properties: properties.collect(),
            required: required.filter_map(Value::as_str).map(str::to_owned).collect(),
            open: schema.value.get("additionalProperties").is_some_and(|value| *value != Value::Bool(false)),
            nullable: false,
        }))
    }

    /// The schema of the tool: an object with these arguments and the definitions they use, compacted and, where it
    /// exceeds the limits of a tool, cut.
    pub(crate) fn input_schema(
        self,
        arguments: Vec<ArgumentSchema>,
        _detail: SchemaDetail,
    ) -> Result<InputSchema, SchemaTooLarge> {
        let required: Vec<Value> = arguments
            .iter()
            .filter(|argument| argument.required)
            .map(|argument| argument.name.clone().into())
            .collect();
        let properties: Map<String, Value> =
            arguments.into_iter().map(|argument| (argument.name, argument.schema)).collect();
        let schema = serde_json::json!({"type": "object", "properties": properties, "required": required});
        let schema = JsonObject::from_stored(schema.to_string());
        Ok(InputSchema { full_bytes: schema.as_str().len(), schema, warnings: self.warnings })
    }
}
