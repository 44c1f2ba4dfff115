//! GraphQL bodies: the text of the operation is a constant, its variables are arguments.

use serde_json::Value;
use toolgate_domain::json::{self, JsonObject, Members};
use toolgate_domain::tool::BodyType;

use crate::api::argument::ArgumentDraft;
use crate::api::postman::argument;
use crate::api::postman::body_mapping::{BodyContext, PostmanBody};
use crate::api::postman::json_body;
use crate::api::postman::json_text::scalar_text;
use crate::api::postman::scope::RequestScope;
use crate::api::postman::template::Template;
use crate::api::reference::Located;
use crate::sensitivity::is_opaque;
use crate::shape::Shape;
use crate::tables::descriptions::Purpose;

/// Reads the body; `source` is an object, or the JSON text of an object.
pub(super) fn read(source: &Located<'_>, context: &BodyContext<'_>, scope: &mut RequestScope<'_, '_>) -> PostmanBody {
    let parsed = source.value.as_str().and_then(|text| serde_json::from_str(text).ok());
    let value = parsed.as_ref().unwrap_or(source.value);
    let text = |key: &str| value.get(key).and_then(scalar_text).filter(|text| !text.trim().is_empty());
    let Some(query) = text("query") else { return PostmanBody::none() };
    let template = Template::fill(&query, scope.variables);
    let known = template.resolved_text();
    let mut members = Members::new();
    members.insert("query".to_owned(), json::raw_string(known.as_deref().unwrap_or(&query)));
    members.extend(variables(value.get("variables"), scope).map(|variables| ("variables".to_owned(), variables)));
    members.extend(text("operationName").map(|name| ("operationName".to_owned(), json::raw_string(&name))));
    let inferred = json_body::infer(members, context, true);
    let examples: Vec<_> = inferred.iter().map(|argument| argument.example.clone()).collect();
    let mut drafts = json_body::to_drafts(inferred, context, &source.pointer);
    for (draft, example) in drafts.iter_mut().zip(examples) {
        if let (Value::Object(schema), Some(example), None) = (&mut draft.schema, example, &draft.constant) {
            argument::add_example(schema, &draft.wire_name, &example);
        }
    }
    if known.as_deref().is_some_and(is_opaque) {
        let message = "The text of the operation is fixed and may contain a secret. Everyone with read access to the tool can see it.";
        scope.warn("constant_may_be_secret", &source.pointer, message);
    }
    if known.is_none() {
        let message = "The text of the operation has a variable without a value, so it is an argument.";
        scope.warn("variable_in_text", &source.pointer, message);
        drafts.iter_mut().filter(is_query).for_each(make_argument);
    }
    PostmanBody::new(BodyType::Json, drafts)
}

/// The values of the variables: an object, or the JSON text of an object.
fn variables(variables: Option<&Value>, scope: &RequestScope<'_, '_>) -> Option<Box<serde_json::value::RawValue>> {
    let text = match variables? {
        Value::String(text) => Template::fill(text, scope.variables).masked_text(),
        other => other.to_string(),
    };
    let object = JsonObject::from_raw(&json::raw(text))?;
    Some(json::raw(object.as_str().to_owned()))
}

fn is_query(draft: &&mut ArgumentDraft) -> bool {
    draft.wire_name == "query" && draft.constant.is_some()
}

fn make_argument(draft: &mut ArgumentDraft) {
    let mut schema = argument::shape_schema(&Shape::String(None));
    argument::describe(&mut schema, "", "Text of the GraphQL operation.", Purpose::Writing);
    draft.schema = Value::Object(schema);
    draft.constant = None;
    draft.required = true;
}
