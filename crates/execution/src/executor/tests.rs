//! Tests of whole calls against an upstream on loopback: retries, caching, concurrency limits.

use std::time::Duration;

use toolgate_domain::call::FailureReason;
use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::ids::ResourceId;
use toolgate_domain::tool::ResponseType;
use toolgate_domain::upstream_auth::Credentials;
use toolgate_testkit::{MockResponse, ResponseGate, Upstream};

use super::*;
use crate::call_settings::CalledObject;
use crate::fetch;
use crate::tool::tests::TestTool;

fn executor() -> Executor {
    Executor::new("loopback".parse().unwrap())
}

async fn call(executor: &Executor, tool: &CompiledTool) -> Result<ToolOutput, Failure> {
    let input = CallInput { may_use_cache: true, ..CallInput::default() };
    executor.call(tool, input, &()).await.output
}

#[tokio::test]
async fn a_call_with_a_huge_retry_after_is_not_retried() {
    for after in ["18446744073709551615", "99999999999999999999", "9223372036854775807"] {
        let upstream = Upstream::with_handler(move |_| MockResponse::status(503).header("retry-after", after));
        let mut tool = TestTool::new("GET", &upstream.url("/"));
        tool.spec.retry_count = 1;
        let failure = call(&executor(), &tool.compile()).await.unwrap_err();
        assert_eq!((failure.reason, upstream.request_count()), (FailureReason::Upstream5xx, 1), "{after}");
        assert_eq!(failure.for_owner.message, "Upstream returned HTTP 503 Service Unavailable");
    }
}

/// An executor that allows one concurrent call of each tool.
fn single_call_executor() -> Executor {
    let mut executor = executor();
    executor.resources.permits = Permits::new(1, 10);
    executor
}

#[tokio::test(start_paused = true)]
async fn all_compiled_versions_of_a_tool_share_one_concurrency_limit() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let (executor, tool) = (single_call_executor(), TestTool::new("GET", &upstream.url("/")));
    let (previous, current) = (tool.compile(), tool.compile());
    let _permit = executor.resources.permits.acquire(CalledObject::Tool(previous.id)).await;
    for tool in [previous, current] {
        assert_eq!(call(&executor, &tool).await.unwrap_err().reason, FailureReason::Timeout);
    }
    assert_eq!(upstream.request_count(), 0);
}

#[tokio::test(start_paused = true)]
async fn fetched_resources_have_the_same_concurrency_limit() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let executor = single_call_executor();
    let fetch = fetch::tests::fetch(DataSourceType::Url, &format!(r#"{{"url":"{}"}}"#, upstream.url("/")));
    let _permit = executor.resources.permits.acquire(CalledObject::Resource(ResourceId(1))).await;
    assert_eq!(executor.fetch(&fetch, &[], None).await.unwrap_err().reason, FailureReason::Timeout);
    assert_eq!(upstream.request_count(), 0);
}

#[tokio::test]
async fn a_call_that_waits_for_a_retry_does_not_hold_a_permit() {
    let upstream = Upstream::builder()
        .route("/busy", MockResponse::status(503).header("retry-after", "20"))
        .route("/free", MockResponse::text("ok"))
        .start();
    let (executor, mut busy) = (single_call_executor(), TestTool::new("GET", &upstream.url("/busy")));
    busy.spec.retry_count = 1;
    let (busy, free) = (busy.compile(), TestTool::new("GET", &upstream.url("/free")).compile());
    let after_the_first_attempt = async {
        upstream.wait_for_requests(1).await;
        call(&executor, &free).await
    };
    tokio::select! {
        output = call(&executor, &busy) => panic!("the call did not wait for its retry: {output:?}"),
        output = after_the_first_attempt => assert!(output.is_ok(), "{output:?}"),
    }
}

#[tokio::test]
async fn the_future_of_a_call_is_small_enough_to_be_moved() {
    let (executor, tool) = (executor(), TestTool::new("GET", "https://api.example/").compile());
    let size = size_of_val(&executor.call(&tool, CallInput::default(), &()));
    assert!(size <= 4 * 1024, "the future has {size} bytes");
}

#[tokio::test]
async fn responses_are_cached_but_mcp_results_are_not() {
    for (response_type, request_count) in [(ResponseType::Text, 1), (ResponseType::Mcp, 2)] {
        let result = r#"{"resultType":"input_required","requestState":"s"}"#;
        let upstream = Upstream::with_handler(move |_| MockResponse::bytes("application/vnd.mcp.result+json", result));
        let (executor, mut tool) = (executor(), TestTool::new("POST", &upstream.url("/")));
        tool.spec.cache_ttl = Duration::from_mins(1);
        tool.spec.response_type = response_type;
        let tool = tool.compile();
        assert!(call(&executor, &tool).await.is_ok() && call(&executor, &tool).await.is_ok());
        assert_eq!(upstream.request_count(), request_count, "{response_type:?}");
    }
}

#[tokio::test]
async fn a_call_that_times_out_while_fetching_a_token_does_not_fail_the_others() {
    let gate = ResponseGate::new();
    let token = MockResponse::json(serde_json::json!({"access_token": "t0k"})).held_by(&gate);
    let upstream = Upstream::builder().route("/token", token).route("/", MockResponse::text("ok")).start();
    let tool = TestTool::new("GET", &upstream.url("/")).credentials(Credentials::OAuth2 {
        token_url: upstream.url("/token"),
        client_id: "c".to_owned(),
        client_secret: "s".into(),
        scope: None,
    });
    let (executor, mut short_timeout, default_timeout) = (executor(), tool.compile(), tool.compile());
    short_timeout.settings.timeout = Duration::from_millis(100);
    let first = async {
        assert_eq!(call(&executor, &short_timeout).await.unwrap_err().reason, FailureReason::Timeout);
        gate.open();
    };
    let ((), output) = tokio::join!(first, call(&executor, &default_timeout));
    assert!(output.is_ok(), "{output:?}");
}
