//! One call from its arguments to its output, read from top to bottom. Each step takes what the step before it made,
//! so none can be left out: arguments, valid arguments, request, answer, output.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use toolgate_domain::json::JsonObject;

use crate::Failure;
use crate::cache::ResponseCache;
use crate::commons::Commons;
use crate::egress::{EgressClient, EgressRule, OutboundRequest, UpstreamResponse};
use crate::errand::{Build, Errand, Trace};
use crate::fetch::CompiledFetch;
use crate::output::{self, ToolOutput};
use crate::permits::Permits;
use crate::stages::{Stage, Stages};
use crate::tokens::Tokens;
use crate::tool::{CompiledTool, Injected, ValidArguments};

/// Makes calls. One for the whole service: it holds the connections, the kept answers and the tokens,
/// and counts what is under way.
pub struct Executor {
    pub(crate) egress: EgressClient,
    pub(crate) cache: ResponseCache,
    pub(crate) tokens: Tokens,
    pub(crate) permits: Permits,
}

/// What a client sends along.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallInput<'a> {
    /// The arguments, as JSON; none is `{}`.
    pub arguments: Option<&'a str>,
    /// Beyond the arguments, for a tool whose upstream speaks MCP.
    pub round: Round<'a>,
    /// Whether a kept answer will do.
    pub may_be_cached: bool,
}

/// One round of a tool that asks back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Round<'a> {
    /// What the client answers to earlier questions.
    pub input_responses: Option<&'a RawValue>,
    /// What the upstream wanted to have back.
    pub request_state: Option<&'a str>,
    /// What the client can do.
    pub client_capabilities: Option<&'a RawValue>,
}

/// What became of a call.
#[derive(Debug)]
pub struct Execution {
    /// Its output.
    pub output: Result<ToolOutput, Failure>,
    /// What the upstream answered, where it did.
    pub response: Option<Arc<UpstreamResponse>>,
    /// What it took.
    pub trace: Trace,
}

impl Execution {
    /// A call that was not even tried.
    pub fn refused(failure: Failure) -> Self {
        Self { output: Err(failure), response: None, trace: Trace::default() }
    }
}

impl Executor {
    /// An executor that reaches what `rule` allows.
    pub fn new(rule: EgressRule) -> Self {
        Self {
            egress: EgressClient::new(rule),
            cache: ResponseCache::new(),
            tokens: Tokens::new(),
            permits: Permits::default(),
        }
    }

    /// The same, with answers that other nodes fetched.
    #[must_use]
    pub fn within(self, commons: Option<Arc<Commons>>) -> Self {
        Self { cache: ResponseCache::within(commons), ..self }
    }

    /// Calls a tool.
    pub async fn call(&self, tool: &CompiledTool, input: CallInput<'_>, stages: &dyn Stages) -> Execution {
        let mut execution = Execution::refused(Failure::unfinished());
        execution.output = self.run(tool, input, stages, &mut execution).await;
        stages.reached(Stage::Done);
        execution
    }

    async fn run(
        &self,
        tool: &CompiledTool,
        input: CallInput<'_>,
        stages: &dyn Stages,
        execution: &mut Execution,
    ) -> Result<ToolOutput, Failure> {
        stages.reached(Stage::Accepted);
        let arguments = tool.validate(input.arguments)?;
        let errand = errand(tool, &arguments, input);
        stages.reached(Stage::Calling);
        let response = self.perform(&errand, &mut execution.trace).await?;
        stages.reached(Stage::Answered);
        let output = output::of(tool, &response);
        execution.response = Some(response);
        output
    }

    /// Reads what a resource is made of.
    pub async fn fetch(
        &self,
        fetch: &CompiledFetch,
        variables: &[(String, String)],
    ) -> Result<Arc<UpstreamResponse>, Failure> {
        let response = self.perform(&fetch.errand(variables), &mut Trace::default()).await?;
        crate::content::failure(&response).map_or(Ok(response), Err)
    }
}

impl CompiledTool {
    /// The request of a call with these arguments, every secret masked: for showing it, not for sending it.
    pub fn masked_request(&self, arguments: &ValidArguments) -> Result<OutboundRequest, Failure> {
        build(self, arguments, Round::default())(Injected::Masked)
    }
}

fn errand<'a>(tool: &'a CompiledTool, arguments: &'a ValidArguments, input: CallInput<'a>) -> Errand<'a> {
    // A result of an upstream that speaks MCP may be a question to this client, or one that says it failed: nobody
    // else gets it.
    let may_be_shared = input.may_be_cached && !tool.returns_mcp_result;
    Errand {
        scope: (b't', tool.id.0, tool.revision),
        auth: tool.auth(),
        timeout: tool.timeout,
        cache_ttl: if may_be_shared { tool.cache_ttl } else { Duration::ZERO },
        retry_count: tool.retry_count,
        build: build(tool, arguments, input.round),
    }
}

fn build<'a>(tool: &'a CompiledTool, arguments: &'a ValidArguments, round: Round<'_>) -> Build<'a> {
    let body = tool.returns_mcp_result.then(|| body(arguments, round));
    Box::new(move |injected| match &body {
        Some(body) => tool.mcp_request(arguments, body.clone(), injected),
        None => tool.request(arguments, injected),
    })
}

/// What an upstream that speaks MCP gets; absent members are left out.
fn body(arguments: &ValidArguments, round: Round<'_>) -> String {
    let mut members = toolgate_domain::json::Members::new();
    let mut add = |key: &str, text: String| members.insert(key.to_owned(), toolgate_domain::json::raw(text));
    add("arguments", arguments.as_json());
    if let Some(responses) = round.input_responses {
        add("inputResponses", responses.get().to_owned());
    }
    if let Some(state) = round.request_state {
        add("requestState", serde_json::Value::from(state).to_string());
    }
    if let Some(capabilities) = round.client_capabilities {
        add("clientCapabilities", capabilities.get().to_owned());
    }
    JsonObject::from_members(&members).as_str().to_owned()
}

#[cfg(test)]
mod tests;
