//! The server that a tool calls.

use serde_json::{Map, Value};
use url::Url;

use crate::api::document::DocumentKind;
use crate::api::openapi::failure::OperationError;
use crate::api::openapi::operation::ApiOperation;
use crate::api::options::ImportOptions;
use crate::api::pointer::Pointer;
use crate::api::problem::ProblemCode;
use crate::api::reference::Located;
use crate::api::report::ApiServer;

/// The URL of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ServerUrl {
    /// Scheme, host and path, without a `/` at the end.
    Absolute(String),
    /// Only a path, because the document names no host. `pointer` is the position where the host is missing.
    Relative { path: String, pointer: Pointer },
}

impl ServerUrl {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Absolute(url) => url,
            Self::Relative { path, .. } => path,
        }
    }
}

/// Chooses servers by the options of the import.
pub(super) struct ServerChoice<'a> {
    root: Located<'a>,
    kind: DocumentKind,
    options: &'a ImportOptions,
}

impl<'a> ServerChoice<'a> {
    pub(super) fn new(root: Located<'a>, kind: DocumentKind, options: &'a ImportOptions) -> Self {
        Self { root, kind, options }
    }

    /// The servers of the document, for the reply.
    pub(super) fn listed(&self) -> Vec<ApiServer> {
        if self.kind == DocumentKind::Swagger20 {
            let urls = self.swagger_urls(&self.root).into_iter();
            return urls.map(|url| ApiServer { url, description: None, variables: Map::new() }).collect();
        }
        let servers = self.root.member("servers");
        servers.iter().flat_map(Located::items).filter_map(|server| listed_server(&server)).collect()
    }

    /// The server of the whole document.
    pub(super) fn for_document(&self) -> Result<ServerUrl, OperationError> {
        self.choose(std::slice::from_ref(&self.root))
    }

    /// The server of an operation: its own, else that of its path, else that of the document.
    pub(super) fn for_operation(&self, operation: &ApiOperation<'a>) -> Result<ServerUrl, OperationError> {
        self.choose(&[operation.operation.clone(), operation.path_item.clone(), self.root.clone()])
    }

    /// Makes a URL of the document absolute, such as that of a token endpoint.
    pub(super) fn absolute_url(&self, text: &str) -> Option<String> {
        let base = self.options.document_url.clone().or_else(|| match self.for_document() {
            Ok(ServerUrl::Absolute(url)) => Some(url),
            _ => None,
        });
        let url = Url::parse(text).ok().or_else(|| Url::parse(&base?).ok()?.join(text).ok())?;
        matches!(url.scheme(), "http" | "https").then(|| url.to_string())
    }

    /// The server of the first of `owners` that declares servers; in Swagger 2.0, with the schemes of the first that
    /// declares schemes.
    fn choose(&self, owners: &[Located<'a>]) -> Result<ServerUrl, OperationError> {
        if let Some(base_url) = &self.options.base_url {
            return Ok(ServerUrl::Absolute(base_url.trim().trim_end_matches('/').to_owned()));
        }
        if self.kind == DocumentKind::Swagger20 {
            let schemes = owners.iter().find(|owner| owner.value.get("schemes").is_some());
            let urls = self.swagger_urls(schemes.unwrap_or(&self.root));
            let url = urls.get(self.options.server_index).or(urls.first()).cloned().unwrap_or_default();
            return Ok(self.resolved(&url, self.root.pointer.member("host")));
        }
        let lists = owners.iter().filter_map(|owner| owner.member("servers"));
        let Some(servers) = lists.into_iter().find(|servers| servers.value.as_array().is_some_and(|s| !s.is_empty()))
        else {
            return Ok(self.resolved("/", self.root.pointer.member("servers")));
        };
        let server = servers.items().nth(self.options.server_index).or_else(|| servers.items().next());
        let Some((server, url)) = server.as_ref().and_then(|server| Some((server, server.text("url")?))) else {
            return Err(OperationError::malformed(&servers.pointer, "The server has no url."));
        };
        Ok(self.resolved(&self.with_variables(server, url)?, server.pointer.member("url")))
    }

    /// The URLs of a Swagger document: one for each scheme, https first.
    fn swagger_urls(&self, owner: &Located<'a>) -> Vec<String> {
        let base_path = self.root.text("basePath").unwrap_or_default();
        let base_path = if base_path.starts_with('/') { base_path.to_owned() } else { format!("/{base_path}") };
        let Some(host) = self.root.text("host").map(str::trim).filter(|host| !host.is_empty()) else {
            return vec![base_path];
        };
        let named = owner.value.get("schemes").and_then(Value::as_array).into_iter().flatten();
        let mut schemes: Vec<&str> =
            named.filter_map(Value::as_str).filter(|s| matches!(*s, "http" | "https")).collect();
        if schemes.is_empty() {
            let document_url = self.options.document_url.as_deref().unwrap_or_default();
            schemes.push(if document_url.starts_with("http://") { "http" } else { "https" });
        }
        schemes.sort_unstable_by(|a, b| b.cmp(a));
        schemes.iter().map(|scheme| format!("{scheme}://{host}{base_path}")).collect()
    }

    /// The URL with variables replaced by their values.
    fn with_variables(&self, server: &Located<'a>, url: &str) -> Result<String, OperationError> {
        let mut out = String::with_capacity(url.len());
        let mut rest = url;
        while let Some((before, name, after)) = rest.split_once('{').and_then(|(before, from)| {
            let (name, after) = from.split_once('}')?;
            Some((before, name, after))
        }) {
            let value = self.variable(server, name).ok_or_else(|| {
                let message =
                    format!("The server variable '{name}' has no default. Give its value in server_variables.");
                OperationError::new(ProblemCode::ServerVariable, &server.pointer, message)
            })?;
            out.extend([before, &value]);
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn variable(&self, server: &Located<'a>, name: &str) -> Option<String> {
        if let Some(value) = self.options.server_variables.get(name) {
            return Some(value.clone());
        }
        let variable = server.value.get("variables")?.get(name)?;
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        variable.get("default").and_then(text).or_else(|| text(variable.get("enum")?.as_array()?.first()?))
    }

    /// Resolves a relative URL against the URL of the document.
    fn resolved(&self, url: &str, pointer: Pointer) -> ServerUrl {
        let url = url.trim();
        // The query and the fragment of a server are not part of the URLs of its operations.
        let url = url.split(['?', '#']).next().unwrap_or_default();
        if is_absolute(url) {
            return ServerUrl::Absolute(url.trim_end_matches('/').to_owned());
        }
        let base = self.options.document_url.as_deref().and_then(|base| Url::parse(base).ok());
        match base.and_then(|base| base.join(url).ok()) {
            Some(resolved) => ServerUrl::Absolute(resolved.as_str().trim_end_matches('/').to_owned()),
            None => ServerUrl::Relative { path: url.trim_end_matches('/').to_owned(), pointer },
        }
    }
}

fn is_absolute(url: &str) -> bool {
    let scheme = url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme.is_some_and(|scheme| matches!(scheme.as_str(), "http" | "https"))
}

fn listed_server(server: &Located<'_>) -> Option<ApiServer> {
    let variables = server.value.get("variables").and_then(Value::as_object).cloned().unwrap_or_default();
    let description = server.text("description").map(str::to_owned);
    Some(ApiServer { url: server.text("url")?.to_owned(), description, variables })
}
