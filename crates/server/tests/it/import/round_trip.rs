//! Runs every command of the corpus with the real curl, imports it, saves it as a tool and calls the tool. The upstream
//! must receive the same request from both.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use http::Method;
use serde_json::json;
use serde_json::value::RawValue;
use toolgate_testkit::http::TestRequest;
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{Client, McpClient, MockResponse, RunningService, TestResponse, Upstream};

use super::comparison::{BodyKind, differences};
use super::corpus::{self, CurlCase};
use super::real_curl;
use super::tolerated::TRANSPORT_HEADERS;
use crate::toolgate;

/// Guards against a corpus that is not found or only partly parsed.
const CASES_MIN: usize = 500;
/// Number of concurrent workers, each with its own server and upstream.
const WORKERS: usize = 4;

/// The members of a JSON object as raw text, so that long numbers and whitespace are preserved.
type Members = BTreeMap<String, Box<RawValue>>;

/// Checks cases one after the other with one server and one upstream.
struct RoundTripWorker {
    upstream: Upstream,
    api: Client,
    tools_path: String,
    caller: McpClient,
}

impl RoundTripWorker {
    async fn new(app: &RunningService) -> Self {
        let api = app.client();
        let fields = json!({"name": "Round trip", "rate_limit_per_min": 0});
        let server = api.create("/servers", fields).await;
        Self {
            upstream: Upstream::with_handler(|_| MockResponse::status(200)),
            tools_path: format!("/servers/{}/tools", server["id"]),
            caller: McpClient::new(server["endpoint_url"].as_str().unwrap()),
            api,
        }
    }

    /// Checks the cases; returns the failures.
    async fn check_all(&self, cases: impl Iterator<Item = &CurlCase>) -> Vec<String> {
        let mut failures = Vec::new();
        for case in cases {
            if let Err(reason) = self.check(case).await {
                failures.push(format!("{case}\n{}\n  {reason}\n", case.pasted_text(&self.address())));
            }
        }
        failures
    }

    /// Fails unless the two requests differ exactly as the case declares.
    async fn check(&self, case: &CurlCase) -> Result<(), String> {
        let curl_requests = self.run_curl(case).await?;
        let draft = self.import(case).await?;
        let kind = body_kind(&draft);
        let tool_request = self.call_tool(draft).await?;
        let mut actual = differences(&curl_requests[0], &tool_request, kind);
        if curl_requests.len() > 1 {
            actual.insert("requests".to_owned());
        }
        let expected: BTreeSet<String> = case.accepted_differences.keys().cloned().collect();
        let (unexpected, missing) = (actual.difference(&expected), expected.difference(&actual));
        let (unexpected, missing): (Vec<_>, Vec<_>) = (unexpected.collect(), missing.collect());
        if unexpected.is_empty() && missing.is_empty() {
            return Ok(());
        }
        let requests = format!("  curl: {:?}\n  tool: {tool_request:?}", curl_requests[0]);
        Err(format!("unexpected differences: {unexpected:?}; missing differences: {missing:?}\n{requests}"))
    }

    /// The requests that the real curl sends.
    async fn run_curl(&self, case: &CurlCase) -> Result<Vec<ReceivedRequest>, String> {
        let hits = self.upstream.request_count();
        let output = real_curl::run(case, &self.address()).await;
        let requests = self.requests_since(hits);
        let reason = || format!("curl sent nothing: {}", String::from_utf8_lossy(&output.stderr));
        if requests.is_empty() { Err(reason()) } else { Ok(requests) }
    }

    /// The draft of the imported command; the first one if there are several.
    async fn import(&self, case: &CurlCase) -> Result<Members, String> {
        let text = case.pasted_text(&self.address());
        let reply = self.api.post("/tools/import-curl?infer=1").json(json!({"curl": text})).send().await;
        if reply.status != 200 {
            return Err(format!("the import failed: {}", reply.text()));
        }
        let draft: Members = serde_json::from_str(&reply.text()).unwrap();
        match draft.get("tools").map(|tools| serde_json::from_str::<Vec<Members>>(tools.get()).unwrap()) {
            Some(tools) => tools.into_iter().next().ok_or_else(|| "the import returned no tool".to_owned()),
            None => Ok(draft),
        }
    }

    /// The request that the tool sends with the imported arguments.
    async fn call_tool(&self, mut draft: Members) -> Result<ReceivedRequest, String> {
        let arguments = draft.remove("body").ok_or("the arguments are missing")?;
        draft.remove("warnings");
        let saved = send(self.api.post(&self.tools_path), serde_json::to_string(&draft).unwrap()).await;
        if saved.status != 201 {
            return Err(format!("the tool was not saved: {}", saved.text()));
        }
        let hits = self.upstream.request_count();
        let params = format!(r#"{{"name":{},"arguments":{arguments}}}"#, draft["name"]);
        let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let reply = send(self.caller.raw_request(Method::POST), message).await.expect(200);
        self.api.delete(&format!("/tools/{}", saved.json()["id"])).send().await.expect(200);
        let requests = self.requests_since(hits);
        let [request] = requests.as_slice() else {
            return Err(format!("the tool sent {} requests: {}", requests.len(), reply.text()));
        };
        Ok(request.clone())
    }

    fn address(&self) -> String {
        self.upstream.address().to_string()
    }

    /// The requests that the upstream received after the first `hits`.
    fn requests_since(&self, hits: usize) -> Vec<ReceivedRequest> {
        self.upstream.requests().split_off(hits)
    }
}

async fn send(request: TestRequest, json: String) -> TestResponse {
    request.header("content-type", "application/json").body(json).send().await
}

/// How the body of a tool's request is compared. A raw body is compared as bytes if it is a string, else as JSON.
fn body_kind(draft: &Members) -> BodyKind {
    match draft.get("body_type").map(|kind| kind.get()) {
        Some("\"json\"") => BodyKind::Json,
        Some("\"form\"") => BodyKind::Form,
        Some("\"multipart\"") => BodyKind::Multipart,
        Some("\"raw\"") => {
            let arguments: Members = serde_json::from_str(draft["body"].get()).unwrap();
            if arguments["body"].get().starts_with('"') { BodyKind::Bytes } else { BodyKind::Json }
        }
        _ => BodyKind::Bytes,
    }
}

#[tokio::test]
async fn a_tool_sends_what_its_curl_command_sends() {
    if !real_curl::is_installed().await {
        return;
    }
    let app = toolgate().start();
    let workers = join_all((0..WORKERS).map(|_| RoundTripWorker::new(&app))).await;
    let cases = corpus::cases();
    let share = |first: usize| cases.iter().skip(first).step_by(WORKERS);
    let failures =
        join_all(workers.iter().enumerate().map(|(first, worker)| worker.check_all(share(first)))).await.concat();
    assert!(failures.is_empty(), "{} of {} commands failed:\n\n{}", failures.len(), cases.len(), failures.join("\n"));
    let sent: Vec<ReceivedRequest> = workers.iter().flat_map(|worker| worker.upstream.requests()).collect();
    for name in TRANSPORT_HEADERS {
        let is_sent = sent.iter().any(|request| !request.header_values(name).is_empty());
        assert!(is_sent, "no request has the header {name}, so it need not be tolerated");
    }
    assert!(cases.len() >= CASES_MIN, "only {} commands were run", cases.len());
}
