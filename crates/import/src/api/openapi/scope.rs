//! State shared by the steps that read one operation.

use serde_json::{Map, Value};

use crate::api::argument::as_object;
use crate::api::description::argument_description;
use crate::api::document::DocumentKind;
use crate::api::openapi::failure::OperationError;
use crate::api::openapi::operation::ApiOperation;
use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;
use crate::api::reference::{Located, ReferenceResolver};
use crate::api::schema::{ObjectProperty, SchemaConverter};

/// Maximum size of an example in a schema, in bytes.
const EXAMPLE_MAX: usize = 200;

/// The operation that is read, the schema converter, and the warnings so far.
pub(super) struct OperationScope<'c, 'a> {
    pub(super) kind: DocumentKind,
    pub(super) root: Located<'a>,
    pub(super) resolver: &'a ReferenceResolver<'a>,
    pub(super) operation: &'c ApiOperation<'a>,
    pub(super) schemas: SchemaConverter<'c, 'a>,
    pub(super) warnings: Vec<ApiWarning>,
}

impl<'a> OperationScope<'_, 'a> {
    pub(super) fn resolve(&self, located: Located<'a>) -> Result<Located<'a>, OperationError> {
        Ok(self.resolver.resolve(located)?)
    }

    pub(super) fn warn(&mut self, code: &'static str, pointer: &Pointer, message: impl Into<String>) {
        self.warnings.push(ApiWarning { code, message: message.into(), pointer: pointer.clone() });
    }

    /// The converted schema with the description of `owner`, the parameter or property that has it.
    pub(super) fn described_schema(
        &mut self,
        schema: &Located<'a>,
        owner: &Located<'a>,
    ) -> Result<Map<String, Value>, OperationError> {
        let converted = self.schemas.convert(schema)?;
        self.describe(converted, schema, owner)
    }

    /// The converted schema of a property with its description. If several branches of `allOf` declare the
    /// property, their schemas are merged.
    pub(super) fn described_property(
        &mut self,
        property: &ObjectProperty<'a>,
    ) -> Result<Map<String, Value>, OperationError> {
        let converted = self.schemas.convert_property(property)?;
        self.describe(converted, &property.source, &property.source)
    }

    fn describe(
        &self,
        converted: Value,
        schema: &Located<'a>,
        owner: &Located<'a>,
    ) -> Result<Map<String, Value>, OperationError> {
        let mut converted = as_object(converted);
        let target = self.resolve(schema.clone())?;
        let text = owner.text("description").or_else(|| schema.text("description"));
        let text = text.or_else(|| target.text("description")).unwrap_or_default();
        let default = schema.value.get("default").or_else(|| target.value.get("default"));
        let is_deprecated = [owner.value, target.value].iter().any(|one| one.get("deprecated") == Some(&true.into()));
        let description = argument_description(text, is_deprecated, default);
        if description.is_empty() {
            converted.remove("description");
        } else {
            converted.insert("description".to_owned(), description.into());
        }
        if let Some(example) = example(owner).filter(|_| !converted.contains_key("enum")) {
            converted.entry("examples").or_insert_with(|| vec![example.clone()].into());
        }
        Ok(converted)
    }

    /// The only value that a schema admits: its `const`, or the only item of its `enum`.
    pub(super) fn only_value(&self, schema: &Located<'a>) -> Option<Value> {
        let target = self.resolve(schema.clone()).ok()?;
        let is_nullable = ["nullable", "x-nullable"].iter().any(|key| target.value.get(key) == Some(&true.into()));
        let value = target.value.get("const").or_else(|| match target.value.get("enum")?.as_array()?.as_slice() {
            [only] => Some(only),
            _ => None,
        })?;
        (!is_nullable && !value.is_null()).then(|| value.clone())
    }
}

/// The example of a parameter, if it is short.
fn example<'a>(owner: &Located<'a>) -> Option<&'a Value> {
    // The list `examples` of a schema is converted with the schema.
    let named = || owner.value.get("examples")?.as_object()?.values().next()?.get("value");
    let example = owner.value.get("example").or_else(named)?;
    (example.to_string().len() <= EXAMPLE_MAX).then_some(example)
}
