//! One tool call from its arguments to its output. Each step takes the result of the previous one, so none can be
//! skipped: arguments, valid arguments, request, response, output.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::value::RawValue;
use tokio::time::Instant;
use toolgate_domain::api_document::DOCUMENT_BYTES_MAX;
use toolgate_domain::headers::SecretHeaders;

use crate::cache::{CacheStats, ResponseCache};
use crate::call_audience::CallAudience;
use crate::call_trace::{self, CallTrace};
use crate::cluster::ClusterState;
use crate::content::http_error;
use crate::egress::client::EgressClient;
use crate::egress::error::EgressError;
use crate::egress::guard::rule::EgressRule;
use crate::egress::message::{OutboundRequest, ResponseLimits, UpstreamResponse};
use crate::failure::Failure;
use crate::fetch::CompiledFetch;
use crate::output::{self, ToolOutput};
use crate::permits::Permits;
use crate::stage::{CallStage, StageObserver};
use crate::tokens::TokenCache;
use crate::tool::CompiledTool;
use crate::tool::argument_text::write_object;
use crate::tool::arguments::ValidArguments;
use crate::tool::auth::CredentialUse;
use crate::tool_advice::ToolCall;
use crate::upstream_call::{RequestBuilder, UpstreamCall, UpstreamMeasurements, UpstreamResources};

/// How long fetching an API description may take.
const DOCUMENT_TIMEOUT: Duration = Duration::from_secs(10);
/// The limits of the response with an API description.
const DOCUMENT_LIMITS: ResponseLimits = ResponseLimits { redirects_max: 3, bytes_max: DOCUMENT_BYTES_MAX };

/// Executes tool calls. The service has one executor: it holds the connections, the cached responses and the tokens,
/// and limits concurrent calls.
pub struct Executor {
    resources: UpstreamResources,
}

/// The input of a call.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallInput<'a> {
    /// The arguments as JSON; `None` means `{}`.
    pub arguments: Option<&'a str>,
    /// Further input for a tool whose upstream returns MCP results.
    pub round: InputRound<'a>,
    /// Whether a cached response may be used.
    pub may_use_cache: bool,
    /// Whether arguments that do not match the schema are coerced where their meaning is clear.
    pub coerces_arguments: bool,
    /// Who reads the result.
    pub audience: CallAudience,
    /// The position of the call in the trace of the request, if the request is traced.
    pub trace: Option<CallTrace<'a>>,
}

/// One round of a tool that requests input from the user.
#[derive(Clone, Copy, Debug, Default)]
pub struct InputRound<'a> {
    /// The client's responses to the input requests of the previous round.
    pub input_responses: Option<&'a RawValue>,
    /// The state from the upstream's previous result.
    pub request_state: Option<&'a str>,
    /// The capabilities of the client.
    pub client_capabilities: Option<&'a RawValue>,
}

/// The result of a call.
#[derive(Debug)]
pub struct Execution {
    /// Its output.
    pub output: Result<ToolOutput, Failure>,
    /// The upstream response, if there was one.
    pub response: Option<Arc<UpstreamResponse>>,
    /// Status, time and size of the upstream call.
    pub measurements: UpstreamMeasurements,
}

impl Execution {
    /// A call that was refused before it reached the upstream.
    pub fn refused(failure: Failure) -> Self {
        Self { output: Err(failure), response: None, measurements: UpstreamMeasurements::default() }
    }
}

impl Executor {
    /// An executor that connects only to addresses that `rule` allows.
    pub fn new(rule: EgressRule) -> Self {
        let resources = UpstreamResources {
            egress: EgressClient::new(rule),
            cache: ResponseCache::new(None),
            tokens: TokenCache::default(),
            permits: Permits::default(),
        };
        Self { resources }
    }

    /// Shares cached responses with the other nodes of the cluster.
    #[must_use]
    pub fn with_cluster(mut self, cluster: Option<Arc<ClusterState>>) -> Self {
        self.resources.cache = ResponseCache::new(cluster);
        self
    }

    /// The client that sends the requests, for other requests under the same rule.
    pub fn egress_client(&self) -> EgressClient {
        self.resources.egress.clone()
    }

    /// The statistics of the response cache.
    pub fn cache_stats(&self) -> CacheStats {
        self.resources.cache.stats()
    }

    /// Counts a call that is answered with the result of an earlier one whose response is still cached.
    pub fn count_cache_hit(&self) {
        self.resources.cache.count_hit();
    }

    /// Calls a tool.
    pub async fn call(&self, tool: &CompiledTool, input: CallInput<'_>, observer: &dyn StageObserver) -> Execution {
        observer.on_stage(CallStage::Checking);
        let span = call_trace::step(input.trace, "validate arguments");
        let valid = tool.validate_with(input.arguments, input.coerces_arguments);
        if let Err(failure) = &valid {
            span.fail(failure.reason.as_str());
        }
        drop(span);
        let execution = match valid {
            Ok(arguments) => self.call_upstream(tool, &arguments, input, observer).await,
            Err(failure) => Execution::refused(failure),
        };
        observer.on_stage(CallStage::Done);
        execution
    }

    async fn call_upstream(
        &self,
        tool: &CompiledTool,
        arguments: &ValidArguments,
        input: CallInput<'_>,
        observer: &dyn StageObserver,
    ) -> Execution {
        let upstream_call = upstream_call(tool, arguments, input);
        let call = ToolCall { tool, arguments, audience: input.audience };
        observer.on_stage(CallStage::Calling);
        match upstream_call.execute(&self.resources).await {
            (Ok(response), measurements) => {
                observer.on_stage(CallStage::Responded);
                let _span = call_trace::step(input.trace, "convert response");
                let response = tool.mask_response(arguments, response);
                Execution { output: output::from_response(call, &response), response: Some(response), measurements }
            }
            (Err(failure), measurements) => {
                let failure = output::with_note(call, call.with_advice(failure));
                Execution { output: Err(failure), response: None, measurements }
            }
        }
    }

    /// Fetches an API description with a GET request. The guard checks every redirect.
    pub async fn fetch_document(&self, url: &str, headers: &SecretHeaders) -> Result<UpstreamResponse, EgressError> {
        let uri = url.parse::<Uri>().map_err(|_| EgressError::BadAddress)?;
        let headers = secret_header_map(headers);
        let request = OutboundRequest { method: Method::GET, uri, headers, body: Bytes::new() };
        let deadline = Instant::now() + DOCUMENT_TIMEOUT;
        self.resources.egress.send_with_limits(&request, deadline, DOCUMENT_LIMITS).await
    }

    /// Fetches the content of a resource.
    pub async fn fetch(
        &self,
        fetch: &CompiledFetch,
        variables: &[(String, String)],
        trace: Option<CallTrace<'_>>,
    ) -> Result<Arc<UpstreamResponse>, Failure> {
        let (response, _) = fetch.upstream_call(variables, trace).execute(&self.resources).await;
        let response = fetch.redactor.mask_response(Vec::new(), response?);
        http_error::to_failure(&response).map_or(Ok(response), Err)
    }
}

/// Headers whose values are marked sensitive. A name or value that HTTP does not allow is left out.
fn secret_header_map(headers: &SecretHeaders) -> HeaderMap {
    let header = |(name, value): (&String, &SecretString)| {
        let mut value = HeaderValue::from_str(value.expose_secret()).ok()?;
        value.set_sensitive(true);
        Some((HeaderName::try_from(name.as_str()).ok()?, value))
    };
    headers.iter().filter_map(header).collect()
}

impl CompiledTool {
    /// The request of a call with every secret masked and without the contents of large files, for display only.
    pub fn masked_request(&self, arguments: &ValidArguments) -> Result<OutboundRequest, Failure> {
        if self.returns_mcp_result {
            return build_request(self, arguments, InputRound::default())(CredentialUse::Masked);
        }
        self.displayed_request(arguments)
    }
}

fn upstream_call<'a>(tool: &'a CompiledTool, arguments: &'a ValidArguments, input: CallInput<'a>) -> UpstreamCall<'a> {
    UpstreamCall {
        settings: &tool.settings,
        auth: &tool.auth,
        // An MCP result may be an input request to this client, or an error: it must not be shared with other callers.
        may_use_cache: input.may_use_cache && !tool.returns_mcp_result,
        trace: input.trace,
        build_request: build_request(tool, arguments, input.round),
    }
}

fn build_request<'a>(
    tool: &'a CompiledTool,
    arguments: &'a ValidArguments,
    round: InputRound<'_>,
) -> RequestBuilder<'a> {
    let mcp_body = tool.returns_mcp_result.then(|| mcp_body(arguments, round));
    Box::new(move |credential| match &mcp_body {
        Some(mcp_body) => tool.mcp_request(arguments, mcp_body.clone(), credential),
        None => tool.request(arguments, credential),
    })
}

/// The request body for an upstream that returns MCP results; absent members are omitted.
fn mcp_body(arguments: &ValidArguments, round: InputRound<'_>) -> Bytes {
    let arguments = arguments.as_json();
    let state = round.request_state.map(|state| serde_json::Value::from(state).to_string());
    let members = [
        ("arguments", Some(arguments.as_str())),
        ("inputResponses", round.input_responses.map(RawValue::get)),
        ("requestState", state.as_deref()),
        ("clientCapabilities", round.client_capabilities.map(RawValue::get)),
    ];
    write_object(members.into_iter().filter_map(|(name, text)| Some((name, text?)))).into()
}

#[cfg(test)]
mod tests;
