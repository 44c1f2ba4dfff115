//! Makes a tool of the recorded requests for one endpoint.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value, json};
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::tool::BodyType;
use toolgate_domain::upstream_auth::KeyLocation;

use crate::api::argument::ArgumentDraft;
use crate::api::har::entry::HarSource;
use crate::api::har::session::RecordedSessions;
use crate::api::overlay::ArgumentOverlay;
use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;
use crate::api::request_auth::{CredentialList, RequestKey};
use crate::api::request_tool::RequestTool;
use crate::draft::Draft;
use crate::infer::InferredTool;
use crate::request::path::UrlPath;
use crate::request::urlencoded_form;
use crate::sensitivity::is_secret_parameter;

/// Warnings with one of these texts are dropped: they concern only curl commands, or show a part of a value.
const COMMAND_WARNINGS: [&str; 4] = ["shell variable", "placeholder", "different credentials", "cannot be saved"];

/// Makes the tool of a group of requests, of which `source` is the first.
pub(super) fn from_group(
    tool: InferredTool,
    source: &HarSource,
    sessions: &RecordedSessions,
    credentials: &mut CredentialList,
) -> RequestTool {
    let pointer = Pointer::root().member("log").member("entries").item(source.index);
    let mut draft = tool.draft;
    let (mut auth, is_complete) = sessions.auth(&source.origin, &source.session);
    let mut refused = auth.add_keys(url_keys(draft.auth_credentials.get()));
    refused.extend(auth.add_keys(take_fixed_secrets(&mut draft.endpoint_url)));
    let warnings = warnings(&draft, source, !is_complete || !refused.is_empty(), &pointer);
    let path = UrlPath::parse(draft.endpoint_url.split('?').next().unwrap_or_default());
    let credential_name =
        if path.domain_label().is_empty() { "session".to_owned() } else { format!("{}_session", path.domain_label()) };
    RequestTool {
        method: draft.http_method,
        path: displayed_path(&path),
        identity: String::new(),
        name: tool.name,
        title: None,
        description: tool.description,
        body_required: draft.body_type.is_some(),
        body_type: draft.body_type.unwrap_or(BodyType::Json),
        endpoint_url: draft.endpoint_url,
        arguments: arguments(&draft.input_schema.to_value(), &draft.parameter_mapping.to_value(), &pointer),
        headers: draft.headers,
        auth_type: auth.auth_type(),
        credential: credentials.add(&auth, &credential_name),
        tags: Vec::new(),
        hints: hints(&tool.annotations),
        warnings,
        pointer,
    }
}

fn warnings(draft: &Draft, source: &HarSource, has_refused_keys: bool, pointer: &Pointer) -> Vec<ApiWarning> {
    let warning =
        |code: &'static str, message: &str| ApiWarning { code, message: message.to_owned(), pointer: pointer.clone() };
    let inferred =
        draft.warnings.iter().filter(|sentence| !COMMAND_WARNINGS.iter().any(|part| sentence.contains(part)));
    let mut warnings: Vec<ApiWarning> = inferred.map(|sentence| warning("inferred", sentence)).collect();
    if has_refused_keys {
        warnings.push(warning("credential_left_out", "The request has more credentials than a tool can have."));
    }
    if source.session.has_computed {
        let message = "The Authorization header is computed for each request, so it was left out.";
        warnings.push(warning("auth_unsupported", message));
    }
    if !source.session.is_empty() {
        let names = source.session.names().collect::<Vec<_>>().join(", ");
        let message = format!(
            "The credential holds {names} of the person who recorded the requests. Calls act as this person until the \
             session expires: replace it with a credential for this purpose."
        );
        warnings.push(warning("session_credential", &message));
    }
    warnings
}

fn displayed_path(path: &UrlPath) -> String {
    if path.segments.is_empty() { "/".to_owned() } else { path.path_text() }
}

/// Replaces scheme, host and port of the tool.
pub(super) fn set_base_url(tool: &mut RequestTool, base_url: Option<&str>) {
    let Some(base_url) = base_url else { return };
    let after_scheme = tool.endpoint_url.split_once("://").map_or("", |(_, rest)| rest);
    let path = after_scheme.find(['/', '?']).and_then(|at| after_scheme.get(at..)).unwrap_or_default();
    tool.endpoint_url = format!("{}{path}", base_url.trim_end_matches('/'));
}

/// The inferred hints that are true.
fn hints(inferred: &impl Serialize) -> Map<String, Value> {
    let members = serde_json::to_value(inferred).ok().and_then(|value| value.as_object().cloned());
    members.unwrap_or_default().into_iter().filter(|(_, hint)| *hint == Value::Bool(true)).collect()
}

/// The inferred arguments and constants.
fn arguments(schema: &Value, mapping: &Value, pointer: &Pointer) -> Vec<ArgumentDraft> {
    let is_required = |name: &str| {
        let required = schema.get("required").and_then(Value::as_array);
        required.is_some_and(|required| required.iter().any(|other| other == name))
    };
    let rules = mapping.as_object().into_iter().flatten();
    let drafts = rules.filter_map(|(name, rule)| {
        let mut rule = rule.as_object()?.clone();
        let location = ParameterLocation::parse(rule.shift_remove("location")?.as_str()?)?;
        let wire_name = rule.shift_remove("name").and_then(|name| name.as_str().map(str::to_owned));
        let wire_name = wire_name.unwrap_or_else(|| name.clone());
        Some(ArgumentDraft {
            location,
            document_name: wire_name.clone(),
            wire_name,
            constant: rule.shift_remove("value"),
            rule,
            schema: schema.pointer("/properties").and_then(|all| all.get(name)).cloned().unwrap_or_else(|| json!({})),
            required: is_required(name),
            overlay: ArgumentOverlay::default(),
            pointer: pointer.clone(),
        })
    });
    drafts.collect()
}

/// Removes the secret parameters from the URL, whose query has the parameters that are equal in all requests.
fn take_fixed_secrets(endpoint_url: &mut String) -> Vec<RequestKey> {
    let Some((base, query)) = endpoint_url.split_once('?') else { return Vec::new() };
    let (mut keys, mut others) = (Vec::new(), Vec::new());
    for piece in query.split('&') {
        let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
        let decode = |text| urlencoded_form::decode(text).map_or_else(|lossy| lossy, Cow::into_owned);
        let (name, value) = (decode(name), decode(value));
        if !value.is_empty() && is_secret_parameter(&name, &value) {
            keys.push(RequestKey { name, location: KeyLocation::Query, value: Some(value) });
        } else {
            others.push(piece);
        }
    }
    if !keys.is_empty() {
        let query = if others.is_empty() { String::new() } else { format!("?{}", others.join("&")) };
        *endpoint_url = format!("{base}{query}");
    }
    keys
}

/// The API keys that the inference found in the URL, from the JSON form of the credentials.
fn url_keys(auth_credentials: &str) -> Vec<RequestKey> {
    let members: Value = serde_json::from_str(auth_credentials).unwrap_or_default();
    let list = members.get("keys").and_then(Value::as_array).cloned().unwrap_or_else(|| vec![members]);
    let text = |key: &Value, name: &str| key.get(name).and_then(Value::as_str).map(str::to_owned);
    let keys = list.iter().filter_map(|key| {
        let location = KeyLocation::parse(&text(key, "key_location")?)?;
        Some(RequestKey { name: text(key, "key_name")?, location, value: text(key, "key_value") })
    });
    keys.collect()
}
