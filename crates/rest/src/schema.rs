//! JSON Schema of the types that replies contain.

use serde_json::Value;
use utoipa::ToSchema;

/// A schema with a name in the OpenAPI document.
#[derive(Clone, Debug)]
pub(crate) struct NamedSchema {
    pub(crate) name: String,
    pub(crate) schema: Value,
}

impl NamedSchema {
    pub(crate) fn new(name: impl Into<String>, schema: Value) -> Self {
        Self { name: name.into(), schema }
    }
}

/// The name of `T` in the OpenAPI document: that of the type, without `Out`.
pub(crate) fn schema_name<T: ToSchema>() -> String {
    let name = T::name();
    name.strip_suffix("Out").unwrap_or(&name).to_owned()
}

/// JSON Schema of the serialised form of `T`. Every field is always serialised, so all are required.
pub(crate) fn schema<T: ToSchema>() -> Value {
    let mut schema = serde_json::to_value(T::schema()).unwrap_or_default();
    if let Some(properties) = schema["properties"].as_object() {
        let names: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
        schema["required"] = names.into();
    }
    schema
}
