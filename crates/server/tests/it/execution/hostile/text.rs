//! Invalid text: the caller always gets valid JSON, and the call log stores as much as possible.

use serde_json::{Value, json};
use toolgate_testkit::hostile::text;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{MockResponse, Postgres, ServiceFixture, Upstream};

use crate::execution::setup::{failure_message, schema};
use crate::toolgate;

/// An upstream with one path per text.
fn upstream() -> Upstream {
    Upstream::builder()
        .route("/not_utf8", text::not_utf8())
        .route("/not_utf8_error", text::not_utf8_error())
        .route("/not_utf8_header", text::not_utf8_header())
        .route("/with_nul", text::with_nul())
        .route("/nul_error", text::nul_error())
        .fallback(|_| MockResponse::text("well"))
        .start()
}

/// A fixture that captures arguments and responses, with one tool per path.
async fn capturing_fixture(builder: ServiceBuilder, names: &[&str]) -> ServiceFixture {
    let fields = json!({"settings": {"capture": "all", "capture_max_bytes": 4096}});
    let fixture = ServiceFixture::start(builder, upstream(), fields).await;
    for name in names {
        let input_schema = schema(json!({"a": {}}));
        fixture
            .create_tool(json!({"name": name, "endpoint_url": format!("/{name}"), "input_schema": input_schema}))
            .await;
    }
    fixture
}

/// The only call that matches the filter, with its captured texts.
async fn captured_call(fixture: &ServiceFixture, filter: &str) -> Value {
    let calls = fixture.api.get(&format!("/calls?{filter}")).send().await.expect(200).json();
    assert_eq!(calls.as_array().map(Vec::len), Some(1), "{calls}");
    fixture.api.get(&format!("/calls/{}", calls[0]["id"])).send().await.expect(200).json()
}

#[tokio::test]
async fn bytes_that_are_not_text_are_returned_as_base64() {
    let fixture = capturing_fixture(toolgate(), &["not_utf8", "not_utf8_error", "not_utf8_header"]).await;
    let caller = fixture.caller();
    let data_url = "data:application/json;base64,Y2Fm6SD//iDtoIAgwIA=";
    assert_eq!(caller.text("not_utf8", json!({})).await, data_url);
    assert_eq!(caller.text("not_utf8_header", json!({})).await, "fine");
    let result = caller.call("not_utf8_error", json!({})).await;
    assert_eq!(failure_message(&result), "Upstream returned HTTP 500 Internal Server Error");
    assert_eq!(captured_call(&fixture, "status=failed").await["reason"], "upstream_5xx");
}

/// Makes a call that succeeds and one that fails, both with NUL in arguments and response.
async fn assert_nul_is_returned_and_captured(builder: ServiceBuilder) {
    let fixture = capturing_fixture(builder, &["with_nul", "nul_error"]).await;
    let (caller, arguments) = (fixture.caller(), json!({"a": "x\0y"}));
    assert_eq!(caller.text("with_nul", arguments.clone()).await, text::WITH_NUL);
    let result = caller.call("nul_error", arguments).await;
    assert!(failure_message(&result).ends_with(text::WITH_NUL), "{result}");
    for filter in ["status=success", "status=failed"] {
        let call = captured_call(&fixture, filter).await;
        let (arguments_text, response) = (call["arguments"].as_str().unwrap(), call["response"].as_str().unwrap());
        assert!(
            arguments_text.contains("\\u0000") && response.contains("before") && response.ends_with("after"),
            "{call}"
        );
    }
}

#[tokio::test]
async fn nul_characters_are_returned_and_captured_on_sqlite() {
    assert_nul_is_returned_and_captured(toolgate()).await;
}

#[tokio::test]
async fn nul_characters_are_returned_and_captured_on_postgresql() {
    let Some(database) = Postgres::fresh_database() else { return };
    assert_nul_is_returned_and_captured(toolgate().postgres(database.url())).await;
}
