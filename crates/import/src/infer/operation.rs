//! Operations that a request names outside its path: GraphQL, JSON-RPC, SOAP, Amazon's targets, `?action=…`.

use toolgate_domain::json;

use super::graphql::{GraphQlOperation, QUERY_MEMBER};
use super::payload::Payload;
use super::query::ExampleQuery;
use crate::request::ImportedRequest;
use crate::request::path::UrlPath;
use crate::spelling::to_snake_case;
use crate::tables::{READING_VERBS, WRITING_VERBS};

/// The member that marks a JSON-RPC body.
pub(super) const JSON_RPC_MEMBER: &str = "jsonrpc";

/// The operation of a request.
#[derive(Debug)]
pub(super) struct NamedOperation {
    /// The name in snake case.
    pub(super) name: String,
    /// Equal for requests of the same operation.
    pub(super) key: String,
    pub(super) graphql: Option<GraphQlOperation>,
}

impl NamedOperation {
    /// The operation of a request; `None` if only its path describes it.
    pub(super) fn detect(
        request: &ImportedRequest,
        path: &UrlPath,
        query: &ExampleQuery,
        payload: &Payload,
    ) -> Option<Self> {
        if let Some(graphql) = GraphQlOperation::from_request(path, &payload.json) {
            let key = payload.json.get(QUERY_MEMBER).map_or_else(|| graphql.name.clone(), |text| text.get().to_owned());
            return Some(Self { name: graphql.name.clone(), key, graphql: Some(graphql) });
        }
        let named = rpc_method(payload).or_else(|| header_operation(request));
        let name = named.map(|name| to_snake_case(&name)).or_else(|| query_operation(request, path, query))?;
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase());
        is_name.then(|| Self { key: name.clone(), name, graphql: None })
    }
}

/// The method of a JSON-RPC body.
fn rpc_method(payload: &Payload) -> Option<String> {
    payload.json.get(JSON_RPC_MEMBER)?;
    json::as_string(payload.json.get("method")?)
}

/// The operation in a header of Amazon or SOAP.
fn header_operation(request: &ImportedRequest) -> Option<String> {
    let header = |name: &str| request.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
    let after = |value: &str, separators: &[char]| value.rsplit(separators).next().map(str::to_owned);
    let target = header("X-Amz-Target").and_then(|(_, target)| after(target, &['.']));
    target.or_else(|| header("SOAPAction").and_then(|(_, action)| after(action.trim_matches('"'), &['/', '#', ':'])))
}

/// The operation in the query. A name without a verb gets the verb of the method; a name that is only a verb gets the
/// label of the host's domain, as in `search_example`.
fn query_operation(request: &ImportedRequest, path: &UrlPath, query: &ExampleQuery) -> Option<String> {
    let name = to_snake_case(query.operation()?);
    let first = name.split('_').next().filter(|first| !first.is_empty())?;
    let has_verb = READING_VERBS.contains(first) || WRITING_VERBS.contains(first);
    let verb = if request.method == "GET" { "get" } else { "run" };
    Some(match (has_verb, first == name) {
        (true, true) => format!("{name}_{}", path.domain_label()).trim_end_matches('_').to_owned(),
        (true, false) => name,
        (false, _) => format!("{verb}_{name}"),
    })
}
