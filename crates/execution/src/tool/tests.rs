//! Tests of whole tools, from arguments to requests.

mod properties;
mod requests;

use std::time::Duration;

use serde_json::Value;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::ids::ServerId;
use toolgate_domain::parameters::ParameterMapping;
use toolgate_domain::time::Timestamp;
use toolgate_domain::upstream_auth::Credentials;

use super::*;

/// A builder for tools.
pub(crate) struct TestTool {
    pub(crate) spec: ToolSpec,
    pub(crate) secrets: Secrets,
}

impl TestTool {
    pub(crate) fn new(method: &str, endpoint_url: &str) -> Self {
        let mut spec = ToolSpec::new("get_user".to_owned(), EndpointUrl::parse("u", endpoint_url).unwrap());
        spec.http_method = HttpMethod::parse(method).unwrap();
        Self { spec, secrets: Secrets::default() }
    }

    pub(crate) fn schema(mut self, schema: &Value) -> Self {
        self.spec.input_schema = JsonObject::from_stored(schema.to_string());
        self
    }

    /// Declares arguments of any type.
    pub(crate) fn arguments(self, names: &[&str]) -> Self {
        let properties: serde_json::Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), Value::Bool(true))).collect();
        self.schema(&serde_json::json!({"type": "object", "properties": properties}))
    }

    pub(crate) fn mapping(mut self, mapping: &Value) -> Self {
        let object = JsonObject::from_stored(mapping.to_string());
        self.spec.parameter_mapping = ParameterMapping::parse("m", &object).unwrap();
        self
    }

    pub(crate) fn body_type(mut self, body_type: BodyType) -> Self {
        self.spec.body_type = body_type;
        self
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.spec.headers.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(crate) fn secret_header(mut self, name: &str, value: &str) -> Self {
        self.secrets.headers.insert(name.to_owned(), value.into());
        self.header(name, toolgate_domain::headers::MASK)
    }

    pub(crate) fn credentials(mut self, credentials: Credentials) -> Self {
        self.spec.auth_type = credentials.auth_type();
        self.secrets.credentials = Some(credentials);
        self
    }

    pub(crate) fn tool(&self) -> Tool {
        let created_at = Timestamp::parse("2026-01-02T03:04:05").unwrap();
        Tool {
            id: ToolId(7),
            server_id: ServerId(1),
            sort_order: 0,
            credential_id: None,
            credential: None,
            revision: 3,
            origin: None,
            created_at,
            updated_at: created_at,
            spec: self.spec.clone(),
        }
    }

    pub(crate) fn compile(&self) -> CompiledTool {
        CompiledTool::compile(&self.tool(), Ok(&self.secrets)).unwrap()
    }

    pub(crate) fn call(&self, arguments: &str) -> Result<OutboundRequest, Failure> {
        call(&self.compile(), arguments, CredentialUse::Stored)
    }

    /// Method, path with query, and body of the request.
    pub(crate) fn request_text(&self, arguments: &str) -> String {
        let request = self.call(arguments).unwrap_or_else(|failure| panic!("{arguments}: {failure:?}"));
        let body = body_text(&request);
        let target = request.uri.path_and_query().unwrap();
        format!("{} {target} {body}", request.method).trim_end().to_owned()
    }

    pub(crate) fn violation_text(&self, arguments: &str) -> String {
        let failure = self.call(arguments).expect_err("the arguments are refused");
        assert_eq!(failure.reason, FailureReason::BadArguments);
        assert_eq!(failure.violations.len(), 1);
        failure.violations[0].to_string()
    }
}

pub(super) fn call(
    tool: &CompiledTool,
    arguments: &str,
    credential: CredentialUse<'_>,
) -> Result<OutboundRequest, Failure> {
    tool.request(&tool.validate(Some(arguments))?, credential)
}

pub(super) fn body_text(request: &OutboundRequest) -> String {
    String::from_utf8(request.body.to_vec()).unwrap()
}

#[test]
fn the_settings_of_a_tool_are_compiled_once() {
    let mut source = TestTool::new("GET", "https://api.example/").schema(&serde_json::json!({
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}
    }));
    source.spec.cache_ttl = Duration::from_mins(5);
    source.spec.retry_count = 5;
    source.spec.response_type = ResponseType::Mcp;
    source.spec.output_schema = Some(JsonObject::from_stored(r#"{"type":"array"}"#.to_owned()));
    source.spec.required_client_capabilities = Some(JsonObject::from_stored(r#"{"sampling":{}}"#.to_owned()));
    let tool = source.compile();
    assert_eq!((tool.id, tool.settings.revision, tool.name.as_str()), (ToolId(7), 3, "get_user"));
    assert_eq!((tool.settings.timeout, tool.settings.cache_ttl), (Duration::from_secs(30), Duration::from_mins(5)));
    assert_eq!(tool.settings.retry_count, 5);
    assert!(tool.returns_mcp_result);
    assert!(tool.output_schema.as_ref().unwrap().validate(&serde_json::json!([])).is_ok());
    assert_eq!(tool.required_client_capabilities.as_ref().unwrap().as_str(), r#"{"sampling":{}}"#);
    assert_eq!(tool.mirrored_headers[0].name, "Region");
    for method in ["POST", "PATCH"] {
        source.spec.http_method = HttpMethod::parse(method).unwrap();
        assert_eq!(source.compile().settings.retry_count, 0, "{method} is not safe to repeat");
    }
}

#[test]
fn results_are_cacheable_only_without_secret_arguments() {
    let cached = |schema| {
        let mut source = TestTool::new("GET", "https://api.example/").schema(&schema);
        source.spec.cache_ttl = Duration::from_mins(5);
        source
    };
    let plain = serde_json::json!({"type": "object", "properties": {"pin": {"type": "string"}}});
    let secret = serde_json::json!({"type": "object", "properties": {"pin": {"type": "string", "writeOnly": true}}});
    assert!(cached(plain.clone()).compile().has_cacheable_results());
    assert!(!cached(secret).compile().has_cacheable_results());
    assert!(!TestTool::new("GET", "https://api.example/").schema(&plain).compile().has_cacheable_results());
    let mut mcp_result = cached(plain);
    mcp_result.spec.response_type = ResponseType::Mcp;
    assert!(!mcp_result.compile().has_cacheable_results());
}

#[test]
fn a_schema_that_does_not_compile_is_an_error_and_a_bad_annotation_is_not() {
    let mut tool =
        TestTool::new("GET", "https://api.example/").schema(&serde_json::json!({"$ref": "http://x.example/"}));
    assert!(CompiledTool::compile(&tool.tool(), Ok(&tool.secrets)).is_err());
    tool = tool.schema(&serde_json::json!({"properties": {"a": {"x-mcp-header": "A"}}}));
    assert_eq!(tool.compile().mirrored_headers, []);
    tool.spec.output_schema = Some(JsonObject::from_stored(r#"{"type":"no such"}"#.to_owned()));
    assert!(CompiledTool::compile(&tool.tool(), Ok(&tool.secrets)).is_err());
}

#[test]
fn a_tool_with_an_invalid_url_is_never_called() {
    for address in ["", "ftp://a.example/", "https://u:p@a.example/", "https://{host}/", "https://"] {
        let mut tool = TestTool::new("GET", "https://api.example/");
        tool.spec.endpoint_url = EndpointUrl::from_stored(address.to_owned());
        assert_eq!(tool.call("{}").unwrap_err().reason, FailureReason::Internal, "{address}");
    }
}
