//! Makes a tool of a request.

use serde_json::Map;
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::tool::{BodyType, HttpMethod};
use toolgate_domain::upstream_auth::KeyLocation;

use crate::api::argument::ArgumentDraft;
use crate::api::description::{title, tool_description};
use crate::api::postman::argument::{self, by_name};
use crate::api::postman::auth;
use crate::api::postman::body;
use crate::api::postman::body_mapping::{BodyContext, PostmanBody};
use crate::api::postman::entry::Entry;
use crate::api::postman::headers::{self, PostmanHeaders};
use crate::api::postman::json_text;
use crate::api::postman::scope::{ItemError, RequestScope};
use crate::api::postman::url;
use crate::api::problem::ProblemCode;
use crate::api::reference::Located;
use crate::api::request_auth::{CredentialList, RequestAuth, RequestKey};
use crate::api::request_tool::RequestTool;
use crate::api::text_cleaning::strip_invisible;
use crate::spelling::to_snake_case;
use crate::tables::CREDENTIALS_IN_QUERY;
use crate::tables::descriptions::Purpose;

/// Methods whose body Postman does not send unless a setting asks for it.
const METHODS_WITHOUT_BODY: [&str; 2] = ["GET", "HEAD"];

/// Settings that a request inherits from the collection, its folders and the options.
pub(super) struct Inherited<'i, 'a> {
    pub(super) collection: &'i str,
    /// The names of the folders, joined; empty for a request outside of folders.
    pub(super) folder: String,
    pub(super) auth: Option<Located<'a>>,
    /// Whether a GET may have a body.
    pub(super) sends_get_body: bool,
    pub(super) base_url: Option<&'i str>,
}

/// A tool with the origin that it calls.
pub(super) struct PostmanTool {
    pub(super) tool: RequestTool,
    pub(super) origin: String,
}

/// Makes a tool of the request of an item.
pub(super) fn read<'a>(
    item: &Located<'a>,
    request: &Located<'a>,
    inherited: &Inherited<'_, 'a>,
    mut scope: RequestScope<'_, '_>,
    credentials: &mut CredentialList,
) -> Result<PostmanTool, ItemError> {
    let method = method(request)?;
    let url = url::read(request, inherited.base_url, &mut scope)?;
    let mut auth = read_auth(request, inherited, url.userinfo, &mut scope);
    let mut headers = headers::read(request, &auth, &mut scope);
    let endpoint_url = format!("{}{}", url.origin, url.path);
    let context = BodyContext { method, endpoint_url: &endpoint_url, content_type: headers.content_type() };
    let body = read_body(request, &context, inherited.sends_get_body, &mut scope);
    add_content_type(&mut headers, &body);
    let query = query_arguments(&url.query, method, &auth, &mut scope);
    add_keys(&mut auth, request, &mut scope);
    let arguments = url.arguments.into_iter().chain(query).chain(headers.arguments).chain(body.arguments).collect();
    let texts = ToolTexts::read(item, request, method, &url.path, inherited);
    let tool = RequestTool {
        identity: format!("{} {}", inherited.folder, texts.name).trim().to_owned(),
        pointer: item.pointer.clone(),
        title: texts.title,
        description: texts.description,
        name: texts.name,
        path: texts.path,
        method: method.to_owned(),
        endpoint_url,
        arguments,
        body_type: body.body_type,
        body_required: body.is_required,
        headers: headers.fixed,
        auth_type: auth.auth_type(),
        credential: credentials.add(&auth, &auth.auth_type().as_str().replace('-', "_")),
        tags: Some(inherited.folder.clone()).filter(|folder| !folder.is_empty()).into_iter().collect(),
        hints: Map::new(),
        warnings: scope.warnings,
    };
    Ok(PostmanTool { tool, origin: url.origin })
}

/// Name, title, description and path of a tool.
struct ToolTexts {
    name: String,
    title: Option<String>,
    description: String,
    /// The path, without a query.
    path: String,
}

impl ToolTexts {
    fn read(
        item: &Located<'_>,
        request: &Located<'_>,
        method: &str,
        path: &str,
        inherited: &Inherited<'_, '_>,
    ) -> Self {
        let name = strip_invisible(item.text("name").unwrap_or_default());
        let path = path.split('?').next().unwrap_or_default().to_owned();
        let fallback = format!("{method} {path} of {}", inherited.collection);
        let description = tool_description(&name, &json_text::description(request.value), false, &fallback);
        Self { title: title(&name), description, name, path }
    }
}

/// The authentication of the request, else of its folders and the collection, else of the URL.
fn read_auth<'a>(
    request: &Located<'a>,
    inherited: &Inherited<'_, 'a>,
    userinfo: Option<(String, String)>,
    scope: &mut RequestScope<'_, '_>,
) -> RequestAuth {
    let own = request.member("auth").filter(|auth| !auth.value.is_null());
    let effective = own.or_else(|| inherited.auth.clone());
    let auth = effective.map_or(RequestAuth::None, |auth| auth::read(&auth, scope));
    match (auth, userinfo) {
        (RequestAuth::None, Some((username, password))) => {
            RequestAuth::Basic { username: Some(username), password: Some(password) }
        }
        (auth, _) => auth,
    }
}

fn method(request: &Located<'_>) -> Result<&'static str, ItemError> {
    let method = request.text("method").map(str::trim).filter(|method| !method.is_empty()).unwrap_or("GET");
    let known = HttpMethod::NAMES.iter().find(|known| known.eq_ignore_ascii_case(method));
    known.copied().ok_or_else(|| {
        let message = format!("Tools support only the methods {}.", HttpMethod::NAMES.join(", "));
        ItemError::new(ProblemCode::MethodUnsupported, &request.pointer, message)
    })
}

fn read_body(
    request: &Located<'_>,
    context: &BodyContext<'_>,
    sends_get_body: bool,
    scope: &mut RequestScope<'_, '_>,
) -> PostmanBody {
    let is_sent = sends_get_body || !METHODS_WITHOUT_BODY.contains(&context.method);
    if is_sent {
        return body::read(request, context, scope);
    }
    let mut ignored = RequestScope::new(scope.variables);
    if body::read(request, context, &mut ignored).is_required {
        let message = format!("Postman does not send the body of a {}, so the tool has none.", context.method);
        scope.warn("body_ignored", &request.pointer, message);
    }
    PostmanBody::none()
}

/// Adds the Content-Type that Postman sends. That of a multipart body contains the boundary, which the tool chooses.
fn add_content_type(headers: &mut PostmanHeaders, body: &PostmanBody) {
    let is_content_type = |name: &str| name.eq_ignore_ascii_case("content-type");
    if body.body_type == BodyType::Multipart {
        headers.fixed.retain(|name, _| !is_content_type(name));
        headers.arguments.retain(|draft| !is_content_type(&draft.wire_name));
    }
    let is_set = headers.fixed.keys().any(|name| is_content_type(name))
        || headers.arguments.iter().any(|draft| is_content_type(&draft.wire_name));
    if let Some(content_type) = body.content_type.filter(|_| !is_set) {
        headers.fixed.insert("Content-Type".to_owned(), content_type.to_owned());
    }
}

/// The arguments of the query; keys become credentials. `auth` sets its parameter itself.
fn query_arguments(
    query: &[Entry],
    method: &str,
    auth: &RequestAuth,
    scope: &mut RequestScope<'_, '_>,
) -> Vec<ArgumentDraft> {
    let purpose = if METHODS_WITHOUT_BODY.contains(&method) { Purpose::Reading } else { Purpose::Writing };
    let (named, unnamed) = by_name(query);
    for entry in unnamed.iter().filter(|entry| !entry.is_disabled && !entry.is_blank()) {
        let message = "The name of this query parameter is not known, so it is not sent.";
        scope.warn("parameter_without_name", &entry.pointer, message);
    }
    let mut arguments = Vec::new();
    for (name, group) in named.into_iter().filter(|(name, _)| !auth.sets_query(name)) {
        match query_key(&name, &group) {
            Some(key) => scope.keys.push(key),
            None => arguments.extend(argument::from_entries(
                ParameterLocation::Query,
                &name,
                &group,
                purpose,
                scope.variables,
            )),
        }
    }
    arguments
}

/// The credential in a query parameter, if it is enabled and contains a secret or has the name of an API key.
fn query_key(name: &str, group: &[&Entry]) -> Option<RequestKey> {
    let [entry] = group else { return None };
    let is_key = CREDENTIALS_IN_QUERY.contains(&to_snake_case(name)) && !entry.value.is_empty();
    let key = RequestKey {
        name: name.to_owned(),
        location: KeyLocation::Query,
        value: entry.value.resolved_text_with_secrets(),
    };
    (!entry.is_disabled && (is_key || entry.value.has_secret()) && key.is_valid()).then_some(key)
}

fn add_keys(auth: &mut RequestAuth, request: &Located<'_>, scope: &mut RequestScope<'_, '_>) {
    for key in auth.add_keys(std::mem::take(&mut scope.keys)) {
        let message = format!(
            "{} looks like a credential, but a tool cannot have it together with the others. It is not sent: add it to the tool.",
            key.name
        );
        scope.warn("credential_left_out", &request.pointer, message);
    }
}
