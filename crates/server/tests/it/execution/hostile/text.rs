//! Texts that are none: the caller gets valid JSON in any case, and the log of calls keeps what it can.

use serde_json::{Value, json};
use toolgate_testkit::app::AppBuilder;
use toolgate_testkit::hostile::text;
use toolgate_testkit::{Answer, Postgres, Upstream};

use crate::execution::setup::{Stage, failure, schema, service};

/// An upstream with each text at a path of its own.
fn upstream() -> Upstream {
    Upstream::builder()
        .route("/not_utf8", text::not_utf8())
        .route("/not_utf8_error", text::not_utf8_error())
        .route("/not_utf8_header", text::not_utf8_header())
        .route("/with_nul", text::with_nul())
        .route("/nul_error", text::nul_error())
        .otherwise(|_| Answer::text("well"))
        .start()
}

/// A stage that keeps what is said in its calls, with a tool for each of these paths.
async fn keeping(builder: AppBuilder, names: &[&str]) -> Stage {
    let fields = json!({"settings": {"capture": "all", "capture_max_bytes": 4096}});
    let stage = Stage::of(builder, upstream(), fields).await;
    for name in names {
        let input_schema = schema(json!({"a": {}}));
        stage.tool(json!({"name": name, "endpoint_url": format!("/{name}"), "input_schema": input_schema})).await;
    }
    stage
}

/// The one call of this reason, with what was said in it.
async fn kept(stage: &Stage, filter: &str) -> Value {
    let calls = stage.api.get(&format!("/calls?{filter}")).send().await.expect(200).json();
    assert_eq!(calls.as_array().map(Vec::len), Some(1), "{calls}");
    stage.api.get(&format!("/calls/{}", calls[0]["id"])).send().await.expect(200).json()
}

#[tokio::test]
async fn bytes_that_are_no_text_come_marked_as_base64() {
    let stage = keeping(service(), &["not_utf8", "not_utf8_error", "not_utf8_header"]).await;
    let caller = stage.caller();
    let marked = "data:application/json;base64,Y2Fm6SD//iDtoIAgwIA=";
    assert_eq!(caller.text("not_utf8", json!({})).await, marked);
    assert_eq!(caller.text("not_utf8_header", json!({})).await, "fine");
    let result = caller.call("not_utf8_error", json!({})).await;
    assert_eq!(failure(&result), "Upstream returned HTTP 500 Internal Server Error");
    assert_eq!(kept(&stage, "status=failed").await["reason"], "upstream_5xx");
}

/// NUL in arguments and answer, of a call that succeeds and of one that fails.
async fn assert_nul_breaks_nothing(builder: AppBuilder) {
    let stage = keeping(builder, &["with_nul", "nul_error"]).await;
    let (caller, arguments) = (stage.caller(), json!({"a": "x\0y"}));
    assert_eq!(caller.text("with_nul", arguments.clone()).await, text::WITH_NUL);
    let result = caller.call("nul_error", arguments).await;
    assert!(failure(&result).ends_with(text::WITH_NUL), "{result}");
    for filter in ["status=success", "status=failed"] {
        let call = kept(&stage, filter).await;
        let (said, answer) = (call["arguments"].as_str().unwrap(), call["response"].as_str().unwrap());
        assert!(said.contains("\\u0000") && answer.contains("before") && answer.ends_with("after"), "{call}");
    }
}

#[tokio::test]
async fn nul_breaks_nothing_on_sqlite() {
    assert_nul_breaks_nothing(service()).await;
}

#[tokio::test]
async fn nul_breaks_nothing_on_postgresql() {
    let Some(database) = Postgres::fresh_database() else { return };
    assert_nul_breaks_nothing(service().postgres(database.url())).await;
}
