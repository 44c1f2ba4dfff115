//! `POST /tools/{id}/test`: a tool called as its clients would call it, for its owner to see. It works on paused
//! tools and drafts, uses no kept answer, and counts in no limit and no report.

use toolgate_domain::call::FailureReason;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::json::JsonObject;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::Tool;
use toolgate_domain::upstream_auth::{AuthType, Credentials};
use toolgate_execution::tool::{CompiledTool, CredentialUnavailable};
use toolgate_execution::{CallInput, Failure};
use toolgate_storage::StorageError;

use super::one;
use crate::call::Call;
use crate::error::RestError;
use crate::params::Arg;
use crate::reply::Reply;
use crate::route::{ReplyDoc, Route, handler};
use crate::wire::TestOut;

pub(super) fn route() -> Route {
    let arguments = Arg::object("arguments", "Arguments, as in tools/call.");
    let debug = Arg::boolean("debug", "Also show the request as it was sent, with secrets masked, and the raw answer.");
    Route::create(
        "/tools/{id}/test",
        "testTool",
        "Execute a tool against its upstream with the given arguments, using the server's test credentials when configured.",
        handler!(test),
    )
    .args(vec![arguments, debug])
    .reply(reply_doc())
}

/// The details are there only where they were asked for, an explanation only where something failed.
fn reply_doc() -> ReplyDoc {
    let mut doc = one::<TestOut>(200);
    doc.schema["required"] = TestOut::ALWAYS.into();
    doc.schema["properties"]["reason"]["enum"] = FailureReason::NAMES.into();
    doc
}

async fn test(call: Call) -> Result<Reply, RestError> {
    let tool = call.storage().tool(call.visibility(), call.tool_id()).await?;
    let secrets = secrets(&call, &tool).await?;
    let compiled = tokio::task::block_in_place(|| {
        CompiledTool::compile(&tool, secrets.as_ref().map_err(|CredentialUnavailable| CredentialUnavailable))
    });
    let compiled = compiled.map_err(|error| Fault::value("input_schema", format!("input_schema: {error}.")))?;
    let arguments = call.args.object("arguments").map(JsonObject::as_str);
    let input = CallInput { arguments, ..CallInput::default() };
    let began = tokio::time::Instant::now();
    let execution = call.context.executor.call(&compiled, input, &()).await;
    if let Err(failure) = &execution.output
        && failure.reason == FailureReason::BadArguments
    {
        return Err(bad_arguments(failure));
    }
    let out = TestOut::new(&execution, began.elapsed());
    if !call.args.flag("debug") {
        return Reply::ok(&out);
    }
    let valid = compiled.validate(arguments).map_err(|failure| bad_arguments(&failure))?;
    Reply::ok(&out.with_details(&compiled, &valid, &execution))
}

/// What the tool authenticates with. The server's test credentials take the place of the tool's own only where they are
/// of its kind: one secret must not go to unrelated upstreams. Where they cannot be read, nobody knows their kind, and the
/// tool's own are no substitute: they were set aside so that a test does not use those.
async fn secrets(call: &Call, tool: &Tool) -> Result<Result<Secrets, CredentialUnavailable>, RestError> {
    let own = match call.storage().tool_secrets(tool.id).await {
        Err(StorageError::Sealing(_)) => return Ok(Err(CredentialUnavailable)),
        read => read?,
    };
    let test = match call.storage().test_credentials(tool.server_id).await {
        Err(StorageError::Sealing(_)) if tool.spec.auth_type == AuthType::None => None,
        Err(StorageError::Sealing(_)) => return Ok(Err(CredentialUnavailable)),
        read => read?,
    };
    let test = test.filter(|test: &Credentials| test.auth_type() == tool.spec.auth_type);
    Ok(Ok(Secrets { credentials: test.or(own.credentials), headers: own.headers }))
}

/// Arguments that do not fit the schema, or that fit and still cannot be sent: nothing was.
fn bad_arguments(failure: &Failure) -> RestError {
    let mut faults = Faults::default();
    for violation in &failure.violations {
        let field = match violation.argument.as_str() {
            "" => "arguments".to_owned(),
            name => format!("arguments[{name}]"),
        };
        faults.push(Fault::value(field.clone(), format!("{field}: {}", violation.message)));
    }
    if failure.violations.is_empty() {
        faults.push(Fault::value("arguments", failure.message.clone()));
    }
    RestError::invalid_arguments(&faults)
}
