//! The least that could be called a gateway, as a reference point: axum in, hyper-util's client out, nothing else. No
//! access check, no limit, no validation, no credentials, no record; one tool that asks its upstream with a path and a
//! query parameter, and a list of tools that never changes.
//!
//! `minimal UPSTREAM LIST`: an upstream's origin, and a file with the result of `tools/list`. Prints its address.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a program for people, run by hand")]

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

struct MinimalGateway {
    upstream: String,
    list: Box<RawValue>,
    client: Client<HttpConnector, Full<Bytes>>,
}

#[derive(Deserialize)]
struct MinimalRequest<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    method: &'a str,
    params: MinimalParams,
}

#[derive(Deserialize)]
struct MinimalParams {
    arguments: Option<MinimalArguments>,
}

#[derive(Deserialize)]
struct MinimalArguments {
    id: String,
    q: String,
}

#[derive(Serialize)]
struct MinimalResponse<'a> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: &'a RawValue,
}

#[derive(Serialize)]
struct MinimalResult<'a> {
    content: [MinimalContent<'a>; 1],
}

#[derive(Serialize)]
struct MinimalContent<'a> {
    r#type: &'static str,
    text: &'a str,
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let upstream = arguments.next().expect("the upstream's origin");
    let list = std::fs::read_to_string(arguments.next().expect("a file with the tools")).expect("it can be read");
    let list = RawValue::from_string(list).expect("it is JSON");
    let client = Client::builder(TokioExecutor::new()).build_http();
    let app = Router::new().route("/", post(response)).with_state(Arc::new(MinimalGateway { upstream, list, client }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("it is bound"));
    axum::serve(listener, app).await.expect("it serves");
}

async fn response(State(gateway): State<Arc<MinimalGateway>>, body: Bytes) -> Response {
    let request: MinimalRequest<'_> = serde_json::from_slice(&body).expect("JSON-RPC");
    let result = match (request.method, request.params.arguments) {
        ("tools/call", Some(arguments)) => Some(gateway.call(&arguments).await),
        _ => None,
    };
    let response = MinimalResponse { jsonrpc: "2.0", id: request.id, result: result.as_ref().unwrap_or(&gateway.list) };
    let body = serde_json::to_vec(&response).expect("it can be written");
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

impl MinimalGateway {
    async fn call(&self, arguments: &MinimalArguments) -> Box<RawValue> {
        let address = format!("{}/items/{}?q={}", self.upstream, arguments.id, arguments.q);
        let response = self.client.get(address.parse().expect("an address")).await.expect("an answer");
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        let text = std::str::from_utf8(&body).expect("text");
        to_raw_value(&MinimalResult { content: [MinimalContent { r#type: "text", text }] }).expect("it can be written")
    }
}
