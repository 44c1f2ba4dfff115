//! JSON Schema of the types that replies contain.

use serde_json::Value;
use utoipa::PartialSchema;

/// JSON Schema of the serialised form of `T`. Every field is always serialised, so all are required.
pub(crate) fn schema<T: PartialSchema>() -> Value {
    let mut schema = serde_json::to_value(T::schema()).unwrap_or_default();
    if let Some(properties) = schema["properties"].as_object() {
        let names: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
        schema["required"] = names.into();
    }
    schema
}
