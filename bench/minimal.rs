//! A minimal gateway, as a reference point: axum for requests, hyper-util's client for the upstream, nothing else. It
//! has no access check, rate limit, validation, credentials or recording. Every call of any tool sends a path parameter
//! and a query parameter to the upstream. Every other request gets the fixed list of tools.
//!
//! `minimal UPSTREAM LIST`: the upstream's base URL, and a file with the result of `tools/list`. Prints its address.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a command-line program")]

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
    let upstream = arguments.next().expect("the upstream's base URL");
    let list = std::fs::read_to_string(arguments.next().expect("a file with the tools")).expect("a readable file");
    let list = RawValue::from_string(list).expect("a JSON file");
    let client = Client::builder(TokioExecutor::new()).build_http();
    let app = Router::new().route("/", post(handle)).with_state(Arc::new(MinimalGateway { upstream, list, client }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("a bound socket"));
    axum::serve(listener, app).await.expect("the server runs");
}

async fn handle(State(gateway): State<Arc<MinimalGateway>>, body: Bytes) -> Response {
    let request: MinimalRequest<'_> = serde_json::from_slice(&body).expect("a JSON-RPC request");
    let result = match (request.method, request.params.arguments) {
        ("tools/call", Some(arguments)) => Some(gateway.call(&arguments).await),
        _ => None,
    };
    let response = MinimalResponse { jsonrpc: "2.0", id: request.id, result: result.as_ref().unwrap_or(&gateway.list) };
    let body = serde_json::to_vec(&response).expect("a response is JSON");
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

impl MinimalGateway {
    async fn call(&self, arguments: &MinimalArguments) -> Box<RawValue> {
        let url = format!("{}/items/{}?q={}", self.upstream, arguments.id, arguments.q);
        let response = self.client.get(url.parse().expect("a valid URL")).await.expect("a response");
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        let text = std::str::from_utf8(&body).expect("UTF-8 text");
        to_raw_value(&MinimalResult { content: [MinimalContent { r#type: "text", text }] }).expect("a result is JSON")
    }
}
