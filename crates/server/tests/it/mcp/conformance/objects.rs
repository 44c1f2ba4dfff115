//! The tools, prompts and resources that the suite expects, as requests to the management API.

use serde_json::{Value, json};
use toolgate_testkit::Upstream;

use super::upstream::PNG_BASE64;

/// The tools. A scenario that needs an arbitrary tool calls the first one, without arguments.
pub(super) fn tools(upstream: &Upstream) -> Vec<Value> {
    let mut tools = vec![plain_tool(upstream, "test_simple_text", "/text")];
    tools.extend(
        [
            ("test_image_content", "/png"),
            ("test_audio_content", "/wav"),
            ("test_error_handling", "/fail"),
            ("test_tool_with_progress", "/text"),
            ("test_tool_with_logging", "/text"),
            ("test_logging_tool", "/text"),
        ]
        .map(|(name, path)| plain_tool(upstream, name, path)),
    );
    tools.extend(
        [
            ("test_embedded_resource", "/mcp/embedded_resource"),
            ("test_multiple_content_types", "/mcp/mixed_content"),
            ("test_streaming_elicitation", "/mcp/elicitation"),
            ("test_input_required_result_elicitation", "/mcp/elicitation"),
            ("test_input_required_result_sampling", "/mcp/sampling"),
            ("test_input_required_result_list_roots", "/mcp/list_roots"),
            ("test_input_required_result_request_state", "/mcp/request_state"),
            ("test_input_required_result_tampered_state", "/mcp/request_state"),
            ("test_input_required_result_multiple_inputs", "/mcp/multiple_inputs"),
            ("test_input_required_result_multi_round", "/mcp/multi_round"),
            ("test_input_required_result_capabilities", "/mcp/capabilities"),
        ]
        .map(|(name, path)| mcp_result_tool(upstream, name, path)),
    );
    tools.push(with_field(
        plain_tool(upstream, "test_missing_capability", "/text"),
        "required_client_capabilities",
        json!({"sampling": {}}),
    ));
    tools.push(with_field(plain_tool(upstream, "test_custom_header", "/text"), "input_schema", mirrored_schema()));
    tools.push(with_field(plain_tool(upstream, "json_schema_2020_12_tool", "/text"), "input_schema", schema_2020_12()));
    tools
}

/// A tool that a scenario hides and shows.
pub(super) fn spare_tool() -> Value {
    json!({"name": "test_spare", "description": "Is hidden and shown", "endpoint_url": "https://api.example.com/spare"})
}

/// A tool that posts to Toolgate's own management API.
pub(super) fn management_tool(name: &str, url: &str, key: &str) -> Value {
    json!({"name": name, "description": "Changes a list", "endpoint_url": url, "http_method": "POST",
        "auth_type": "bearer", "auth_credentials": {"token": key}})
}

/// A management tool that creates a prompt from the defaults of its arguments.
pub(super) fn prompt_creation_tool(name: &str, url: &str, key: &str) -> Value {
    let text = |default: &str| json!({"type": "string", "default": default});
    let schema = json!({"type": "object", "properties": {"name": text("test_added_prompt"),
        "description": text("Was added"), "template_content": text("Added.")}});
    with_field(management_tool(name, url, key), "input_schema", schema)
}

pub(super) fn prompts() -> Vec<Value> {
    let required = |name: &str| json!({"name": name, "description": "For testing", "required": true});
    let text = |text: &str| json!({"role": "user", "content": {"type": "text", "text": text}});
    let resource = json!({"uri": "{{resourceUri}}", "mimeType": "text/plain",
        "text": "Embedded resource content for testing."});
    let embedded = json!({"role": "user", "content": {"type": "resource", "resource": resource}});
    let image = json!({"role": "user", "content": {"type": "image", "data": PNG_BASE64, "mimeType": "image/png"}});
    vec![
        json!({"name": "test_simple_prompt", "description": "Without arguments",
            "template_content": "This is a simple prompt for testing."}),
        json!({"name": "test_prompt_with_arguments", "description": "With two arguments",
            "arguments": [required("arg1"), required("arg2")],
            "template_content": "Prompt with arguments: arg1='{{arg1}}', arg2='{{arg2}}'"}),
        json!({"name": "test_prompt_with_embedded_resource", "description": "With a resource",
            "arguments": [required("resourceUri")],
            "messages": [embedded, text("Please process the embedded resource above.")]}),
        json!({"name": "test_prompt_with_image", "description": "With an image",
            "messages": [image, text("Please analyze the image above.")]}),
    ]
}

/// The resources. A scenario that needs an arbitrary resource reads the first one.
pub(super) fn resources(upstream: &Upstream) -> Vec<Value> {
    let url_config = |path: &str| json!({"url": upstream.url(path)});
    vec![
        json!({"uri": "test://static-text", "name": "Text", "description": "Static text",
            "data_source_config": {"content": "This is the content of the static text resource."}}),
        json!({"uri": "test://static-binary", "name": "Binary", "description": "A picture", "mime_type": "image/png",
            "data_source_type": "url", "data_source_config": url_config("/png")}),
        json!({"uri": "test://watched-resource", "name": "Watched", "description": "To subscribe to",
            "data_source_config": {"content": "Watched."}}),
        json!({"uri": "test://template", "name": "Template", "description": "By id", "mime_type": "application/json",
            "template_uri": "test://template/{id}/data", "data_source_type": "url",
            "data_source_config": url_config("/template/{id}")}),
    ]
}

fn plain_tool(upstream: &Upstream, name: &str, path: &str) -> Value {
    json!({"name": name, "description": "For testing", "endpoint_url": upstream.url(path)})
}

/// A tool whose upstream returns a complete MCP result.
fn mcp_result_tool(upstream: &Upstream, name: &str, path: &str) -> Value {
    json!({"name": name, "description": "For testing", "endpoint_url": upstream.url(path), "http_method": "POST",
        "response_type": "mcp"})
}

fn with_field(mut fields: Value, name: &str, value: Value) -> Value {
    fields[name] = value;
    fields
}

/// A schema whose argument clients repeat in the header `Mcp-Param-Region`.
fn mirrored_schema() -> Value {
    json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}})
}

/// A schema with the keywords that the suite looks for in `tools/list`.
fn schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"$anchor": "addressDef", "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
    })
}
