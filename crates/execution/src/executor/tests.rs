//! Whole calls, against an upstream on loopback: what is repeated, kept and shared, and what is not.

use toolgate_domain::call::FailureReason;
use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::upstream_auth::Credentials;
use toolgate_testkit::{Answer, Gate, Upstream};

use super::*;
use crate::fetch;
use crate::tool::tests::Sketch;

fn executor() -> Executor {
    Executor::new("loopback".parse().unwrap())
}

async fn call(executor: &Executor, tool: &CompiledTool) -> Result<ToolOutput, Failure> {
    let input = CallInput { may_be_cached: true, ..CallInput::default() };
    executor.call(tool, input, &()).await.output
}

#[tokio::test]
async fn an_upstream_that_asks_for_endless_patience_is_not_asked_again() {
    for after in ["18446744073709551615", "99999999999999999999", "9223372036854775807"] {
        let upstream = Upstream::answering(move |_| Answer::status(503).header("retry-after", after));
        let mut sketch = Sketch::new("GET", &upstream.url("/"));
        sketch.spec.retry_count = 1;
        let failure = call(&executor(), &sketch.compile()).await.unwrap_err();
        assert_eq!((failure.reason, upstream.hits()), (FailureReason::Upstream5xx, 1), "{after}");
        assert_eq!(failure.message, "Upstream returned HTTP 503 Service Unavailable");
    }
}

/// An executor that has one call of each tool under way at most.
fn one_at_a_time() -> Executor {
    Executor { permits: Permits::new(1, 10), ..executor() }
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_a_tool_outlives_its_compiled_forms() {
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let (executor, sketch) = (one_at_a_time(), Sketch::new("GET", &upstream.url("/")));
    let (before, after) = (sketch.compile(), sketch.compile());
    let _under_way = executor.permits.acquire((b't', before.id.0)).await;
    for tool in [before, after] {
        assert_eq!(call(&executor, &tool).await.unwrap_err().reason, FailureReason::Timeout);
    }
    assert_eq!(upstream.hits(), 0);
}

#[tokio::test(start_paused = true)]
async fn resources_that_lie_elsewhere_have_the_same_limit() {
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let executor = one_at_a_time();
    let fetch = fetch::tests::fetch(DataSourceType::Url, &format!(r#"{{"url":"{}"}}"#, upstream.url("/")));
    let _under_way = executor.permits.acquire((b'r', 1)).await;
    assert_eq!(executor.fetch(&fetch, &[]).await.unwrap_err().reason, FailureReason::Timeout);
    assert_eq!(upstream.hits(), 0);
}

#[tokio::test]
async fn a_call_that_waits_to_try_again_lets_others_pass() {
    let upstream = Upstream::builder()
        .route("/busy", Answer::status(503).header("retry-after", "20"))
        .route("/free", Answer::text("ok"))
        .start();
    let (executor, mut busy) = (one_at_a_time(), Sketch::new("GET", &upstream.url("/busy")));
    busy.spec.retry_count = 1;
    let (busy, free) = (busy.compile(), Sketch::new("GET", &upstream.url("/free")).compile());
    let after_the_first_try = async {
        upstream.wait_for_requests(1).await;
        call(&executor, &free).await
    };
    tokio::select! {
        output = call(&executor, &busy) => panic!("there is time for another try: {output:?}"),
        output = after_the_first_try => assert!(output.is_ok(), "{output:?}"),
    }
}

#[tokio::test]
async fn the_future_of_a_call_is_small_enough_to_be_moved_around() {
    let (executor, tool) = (executor(), Sketch::new("GET", "https://api.example/").compile());
    let size = size_of_val(&executor.call(&tool, CallInput::default(), &()));
    assert!(size <= 4 * 1024, "{size} bytes");
}

#[tokio::test]
async fn answers_are_kept_but_results_of_an_upstream_that_speaks_mcp_are_not() {
    for (response_type, hits) in [("text", 1), ("mcp", 2)] {
        let result = r#"{"resultType":"input_required","requestState":"s"}"#;
        let upstream = Upstream::answering(move |_| Answer::bytes("application/vnd.mcp.result+json", result));
        let (executor, mut sketch) = (executor(), Sketch::new("POST", &upstream.url("/")));
        sketch.spec.cache_ttl = 60;
        response_type.clone_into(&mut sketch.spec.response_type);
        let tool = sketch.compile();
        assert!(call(&executor, &tool).await.is_ok() && call(&executor, &tool).await.is_ok());
        assert_eq!(upstream.hits(), hits, "{response_type}");
    }
}

#[tokio::test]
async fn a_call_without_time_for_a_token_does_not_fail_those_that_have_it() {
    let gate = Gate::new();
    let token = Answer::json(serde_json::json!({"access_token": "t0k"})).held_by(&gate);
    let upstream = Upstream::builder().route("/token", token).route("/", Answer::text("ok")).start();
    let sketch = Sketch::new("GET", &upstream.url("/")).credentials(Credentials::OAuth2 {
        token_url: upstream.url("/token"),
        client_id: "c".to_owned(),
        client_secret: "s".into(),
        scope: None,
    });
    let (executor, mut hasty, patient) = (executor(), sketch.compile(), sketch.compile());
    hasty.timeout = Duration::from_millis(100);
    let leads = async {
        assert_eq!(call(&executor, &hasty).await.unwrap_err().reason, FailureReason::Timeout);
        gate.open();
    };
    let ((), output) = tokio::join!(leads, call(&executor, &patient));
    assert!(output.is_ok(), "{output:?}");
}
