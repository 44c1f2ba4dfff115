//! Self-description of the API: discovery, the namespace index, `OPTIONS`.

use http::Method;
use http::header::ALLOW;
use serde_json::{Map, Value, json};

use crate::config::RestConfig;
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::route::Route;

/// `GET /{prefix}/`: the namespaces and their URLs. Any other path outside the namespace is not found.
pub(crate) fn discovery(
    config: &RestConfig,
    table: &[Route],
    base_url: &str,
    path: &str,
    method: &Method,
) -> Result<ApiReply, RestError> {
    let is_root = path.trim_end_matches('/') == format!("/{}", config.prefix);
    if !is_root {
        return Err(RestError::no_route(None));
    }
    check_read_method(method)?;
    let api_base = format!("{base_url}{}", config.root_path());
    ApiReply::ok(&json!({
        "name": "Toolgate",
        "description": "Turns HTTP APIs into MCP servers that AI clients can use.",
        "url": base_url,
        "version": config.version,
        "api_base": api_base,
        "openapi": format!("{api_base}/openapi.json"),
        "namespaces": [config.versioned_namespace()],
        "authentication": {"bearer": {"header": "Authorization: Bearer <API_KEY>"}},
        "routes": routes(config, table, base_url),
    }))
}

/// `GET {api_base}`: the routes of the namespace.
pub(crate) fn namespace(
    config: &RestConfig,
    table: &[Route],
    base_url: &str,
    method: &Method,
) -> Result<ApiReply, RestError> {
    check_read_method(method)?;
    ApiReply::ok(&json!({"namespace": config.versioned_namespace(), "routes": routes(config, table, base_url)}))
}

fn check_read_method(method: &Method) -> Result<(), RestError> {
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    Err(RestError::no_route(Some("GET, HEAD, OPTIONS".to_owned())))
}

/// Every path with its methods and arguments.
fn routes(config: &RestConfig, table: &[Route], base_url: &str) -> Map<String, Value> {
    let mut routes = Map::new();
    for route in table {
        let path = format!("/{}{}", config.versioned_namespace(), route.path);
        if routes.contains_key(&path) {
            continue;
        }
        let routes_of_path = || table.iter().filter(|other| other.path == route.path);
        let mut entry = describe(config, routes_of_path());
        let href = format!("{base_url}{}{}", config.root_path(), route.path);
        if !href.contains('{') {
            entry["_links"] = json!({"self": [{"href": href}]});
        }
        routes.insert(path, entry);
    }
    routes
}

/// `OPTIONS` on a path.
pub(crate) fn options<'a>(
    config: &RestConfig,
    matching: impl Iterator<Item = &'a Route> + Clone,
) -> Result<ApiReply, RestError> {
    let mut entry = describe(config, matching.clone());
    let documented_route =
        matching.clone().find(|route| route.methods.contains(&Method::GET)).or_else(|| matching.clone().next());
    if let Some(route) = documented_route {
        entry["schema"] = route.reply.schema.clone();
    }
    let mut reply = ApiReply::ok(&entry)?;
    reply.set_header(ALLOW, &allowed_methods(matching));
    Ok(reply)
}

/// The methods and arguments of the routes of one path.
fn describe<'a>(config: &RestConfig, matching: impl Iterator<Item = &'a Route> + Clone) -> Value {
    let endpoints: Vec<Value> = matching
        .clone()
        .map(|route| {
            let args: Map<String, Value> = route.args.iter().map(|arg| (arg.name.to_owned(), arg.describe())).collect();
            json!({"methods": method_names(route), "args": args})
        })
        .collect();
    let methods: Vec<&str> = matching.flat_map(method_names).collect();
    json!({"namespace": config.versioned_namespace(), "methods": methods, "endpoints": endpoints})
}

fn method_names(route: &Route) -> Vec<&str> {
    route.methods.iter().map(Method::as_str).collect()
}

/// The value of the `Allow` header.
pub(crate) fn allowed_methods<'a>(matching: impl Iterator<Item = &'a Route>) -> String {
    let mut methods: Vec<&str> = matching.flat_map(method_names).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.push("OPTIONS");
    methods.join(", ")
}
