//! Whole calls, against an upstream on loopback: what is repeated, kept and shared, and what is not.

use domain::call::FailureReason;
use testkit::{Answer, Upstream};

use super::*;
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
