//! `POST /tools/{id}/test`: calls a tool as its clients would, and shows the result to its owner. It works on paused
//! tools and on tools of paused or draft servers, bypasses the response cache, and is not counted in rate limits and
//! reports.

use toolgate_domain::call::FailureReason;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::ids::ToolId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::member::ServerRole;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::settings;
use toolgate_domain::tool::Tool;
use toolgate_domain::upstream_auth::{AuthType, Credentials};
use toolgate_execution::tool::{CompiledTool, CredentialUnavailable};
use toolgate_execution::{CallInput, Execution, Failure, ShapedOutput, ToolOutput, ToolShaping};
use toolgate_shaping::ShapedText;
use toolgate_storage::StorageError;

use super::object_doc;
use super::required_role::require_role;
use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::test_result::{FailureTextOut, RawResponseOut, SentRequestOut, ShapedTokensOut, TestResultOut};

pub(super) fn route() -> Route {
    Operation::new(
        "testTool",
        "Execute a tool against its upstream with the given arguments, using the server's test credentials when configured.",
    )
    .create("/tools/{id}/test", test)
    .reply(
        object_doc::<TestResultOut>(200)
            .part_type::<FailureTextOut>()
            .part_type::<ShapedTokensOut>()
            .part_type::<SentRequestOut>()
            .part_type::<RawResponseOut>(),
    )
}

arguments! {
    struct TestArgs {
        arguments: Option<JsonObject> = arg::object("Arguments, as in tools/call."),
        debug: bool = arg::boolean("Also return the request as sent, with secrets masked, and the raw response."),
    }
}

async fn test(request: ApiRequest, args: TestArgs) -> Result<ApiReply, RestError> {
    let tool = request.storage().tool(request.visibility(), request.id(ToolId)).await?;
    require_role(&request, tool.server_id, ServerRole::Editor).await?;
    let secrets = test_secrets(&request, &tool).await?;
    let compiled = tokio::task::block_in_place(|| {
        CompiledTool::compile(&tool, secrets.as_ref().map_err(|CredentialUnavailable| CredentialUnavailable))
    });
    let compiled = compiled.map_err(|error| Fault::invalid_value("input_schema", format!("input_schema: {error}.")))?;
    let arguments = args.arguments.as_ref().map(JsonObject::as_str);
    let server = request.storage().server(request.visibility(), tool.server_id).await?;
    let coerces_arguments = settings::coerces_arguments(server.spec.settings.as_ref());
    let input = CallInput { arguments, coerces_arguments, ..CallInput::default() };
    let started = tokio::time::Instant::now();
    let mut execution = request.context.services.executor.call(&compiled, input, &()).await;
    if let Err(failure) = &execution.output
        && failure.reason == FailureReason::BadArguments
    {
        return Err(bad_arguments(failure));
    }
    let shaped = shape(&tool, server.spec.settings.as_ref(), &mut execution);
    let out = TestResultOut::new(&execution, started.elapsed());
    let out = match &shaped {
        Some((shaped, overflow_minutes)) => out.with_tokens(shaped, *overflow_minutes),
        None => out,
    };
    if !args.debug {
        return ApiReply::ok(&out);
    }
    let valid_arguments =
        compiled.validate_with(arguments, coerces_arguments).map_err(|failure| bad_arguments(&failure))?;
    ApiReply::ok(&out.with_details(&compiled, &valid_arguments, &execution))
}

/// Shapes the output as for a client. Also returns for how many minutes the whole response of a call is stored for
/// reading on. The response of a test is not stored, because `debug` returns it.
fn shape(tool: &Tool, settings: Option<&JsonObject>, execution: &mut Execution) -> Option<(ShapedText, u32)> {
    let default = settings::default_shaping(settings);
    let shaping = ToolShaping::compile(tool, default.as_ref())?;
    let (Ok(output), Some(response)) = (&execution.output, &execution.response) else { return None };
    let shaped = tokio::task::block_in_place(|| shaping.apply(output, response, None));
    let ShapedOutput { mut output, shaped } = shaped?;
    if let ToolOutput::Content { further, .. } = &mut output {
        further.extend(shaping.note(&shaped, None, None));
    }
    execution.output = Ok(output);
    Some((shaped, shaping.rules.overflow_minutes))
}

/// The secrets of the test. The server's test credentials replace the tool's credentials only if both have the same
/// `auth_type`: a tool without credentials, or with another kind, must not send them. If the test credentials cannot be
/// decrypted, the test fails: it must not fall back to the tool's credentials, which the owner has replaced for tests.
async fn test_secrets(request: &ApiRequest, tool: &Tool) -> Result<Result<Secrets, CredentialUnavailable>, RestError> {
    let tool_secrets = match request.storage().tool_secrets(tool.id).await {
        Err(StorageError::Sealing(_)) => return Ok(Err(CredentialUnavailable)),
        result => result?,
    };
    let test_credentials = match request.storage().test_credentials(tool.server_id).await {
        Err(StorageError::Sealing(_)) if tool.spec.auth_type == AuthType::None => None,
        Err(StorageError::Sealing(_)) => return Ok(Err(CredentialUnavailable)),
        result => result?,
    };
    let test_credentials =
        test_credentials.filter(|credentials: &Credentials| credentials.auth_type() == tool.spec.auth_type);
    if let (Some(test), Some(stored)) = (&test_credentials, &tool_secrets.credentials)
        && test.path_key_names() != stored.path_key_names()
    {
        // The URL has a placeholder for a key that the test credentials do not have, or the other way round.
        return Ok(Err(CredentialUnavailable));
    }
    Ok(Ok(Secrets { credentials: test_credentials.or(tool_secrets.credentials), headers: tool_secrets.headers }))
}

/// The error for arguments that violate the schema or cannot be encoded. Nothing was sent upstream.
fn bad_arguments(failure: &Failure) -> RestError {
    let mut faults = Faults::default();
    for violation in &failure.violations {
        let field = match violation.argument.as_str() {
            "" => "arguments".to_owned(),
            name => format!("arguments[{name}]"),
        };
        faults.push(Fault::invalid_value(field.clone(), format!("{field}: {}", violation.message)));
    }
    if failure.violations.is_empty() {
        faults.push(Fault::invalid_value("arguments", failure.for_owner.message.clone()));
    }
    RestError::invalid_arguments(&faults)
}
