//! Tests of schema compilation, validation, and hostile schemas.

mod compiling;
mod hostile;
mod validating;

use serde_json::json;

use super::*;

fn compile(schema: &Value) -> InputSchema {
    InputSchema::compile(schema).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

fn refusal(schema: &Value) -> String {
    InputSchema::compile(schema).map_or_else(|error| error.to_string(), |_| panic!("{schema} was accepted"))
}
