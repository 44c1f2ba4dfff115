//! A minimal gateway, as a reference point: axum for requests, hyper-util's client for the upstream, nothing else. It
//! has no access check, rate limit, validation, credentials or recording. Every call of any tool sends a request
//! with a path parameter and a query parameter to the upstream. Every other request gets the fixed list of tools.
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
use tokio::signal::unix::{SignalKind, signal};

struct MinimalGateway {
    /// Base URL of the upstream.
    upstream: String,
    /// The result of `tools/list`.
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
    let upstream = arguments.next().expect("the first argument is the upstream's base URL");
    let list_file = arguments.next().expect("the second argument is a file with the list of tools");
    let list = std::fs::read_to_string(list_file).expect("the file is readable");
    let list = RawValue::from_string(list).expect("the file contains JSON");
    let client = Client::builder(TokioExecutor::new()).build_http();
    let app = Router::new().route("/", post(handle)).with_state(Arc::new(MinimalGateway { upstream, list, client }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    println!("{}", listener.local_addr().expect("the socket is bound"));
    let mut terminate = signal(SignalKind::terminate()).expect("signals can be received");
    tokio::select! {
        result = axum::serve(listener, app) => result.expect("the server runs"),
        // Ends the process by returning from `main`, because an instrumented binary writes its profile on exit.
        _ = terminate.recv() => {}
    }
}

async fn handle(State(gateway): State<Arc<MinimalGateway>>, body: Bytes) -> Response {
    let request: MinimalRequest<'_> = serde_json::from_slice(&body).expect("the body is a JSON-RPC request");
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
        let response = self.client.get(url.parse().expect("the URL is valid")).await.expect("the upstream responds");
        let body = response.into_body().collect().await.expect("the body is complete").to_bytes();
        let text = std::str::from_utf8(&body).expect("the body is UTF-8 text");
        to_raw_value(&MinimalResult { content: [MinimalContent { r#type: "text", text }] }).expect("a result is JSON")
    }
}
