//! Rules between the fields that describe the request of a tool: constants and parents of its mapping must fit schema,
//! URL and body, and API keys in the path must fit the URL.

use std::cell::LazyCell;

use serde_json::Value;
use url::Url;

use super::part_rules;
use super::{BodyType, HttpMethod, ResponseType, ToolSpec};
use crate::fault::{Fault, Faults};
use crate::json::JsonObject;
use crate::parameters::{MappingRule, ParameterLocation, ParameterStyle, declares_argument};
use crate::upstream_auth::{Credentials, KeyLocation};

/// Checks the mapping of a tool, if one of the fields that it depends on differs from `before`. Otherwise a tool that
/// was stored under older rules stays valid.
pub(super) fn check_mapping(spec: &ToolSpec, before: &ToolSpec) -> Result<(), Faults> {
    let is_unchanged = spec.parameter_mapping == before.parameter_mapping
        && spec.input_schema == before.input_schema
        && spec.endpoint_url == before.endpoint_url
        && spec.http_method == before.http_method
        && spec.body_type == before.body_type
        && spec.response_type == before.response_type;
    if is_unchanged {
        return Ok(());
    }
    let mut faults = Faults::default();
    faults.ok_or_record(spec.parameter_mapping.check_keys("parameter_mapping", &before.parameter_mapping));
    let rules = spec.parameter_mapping.rules();
    let body_names = body_names(spec, &rules);
    // Parsed at most once: a tool may have hundreds of constants.
    let schema = LazyCell::new(|| spec.input_schema.to_value());
    for rule in &rules {
        let path = format!("parameter_mapping[{}]", rule.key);
        if let Some(parent) = &rule.parent {
            faults.ok_or_record(check_parent(&format!("{path}[parent]"), parent, spec, &body_names));
        }
        faults.ok_or_record(check_whole_body(&format!("{path}[whole]"), rule, body_names.len()));
        faults.ok_or_record(check_style(&format!("{path}[style]"), rule, spec));
        faults.ok_or_record(part_rules::check(&path, rule, spec));
        if rule.constant.is_some() {
            faults.ok_or_record(check_constant(&format!("{path}[value]"), rule, spec, &schema, body_names.len()));
        }
    }
    faults.into_result(())
}

fn check_whole_body(path: &str, rule: &MappingRule, body_count: usize) -> Result<(), Fault> {
    if rule.is_whole_body && body_count > 1 {
        let message = format!("{path}: the value is the whole body, so nothing else can be sent there.");
        return Err(Fault::invalid_value(path, message));
    }
    Ok(())
}

/// Members of a JSON body have no style. Parts of a multipart body can only be JSON.
fn check_style(path: &str, rule: &MappingRule, spec: &ToolSpec) -> Result<(), Fault> {
    let Some(serialization) = rule.serialization.filter(|_| rule.location == ParameterLocation::Body) else {
        return Ok(());
    };
    match spec.body_type {
        BodyType::Form => Ok(()),
        BodyType::Multipart if serialization.style == ParameterStyle::Json => Ok(()),
        BodyType::Multipart => {
            Err(Fault::invalid_value(path, format!("{path} needs the body_type form; a part can have the style json.")))
        }
        BodyType::Json | BodyType::Raw => Err(Fault::invalid_value(path, format!("{path} needs the body_type form."))),
    }
}

fn check_parent(path: &str, parent: &str, spec: &ToolSpec, body_names: &[String]) -> Result<(), Fault> {
    if spec.body_type != BodyType::Json {
        return Err(Fault::invalid_value(path, format!("{path} needs the body_type json.")));
    }
    if body_names.iter().any(|name| name == parent) {
        let message =
            format!("{path}: the body has another member named '{parent}', which cannot be a parent as well.");
        return Err(Fault::invalid_value(path, message));
    }
    Ok(())
}

fn check_constant(
    path: &str,
    rule: &MappingRule,
    spec: &ToolSpec,
    schema: &Value,
    body_count: usize,
) -> Result<(), Fault> {
    let refuse = |message: String| Err(Fault::invalid_value(path, format!("{path}: {message}")));
    let MappingRule { key, location, name, constant, .. } = rule;
    let is_null = constant.as_ref().is_some_and(|value| value.get() == "null");
    if declares_argument(schema, key) {
        return refuse(format!("'{key}' is a constant, so input_schema must not declare an argument of that name."));
    }
    match location {
        ParameterLocation::Path if spec.endpoint_url.placeholders().all(|placeholder| placeholder != name) => {
            refuse(format!("endpoint_url has no placeholder {{{name}}}."))
        }
        ParameterLocation::Body if spec.response_type == ResponseType::Mcp => {
            refuse("with the response_type mcp the body contains only the arguments.".to_owned())
        }
        ParameterLocation::Body if spec.body_type == BodyType::Raw && body_count > 1 => {
            refuse("with the body_type raw a constant is the whole body, so nothing else can be sent there.".to_owned())
        }
        ParameterLocation::Body if is_null && matches!(spec.body_type, BodyType::Form | BodyType::Multipart) => {
            refuse("null cannot be sent in a form.".to_owned())
        }
        _ => Ok(()),
    }
}

/// The names of the members of the body, without those that have a parent.
fn body_names(spec: &ToolSpec, rules: &[MappingRule]) -> Vec<String> {
    let method_has_body =
        matches!(spec.http_method, HttpMethod::Post | HttpMethod::Put | HttpMethod::Patch | HttpMethod::Query);
    let is_placeholder = |name: &str| spec.endpoint_url.placeholders().any(|placeholder| placeholder == name);
    let is_in_body = |rule: &&MappingRule| match rule.location {
        ParameterLocation::Body => rule.parent.is_none(),
        // An argument for a placeholder that the URL does not have is treated as unmapped.
        ParameterLocation::Path => method_has_body && !is_placeholder(&rule.name),
        ParameterLocation::Query | ParameterLocation::Header | ParameterLocation::Cookie => false,
    };
    let mut names: Vec<String> = rules.iter().filter(is_in_body).map(|rule| rule.name.clone()).collect();
    if method_has_body {
        let properties = spec.input_schema.members().get("properties").and_then(|value| JsonObject::from_raw(value));
        let declared = properties.map(|properties| properties.members()).unwrap_or_default().into_keys();
        names.extend(declared.filter(|name| !is_placeholder(name) && rules.iter().all(|rule| rule.key != *name)));
    }
    names
}

/// Checks that each API key in the path has its own placeholder. The fault names the field that has changed.
pub(super) fn check_path_keys(spec: &ToolSpec, before: &ToolSpec, credentials: &Credentials) -> Result<(), Faults> {
    let mut faults = Faults::default();
    let is_list = matches!(credentials, Credentials::ApiKeys(_) | Credentials::WithKeys { .. });
    for (index, key) in credentials.api_keys().iter().enumerate() {
        if key.location != KeyLocation::Path {
            continue;
        }
        let field = if spec.endpoint_url != before.endpoint_url {
            "endpoint_url".to_owned()
        } else if is_list {
            format!("auth_credentials[keys][{index}][key_name]")
        } else {
            "auth_credentials[key_name]".to_owned()
        };
        faults.ok_or_record(check_placeholder(&field, &key.name, spec));
        faults.ok_or_record(check_not_an_argument(&key.name, spec));
    }
    faults.into_result(())
}

/// Like [`check_path_keys`], for the credential of a server. Faults of the URL name `field`.
pub(super) fn check_attached_path_keys(field: &str, spec: &ToolSpec, credentials: &Credentials) -> Result<(), Faults> {
    let mut faults = Faults::default();
    for name in credentials.path_key_names() {
        faults.ok_or_record(check_placeholder(field, &name, spec));
        faults.ok_or_record(check_not_an_argument(&name, spec));
    }
    faults.into_result(())
}

fn check_placeholder(field: &str, name: &str, spec: &ToolSpec) -> Result<(), Fault> {
    let is_unique = spec.endpoint_url.placeholders().filter(|placeholder| *placeholder == name).count() == 1;
    // A placeholder in a segment that `..` removes, in the query or in the fragment is not part of the path.
    let marker = "zq-key-in-path-zq";
    let sample = spec.endpoint_url.as_str().replace(&format!("{{{name}}}"), marker).replace(['{', '}'], "");
    if is_unique && Url::parse(&sample).is_ok_and(|url| url.path().contains(marker)) {
        return Ok(());
    }
    Err(Fault::invalid_value(
        field,
        format!(
            "{field}: the API key '{name}' is sent in the path, so endpoint_url must contain {{{name}}} exactly once, in its path."
        ),
    ))
}

fn check_not_an_argument(name: &str, spec: &ToolSpec) -> Result<(), Fault> {
    let refuse = |field: &str| {
        let message = format!("{field} must not refer to '{name}': the API key of that name fills the placeholder.");
        Err(Fault::invalid_value(field, message))
    };
    if declares_argument(&spec.input_schema.to_value(), name) {
        return refuse("input_schema");
    }
    let rules = spec.parameter_mapping.rules();
    let is_for_key =
        |rule: &&MappingRule| rule.key == name || (rule.location == ParameterLocation::Path && rule.name == name);
    match rules.iter().find(is_for_key) {
        Some(rule) => refuse(&format!("parameter_mapping[{}]", rule.key)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::endpoint_url::EndpointUrl;
    use crate::fault::Faults;
    use crate::json::JsonObject;
    use crate::parameters::ParameterMapping;
    use crate::secrets::Secrets;
    use crate::tool::{BodyType, HttpMethod, ResponseType, ToolPatch, ToolSpec};
    use crate::upstream_auth::AuthType;

    fn object(value: &Value) -> JsonObject {
        JsonObject::from_stored(value.to_string())
    }

    fn url(text: &str) -> EndpointUrl {
        EndpointUrl::parse("u", text).unwrap()
    }

    fn fields(result: &Result<(), Faults>) -> Vec<&str> {
        result.as_ref().err().into_iter().flat_map(Faults::iter).map(|fault| fault.field.as_str()).collect()
    }

    #[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
    fn post(mapping: Value) -> ToolPatch {
        ToolPatch {
            http_method: Some(HttpMethod::Post),
            input_schema: Some(object(&json!({"properties": {"a": {}}, "allOf": [{"properties": {"b": {}}}]}))),
            parameter_mapping: Some(ParameterMapping::parse("m", &object(&mapping)).unwrap()),
            ..ToolPatch::default()
        }
    }

    fn apply(patch: ToolPatch) -> Result<(), Faults> {
        ToolSpec::new("t".into(), url("https://a.example/{id}")).apply(patch, &mut Secrets::default())
    }

    #[test]
    fn a_constant_that_is_an_argument_or_does_not_fit_url_and_body_is_refused() {
        for (mapping, body_type, field) in [
            (json!({"a": {"location": "query", "value": 1}}), BodyType::Json, "parameter_mapping[a][value]"),
            (json!({"b": {"location": "body", "value": 1}}), BodyType::Json, "parameter_mapping[b][value]"),
            (json!({"c": {"location": "path", "value": 1}}), BodyType::Json, "parameter_mapping[c][value]"),
            (json!({"c": {"location": "body", "value": null}}), BodyType::Form, "parameter_mapping[c][value]"),
            (json!({"c": {"location": "body", "value": 1}}), BodyType::Raw, "parameter_mapping[c][value]"),
        ] {
            let patch = ToolPatch { body_type: Some(body_type), ..post(mapping.clone()) };
            assert_eq!(fields(&apply(patch)), [field], "{mapping}");
        }
        let mapping =
            json!({"c": {"location": "path", "name": "id", "value": 1}, "d": {"location": "body", "value": null}});
        assert_eq!(fields(&apply(post(mapping))), [""; 0]);
        let mcp = ToolPatch {
            response_type: Some(ResponseType::Mcp),
            ..post(json!({"d": {"location": "body", "value": 1}}))
        };
        assert_eq!(fields(&apply(mcp)), ["parameter_mapping[d][value]"]);
    }

    #[test]
    fn a_parent_needs_a_json_body_and_a_name_that_no_other_member_has() {
        let nested =
            json!({"x": {"location": "body", "parent": "p"}, "y": {"location": "body", "name": "x", "parent": "p"}});
        assert_eq!(fields(&apply(post(nested.clone()))), [""; 0]);
        let form = ToolPatch { body_type: Some(BodyType::Form), ..post(nested) };
        assert_eq!(fields(&apply(form)), ["parameter_mapping[x][parent]", "parameter_mapping[y][parent]"]);
        for taken in ["a", "z"] {
            let mapping = json!({"x": {"location": "body", "parent": taken}, "q": {"location": "body", "name": "z"}});
            assert_eq!(fields(&apply(post(mapping))), ["parameter_mapping[x][parent]"], "{taken}");
        }
    }

    #[test]
    fn a_stored_tool_with_unknown_keys_can_be_changed_and_sent_back() {
        let mut spec = ToolSpec::new("t".into(), url("https://a.example/"));
        spec.parameter_mapping =
            ParameterMapping::from_stored(r#"{"a":{"location":"query","flavour":"form"}}"#.to_owned());
        let mut apply = |patch: ToolPatch| spec.apply(patch, &mut Secrets::default());
        let mapping =
            |text: &str| Some(ParameterMapping::parse("m", &JsonObject::from_stored(text.to_owned())).unwrap());
        apply(ToolPatch { http_method: Some(HttpMethod::Post), ..ToolPatch::default() }).unwrap();
        let same = mapping(r#"{"a":{"location":"query","flavour":"form"},"b":{"location":"query"}}"#);
        apply(ToolPatch { parameter_mapping: same, ..ToolPatch::default() }).unwrap();
        let other = mapping(r#"{"a":{"location":"query","flavour":"label"}}"#);
        let refused = apply(ToolPatch { parameter_mapping: other, ..ToolPatch::default() });
        assert_eq!(fields(&refused), ["parameter_mapping[a][flavour]"]);
    }

    #[test]
    fn a_change_after_which_a_path_key_has_no_placeholder_of_its_own_is_refused() {
        let key = json!({"key_name": "token", "key_value": "v", "key_location": "path"});
        let with_key = |credentials: &Value| ToolPatch {
            auth_type: Some(AuthType::ApiKey),
            auth_credentials: Some(object(credentials)),
            ..ToolPatch::default()
        };
        for address in ["/x", "/?t={token}", "/{token}/{token}", "/{token}/../x", "/x#{token}"] {
            let mut spec = ToolSpec::new("t".into(), url(&format!("https://a.example{address}")));
            let result = spec.apply(with_key(&key), &mut Secrets::default());
            assert_eq!(fields(&result), ["auth_credentials[key_name]"], "{address}");
            let result = spec.apply(with_key(&json!({"keys": [key]})), &mut Secrets::default());
            assert_eq!(fields(&result), ["auth_credentials[keys][0][key_name]"], "{address}");
        }
        let mut spec = ToolSpec::new("t".into(), url("https://a.example/bot{token}/x"));
        let mut secrets = Secrets::default();
        spec.apply(with_key(&key), &mut secrets).unwrap();
        let refused = |patch: ToolPatch, field: &str| {
            let result = spec.clone().apply(patch, &mut secrets.clone());
            assert_eq!(fields(&result), [field]);
        };
        let default = ToolPatch::default;
        refused(ToolPatch { endpoint_url: Some(url("https://a.example/x")), ..default() }, "endpoint_url");
        let schema = object(&json!({"properties": {"token": {}}}));
        refused(ToolPatch { input_schema: Some(schema), ..default() }, "input_schema");
        for rule in [json!({"token": {"location": "query"}}), json!({"x": {"location": "path", "name": "token"}})] {
            let field = format!("parameter_mapping[{}]", rule.as_object().unwrap().keys().next().unwrap());
            let mapping = ParameterMapping::parse("m", &object(&rule)).unwrap();
            refused(ToolPatch { parameter_mapping: Some(mapping), ..default() }, &field);
        }
    }
}
