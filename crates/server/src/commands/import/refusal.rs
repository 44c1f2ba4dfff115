//! Converts error replies of the service into error texts for the command line.

use anyhow::anyhow;
use http::StatusCode;
use serde_json::Value;

use super::service_client::{ServiceClient, ServiceReply};

/// The body of a successful reply, else an error with advice.
pub(super) fn import_result(reply: ServiceReply, server: i64, client: &ServiceClient) -> anyhow::Result<Value> {
    if reply.status.is_success() {
        let is_import_result = ["created", "failed"].iter().all(|key| reply.body.get(key).is_some_and(Value::is_array));
        return if is_import_result { Ok(reply.body) } else { Err(client.no_management_api_error()) };
    }
    let text = |key: &str| reply.body.get(key).and_then(Value::as_str).unwrap_or_default();
    let (code, message) = (text("code"), text("message"));
    Err(match reply.status {
        _ if code.is_empty() => client.no_management_api_error(),
        StatusCode::UNAUTHORIZED => anyhow!("the service refuses the key (401): {message} Check TOOLGATE_API_KEY."),
        StatusCode::FORBIDDEN => anyhow!("the key may not import into server {server} (403): {message}"),
        StatusCode::NOT_FOUND if code == "rest_server_invalid_id" => {
            anyhow!("the service has no server {server}, or your user may not see it (404); see GET /servers")
        }
        StatusCode::NOT_FOUND => client.no_management_api_error(),
        status => {
            anyhow!("the service refuses the import ({}, {code}): {}", status.as_u16(), details(&reply.body, message))
        }
    })
}

/// The error messages of the fields, or the message of the reply if there are none.
fn details(body: &Value, message: &str) -> String {
    let params = body.pointer("/data/params").and_then(Value::as_object);
    let messages: Vec<&str> = params.into_iter().flat_map(|params| params.values()).filter_map(Value::as_str).collect();
    if messages.is_empty() { message.to_owned() } else { messages.join(" ") }
}
