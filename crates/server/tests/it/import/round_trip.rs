//! Every command of the corpus, twice: run by the real curl, and imported, saved as a tool and called. The upstream is
//! to see the same request both times.

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

/// Fewer would leave something out.
const CASES_MIN: usize = 500;
/// How many commands are under way at a time, each with a server and an upstream of its own.
const WORKERS: usize = 4;

/// The members of a JSON object as they are written: long numbers and blanks survive.
type Members = BTreeMap<String, Box<RawValue>>;

/// A server, and the upstream that everything is sent to.
struct RoundTripWorker {
    upstream: Upstream,
    api: Client,
    tools: String,
    caller: McpClient,
}

impl RoundTripWorker {
    async fn new(app: &RunningService) -> Self {
        let api = app.client();
        let fields = json!({"name": "Lane", "rate_limit_per_min": 0});
        let server = api.post("/servers").json(fields).send().await.expect(201).json();
        Self {
            upstream: Upstream::with_handler(|_| MockResponse::status(200)),
            tools: format!("/servers/{}/tools", server["id"]),
            caller: McpClient::new(server["endpoint_url"].as_str().unwrap()),
            api,
        }
    }

    /// What is wrong with some cases.
    async fn check_all(&self, cases: impl Iterator<Item = &CurlCase>) -> Vec<String> {
        let mut wrong = Vec::new();
        for case in cases {
            if let Err(reason) = self.check(case).await {
                wrong.push(format!("{case}\n{}\n  {reason}\n", case.pasted(&self.address())));
            }
        }
        wrong
    }

    /// Whether both requests differ in what the case says, and in nothing else.
    async fn check(&self, case: &CurlCase) -> Result<(), String> {
        let by_curl = self.run(case).await?;
        let draft = self.import(case).await?;
        let kind = body_kind(&draft);
        let by_tool = self.call(draft).await?;
        let mut found = differences(&by_curl[0], &by_tool, kind);
        if by_curl.len() > 1 {
            found.insert("requests".to_owned());
        }
        let expected: BTreeSet<String> = case.differs.keys().cloned().collect();
        let (unexpected, gone) = (found.difference(&expected), expected.difference(&found));
        let (unexpected, gone): (Vec<_>, Vec<_>) = (unexpected.collect(), gone.collect());
        if unexpected.is_empty() && gone.is_empty() {
            return Ok(());
        }
        let seen = format!("  curl: {:?}\n  tool: {by_tool:?}", by_curl[0]);
        Err(format!("differs in {unexpected:?}, and not any more in {gone:?}\n{seen}"))
    }

    /// The requests of the real curl.
    async fn run(&self, case: &CurlCase) -> Result<Vec<ReceivedRequest>, String> {
        let hits = self.upstream.hits();
        let output = real_curl::run(case, &self.address()).await;
        let requests = self.requests_since(hits);
        let reason = || format!("curl sent nothing: {}", String::from_utf8_lossy(&output.stderr));
        if requests.is_empty() { Err(reason()) } else { Ok(requests) }
    }

    /// What is read from the command: the first tool, where they are several.
    async fn import(&self, case: &CurlCase) -> Result<Members, String> {
        let text = case.pasted(&self.address());
        let reply = self.api.post("/tools/import-curl?infer=1").json(json!({"curl": text})).send().await;
        if reply.status != 200 {
            return Err(format!("it is not imported: {}", reply.text()));
        }
        let read: Members = serde_json::from_str(&reply.text()).unwrap();
        match read.get("tools").map(|tools| serde_json::from_str::<Vec<Members>>(tools.get()).unwrap()) {
            Some(tools) => tools.into_iter().next().ok_or_else(|| "no tool was found".to_owned()),
            None => Ok(read),
        }
    }

    /// What the tool sends with the arguments that the import gives.
    async fn call(&self, mut draft: Members) -> Result<ReceivedRequest, String> {
        let arguments = draft.remove("body").ok_or("the arguments are missing")?;
        draft.remove("warnings");
        let saved = send(self.api.post(&self.tools), serde_json::to_string(&draft).unwrap()).await;
        if saved.status != 201 {
            return Err(format!("it cannot be saved: {}", saved.text()));
        }
        let hits = self.upstream.hits();
        let params = format!(r#"{{"name":{},"arguments":{arguments}}}"#, draft["name"]);
        let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let answer = send(self.caller.raw_request(Method::POST), message).await.expect(200);
        self.api.delete(&format!("/tools/{}", saved.json()["id"])).send().await.expect(200);
        let requests = self.requests_since(hits);
        let [one] = requests.as_slice() else {
            return Err(format!("the tool sent {} requests: {}", requests.len(), answer.text()));
        };
        Ok(one.clone())
    }

    fn address(&self) -> String {
        self.upstream.address().to_string()
    }

    /// The requests that came since there were so many.
    fn requests_since(&self, hits: usize) -> Vec<ReceivedRequest> {
        self.upstream.requests().split_off(hits)
    }
}

async fn send(request: TestRequest, json: String) -> TestResponse {
    request.header("content-type", "application/json").body(json).send().await
}

/// How the body of a tool is compared: an argument that is a whole body is text, or else JSON.
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
    let app = RunningService::start(env!("CARGO_BIN_EXE_toolgate"));
    let workers = join_all((0..WORKERS).map(|_| RoundTripWorker::new(&app))).await;
    let cases = corpus::cases();
    let every = |first: usize| cases.iter().skip(first).step_by(WORKERS);
    let wrong =
        join_all(workers.iter().enumerate().map(|(first, worker)| worker.check_all(every(first)))).await.concat();
    assert!(wrong.is_empty(), "{} of {} are wrong:\n\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    let sent: Vec<ReceivedRequest> = workers.iter().flat_map(|worker| worker.upstream.requests()).collect();
    for name in TRANSPORT_HEADERS {
        let is_sent = sent.iter().any(|request| !request.header_values(name).is_empty());
        assert!(is_sent, "nothing sends {name}, so it need not be tolerated");
    }
    assert!(cases.len() >= CASES_MIN, "only {} commands were run", cases.len());
}
