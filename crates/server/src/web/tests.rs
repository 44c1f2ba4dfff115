//! Tests of the request context with handlers that panic or read slow bodies.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, to_bytes};
use axum::response::Response;
use axum::routing::post;
use http::{Request, StatusCode};
use hyper::body::Frame;
use serde_json::Value;

use super::app::{route, with_request_context};
use super::*;

/// A body that never yields data.
struct SilentBody;

impl hyper::body::Body for SilentBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Poll::Pending
    }
}

async fn panicking_handler() -> Response {
    panic!("a bug")
}

async fn reading_handler(body: Body) -> (StatusCode, &'static str) {
    match to_bytes(body, usize::MAX).await {
        Ok(_) => (StatusCode::OK, "read"),
        Err(_) => (StatusCode::BAD_REQUEST, "unreadable"),
    }
}

async fn send(path: &str, body: Body) -> Response {
    let routes = Router::new().route("/panics", post(panicking_handler)).route("/reads", post(reading_handler));
    let request = Request::post(path).body(body).unwrap();
    with_request_context(&RequestIds::new().unwrap(), request, async |request| route(routes, request).await).await
}

async fn parse_error(response: Response) -> (u16, Value) {
    assert!(response.headers().contains_key("x-request-id"));
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["data"]["status"], status);
    (status, body["code"].clone())
}

#[tokio::test]
async fn a_panic_becomes_a_500_response() {
    let response = send("/panics", Body::empty()).await;
    assert_eq!(parse_error(response).await, (500, "internal_error".into()));
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_arrive_times_out() {
    let response = send("/reads", Body::new(SilentBody)).await;
    assert_eq!(response.headers()["connection"], "close");
    assert_eq!(parse_error(response).await, (408, "request_timeout".into()));
}

#[tokio::test]
async fn a_body_that_arrives_is_read() {
    let response = send("/reads", Body::from("hello")).await;
    assert_eq!(response.status(), 200);
}
