//! The API about itself: discovery, the namespace index, `OPTIONS`.

use http::Method;
use http::header::ALLOW;
use serde_json::{Map, Value, json};

use crate::config::Config;
use crate::error::RestError;
use crate::reply::Reply;
use crate::route::Route;

/// `GET /{prefix}/`: which namespaces there are and where. Anything else outside the namespace is no route.
pub(crate) fn discovery(
    config: &Config,
    table: &[Route],
    base_url: &str,
    path: &str,
    method: &Method,
) -> Result<Reply, RestError> {
    let is_root = path.trim_end_matches('/') == format!("/{}", config.prefix);
    if !is_root {
        return Err(RestError::no_route(None));
    }
    readable(method)?;
    let api_base = format!("{base_url}{}", config.root());
    Reply::ok(&json!({
        "name": "Toolgate",
        "description": "Turns HTTP APIs into MCP servers that AI clients can use.",
        "url": base_url,
        "version": config.version,
        "api_base": api_base,
        "openapi": format!("{api_base}/openapi.json"),
        "namespaces": [config.namespace()],
        "authentication": {"bearer": {"header": "Authorization: Bearer <API_KEY>"}},
        "routes": routes(config, table, base_url),
    }))
}

/// `GET {api_base}`.
pub(crate) fn namespace(config: &Config, table: &[Route], base_url: &str, method: &Method) -> Result<Reply, RestError> {
    readable(method)?;
    Reply::ok(&json!({"namespace": config.namespace(), "routes": routes(config, table, base_url)}))
}

fn readable(method: &Method) -> Result<(), RestError> {
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    Err(RestError::no_route(Some("GET, HEAD, OPTIONS".to_owned())))
}

/// Every path with its methods and arguments.
fn routes(config: &Config, table: &[Route], base_url: &str) -> Map<String, Value> {
    let mut routes = Map::new();
    for route in table {
        let path = format!("/{}{}", config.namespace(), route.path);
        if routes.contains_key(&path) {
            continue;
        }
        let same = || table.iter().filter(|other| other.path == route.path);
        let mut entry = describe(config, same());
        let href = format!("{base_url}{}{}", config.root(), route.path);
        if !href.contains('{') {
            entry["_links"] = json!({"self": [{"href": href}]});
        }
        routes.insert(path, entry);
    }
    routes
}

/// `OPTIONS` on a path.
pub(crate) fn options<'a>(config: &Config, here: impl Iterator<Item = &'a Route> + Clone) -> Result<Reply, RestError> {
    let mut entry = describe(config, here.clone());
    let shown = here.clone().find(|route| route.methods.contains(&Method::GET)).or_else(|| here.clone().next());
    if let Some(route) = shown {
        entry["schema"] = route.reply.schema.clone();
    }
    let mut reply = Reply::ok(&entry)?;
    if let Ok(value) = allow(here).parse() {
        reply.headers.insert(ALLOW, value);
    }
    Ok(reply)
}

fn describe<'a>(config: &Config, here: impl Iterator<Item = &'a Route> + Clone) -> Value {
    let endpoints: Vec<Value> = here
        .clone()
        .map(|route| {
            let args: Map<String, Value> = route.args.iter().map(|arg| (arg.name.to_owned(), arg.describe())).collect();
            json!({"methods": names(route), "args": args})
        })
        .collect();
    let methods: Vec<&str> = here.flat_map(names).collect();
    json!({"namespace": config.namespace(), "methods": methods, "endpoints": endpoints})
}

fn names(route: &Route) -> Vec<&str> {
    route.methods.iter().map(Method::as_str).collect()
}

/// The value of `Allow`.
pub(crate) fn allow<'a>(here: impl Iterator<Item = &'a Route>) -> String {
    let mut methods: Vec<&str> = here.flat_map(names).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.push("OPTIONS");
    methods.join(", ")
}
