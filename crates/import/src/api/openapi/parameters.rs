//! Parameters of an operation: in the path, the query, headers and cookies.

mod content;
mod query_string;

use serde_json::{Map, Value, json};
use toolgate_domain::parameters::ParameterLocation;

use crate::api::argument::{ArgumentDraft, as_object};
use crate::api::document::DocumentKind;
use crate::api::openapi::failure::OperationError;
use crate::api::openapi::path_template::PathTemplate;
use crate::api::openapi::scope::OperationScope;
use crate::api::openapi::style;
use crate::api::overlay::{ArgumentOverlay, argument_extensions};
use crate::api::problem::ProblemCode;
use crate::api::reference::Located;

/// The schema of a parameter and the keys of its mapping rule.
type SchemaAndRule = (Map<String, Value>, Map<String, Value>);

/// Headers that OpenAPI 3 describes by media types instead of parameters.
const IGNORED_HEADERS: [&str; 2] = ["accept", "content-type"];

/// Maximum number of parameters of an operation; the schema of a tool cannot hold more.
const PARAMETERS_MAX: usize = 1000;

/// The resolved parameters of an operation and its path item. A parameter of the operation replaces the inherited one
/// of the same location and name.
pub(super) fn collect<'a>(scope: &OperationScope<'_, 'a>) -> Result<Vec<Located<'a>>, OperationError> {
    let mut parameters: Vec<Located<'a>> = Vec::new();
    for owner in [&scope.operation.path_item, &scope.operation.operation] {
        for parameter in owner.member("parameters").iter().flat_map(Located::items) {
            let pointer = parameter.pointer.clone();
            let parameter = scope.resolve(parameter)?;
            let Some(key) = identity(&parameter) else {
                return Err(OperationError::malformed(&pointer, "The parameter has no name or no location (`in`)."));
            };
            if parameters.len() >= PARAMETERS_MAX {
                let message = format!("The operation has more than {PARAMETERS_MAX} parameters.");
                return Err(OperationError::new(ProblemCode::SchemaTooLarge, &pointer, message));
            }
            match parameters.iter_mut().find(|earlier| identity(earlier).as_ref() == Some(&key)) {
                Some(earlier) => *earlier = parameter,
                None => parameters.push(parameter),
            }
        }
    }
    Ok(parameters)
}

/// Location and name, by which parameters replace each other. Header names are compared in lower case.
fn identity<'a>(parameter: &Located<'a>) -> Option<(&'a str, String)> {
    let (location, name) = (parameter.text("in")?, parameter.text("name").filter(|name| !name.is_empty())?);
    let name = if location == "header" { name.to_ascii_lowercase() } else { name.to_owned() };
    Some((location, name))
}

/// The arguments for all parameters outside of the body, and for placeholders without a parameter.
pub(super) fn drafts<'a>(
    scope: &mut OperationScope<'_, 'a>,
    parameters: &[Located<'a>],
    template: &PathTemplate,
) -> Result<Vec<ArgumentDraft>, OperationError> {
    let mut drafts = Vec::new();
    for parameter in parameters {
        match parameter.text("in").unwrap_or_default() {
            "path" => drafts.extend(path_draft(scope, parameter, template)?),
            "query" => drafts.push(draft(scope, parameter, ParameterLocation::Query)?),
            "header" => drafts.extend(header_draft(scope, parameter)?),
            "cookie" => drafts.push(draft(scope, parameter, ParameterLocation::Cookie)?),
            "querystring" => drafts.extend(query_string::drafts(scope, parameter)?),
            "body" | "formData" if scope.kind == DocumentKind::Swagger20 => {}
            other => {
                let message = format!("Parameters cannot be in '{other}'.");
                return Err(OperationError::malformed(&parameter.pointer, message));
            }
        }
    }
    add_undeclared_placeholders(scope, &mut drafts, template);
    Ok(drafts)
}

fn draft<'a>(
    scope: &mut OperationScope<'_, 'a>,
    parameter: &Located<'a>,
    location: ParameterLocation,
) -> Result<ArgumentDraft, OperationError> {
    let name = parameter.text("name").unwrap_or_default().to_owned();
    let required = location == ParameterLocation::Path || parameter.value.get("required") == Some(&true.into());
    let (schema, rule, source) = match parameter.member("schema") {
        Some(schema) => {
            let (converted, rule) = styled_schema(scope, parameter, &schema, location)?;
            (converted, rule, Some(schema))
        }
        None => content::schema_and_rule(scope, parameter)?,
    };
    let draft = ArgumentDraft {
        location,
        document_name: name.clone(),
        wire_name: name,
        rule,
        schema: Value::Object(schema),
        required,
        constant: None,
        overlay: source.map_or_else(ArgumentOverlay::default, |schema| argument_extensions(schema.value)),
        pointer: parameter.pointer.clone(),
    };
    let overlay = argument_extensions(parameter.value).over(draft.overlay.clone());
    let only_value = parameter.member("schema").filter(|_| required).and_then(|schema| scope.only_value(&schema));
    Ok(ArgumentDraft { overlay, ..draft }.with_constant(only_value))
}

/// Converts the schema of a parameter, and its style to keys of the mapping rule.
fn styled_schema<'a>(
    scope: &mut OperationScope<'_, 'a>,
    parameter: &Located<'a>,
    schema: &Located<'a>,
    location: ParameterLocation,
) -> Result<SchemaAndRule, OperationError> {
    let converted = Value::Object(scope.described_schema(schema, parameter)?);
    let joined = style::joined_text(parameter, &converted).filter(|_| scope.kind == DocumentKind::Swagger20);
    if let Some(joined) = joined {
        scope.warn("list_as_text", &parameter.pointer, joined.message);
        return Ok((as_object(joined.schema), Map::new()));
    }
    let rule = style::parameter_keys(parameter, location, scope.kind, &converted, &mut scope.warnings);
    Ok((as_object(converted), rule))
}

/// The argument for a path parameter; `None` if the path has no placeholder for it.
fn path_draft<'a>(
    scope: &mut OperationScope<'_, 'a>,
    parameter: &Located<'a>,
    template: &PathTemplate,
) -> Result<Option<ArgumentDraft>, OperationError> {
    let name = parameter.text("name").unwrap_or_default();
    let Some(placeholder) = template.placeholder(name) else {
        let message = format!("The path has no placeholder {{{name}}}, so the parameter is left out.");
        scope.warn("placeholder_missing", &parameter.pointer, message);
        return Ok(None);
    };
    let draft = draft(scope, parameter, ParameterLocation::Path)?;
    let is_matrix = draft.rule.get("style").and_then(Value::as_str) == Some("matrix");
    if is_matrix && placeholder.url_name != name {
        let message = format!("The style matrix writes the name '{name}', which a placeholder cannot have.");
        return Err(OperationError::new(ProblemCode::ParameterUnsupported, &parameter.pointer, message));
    }
    Ok(Some(ArgumentDraft { wire_name: placeholder.url_name.clone(), ..draft }))
}

/// The argument for a header parameter; `None` if the header is in `IGNORED_HEADERS` or no argument may set it.
fn header_draft<'a>(
    scope: &mut OperationScope<'_, 'a>,
    parameter: &Located<'a>,
) -> Result<Option<ArgumentDraft>, OperationError> {
    let name = parameter.text("name").unwrap_or_default();
    let is_ignored = IGNORED_HEADERS.contains(&name.to_ascii_lowercase().as_str());
    if is_ignored && scope.kind != DocumentKind::Swagger20 {
        return Ok(None);
    }
    let draft = draft(scope, parameter, ParameterLocation::Header)?;
    if toolgate_domain::headers::is_token(name) && !draft.is_valid() {
        let remedy =
            if name.eq_ignore_ascii_case("authorization") { " Set the credentials of the tool instead." } else { "" };
        let message = format!("The header {name} cannot be set by an argument, so it is left out.{remedy}");
        scope.warn("header_reserved", &parameter.pointer, message);
        return Ok(None);
    }
    Ok(Some(draft))
}

/// Adds a required string argument for each placeholder without a parameter.
fn add_undeclared_placeholders(
    scope: &mut OperationScope<'_, '_>,
    drafts: &mut Vec<ArgumentDraft>,
    template: &PathTemplate,
) {
    for placeholder in &template.placeholders {
        let is_declared = |draft: &ArgumentDraft| match draft.location {
            ParameterLocation::Path => draft.wire_name == placeholder.url_name,
            // `?x={x}` in the path with a parameter `x` of the query.
            ParameterLocation::Query => draft.wire_name == placeholder.document_name,
            _ => false,
        };
        if drafts.iter().any(is_declared) {
            continue;
        }
        let name = &placeholder.document_name;
        let pointer = scope.operation.pointer.clone();
        scope.warn(
            "placeholder_undeclared",
            &pointer,
            format!("The placeholder {{{name}}} has no parameter; it is a string."),
        );
        drafts.push(ArgumentDraft {
            location: ParameterLocation::Path,
            document_name: name.clone(),
            wire_name: placeholder.url_name.clone(),
            rule: Map::new(),
            schema: json!({"type": "string"}),
            required: true,
            constant: None,
            overlay: ArgumentOverlay::default(),
            pointer,
        });
    }
}
