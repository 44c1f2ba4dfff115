//! What every request passes, around handlers that misbehave.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, to_bytes};
use axum::response::Response;
use axum::routing::post;
use http::{Request, StatusCode};
use hyper::body::Frame;
use serde_json::Value;

use super::front::{around, by_route};
use super::*;

/// A body of which nothing ever comes.
struct Silence;

impl hyper::body::Body for Silence {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Poll::Pending
    }
}

async fn panics() -> Response {
    panic!("a bug")
}

async fn reads(body: Body) -> (StatusCode, &'static str) {
    match to_bytes(body, usize::MAX).await {
        Ok(_) => (StatusCode::OK, "read"),
        Err(_) => (StatusCode::BAD_REQUEST, "unreadable"),
    }
}

async fn answer(path: &str, body: Body) -> Response {
    let routes = Router::new().route("/panics", post(panics)).route("/reads", post(reads));
    let request = Request::post(path).body(body).unwrap();
    around(&RequestIds::new().unwrap(), request, async |request| by_route(routes, request).await).await
}

async fn refusal(response: Response) -> (u16, Value) {
    assert!(response.headers().contains_key("x-request-id"));
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["data"]["status"], status);
    (status, body["code"].clone())
}

#[tokio::test]
async fn a_panic_becomes_a_reply() {
    let response = answer("/panics", Body::empty()).await;
    assert_eq!(refusal(response).await, (500, "internal_error".into()));
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_arrive_is_given_up() {
    let response = answer("/reads", Body::new(Silence)).await;
    assert_eq!(response.headers()["connection"], "close");
    assert_eq!(refusal(response).await, (408, "request_timeout".into()));
}

#[tokio::test]
async fn a_body_that_arrives_is_read() {
    let response = answer("/reads", Body::from("hello")).await;
    assert_eq!(response.status(), 200);
}
