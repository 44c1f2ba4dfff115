//! Imports commands, saves them as tools and calls the tools. Each worker has its own server and upstream.

use std::collections::BTreeMap;

use http::Method;
use serde_json::json;
use serde_json::value::RawValue;
use toolgate_testkit::http::TestRequest;
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{Client, McpClient, MockResponse, RunningService, TestResponse, Upstream};

use super::comparison::BodyKind;

/// The members of a JSON object as raw text, so that long numbers and whitespace are preserved.
pub(super) type Members = BTreeMap<String, Box<RawValue>>;

/// Handles commands one after the other with one server and one upstream.
pub(super) struct ImportWorker {
    pub(super) upstream: Upstream,
    api: Client,
    tools_path: String,
    caller: McpClient,
}

impl ImportWorker {
    pub(super) async fn new(app: &RunningService) -> Self {
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

    /// The draft of an imported command; the first one if there are several.
    pub(super) async fn import(&self, text: &str) -> Result<Members, String> {
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

    /// Saves a draft as it is. A tool of another host is then changed to call the upstream instead.
    pub(super) async fn save(&self, draft: &Members) -> Result<u64, String> {
        let saved = send(self.api.post(&self.tools_path), serde_json::to_string(draft).unwrap()).await;
        if saved.status != 201 {
            return Err(format!("the tool was not saved: {}", saved.text()));
        }
        let id = saved.json()["id"].as_u64().unwrap();
        let url: String = serde_json::from_str(draft["endpoint_url"].get()).unwrap();
        let (_, after_scheme) = url.split_once("://").unwrap();
        let path = after_scheme.find(['/', '?']).and_then(|start| after_scheme.get(start..)).unwrap_or_default();
        let endpoint_url = format!("http://{}{path}", self.address());
        if endpoint_url != url {
            let changes = json!({"endpoint_url": endpoint_url});
            self.api.patch(&format!("/tools/{id}")).json(changes).send().await.expect(200);
        }
        Ok(id)
    }

    pub(super) async fn delete(&self, id: u64) {
        self.api.delete(&format!("/tools/{id}")).send().await.expect(200);
    }

    /// The request that the tool of a draft sends with the imported arguments.
    pub(super) async fn call_tool(&self, draft: &Members) -> Result<ReceivedRequest, String> {
        let id = self.save(draft).await?;
        let hits = self.upstream.request_count();
        let params = format!(r#"{{"name":{},"arguments":{}}}"#, draft["name"], draft["body"]);
        let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let reply = send(self.caller.raw_request(Method::POST), message).await.expect(200);
        self.delete(id).await;
        let requests = self.requests_since(hits);
        let [request] = requests.as_slice() else {
            return Err(format!("the tool sent {} requests: {}", requests.len(), reply.text()));
        };
        Ok(request.clone())
    }

    pub(super) fn address(&self) -> String {
        self.upstream.address().to_string()
    }

    /// The requests that the upstream received after the first `hits`.
    pub(super) fn requests_since(&self, hits: usize) -> Vec<ReceivedRequest> {
        self.upstream.requests().split_off(hits)
    }
}

async fn send(request: TestRequest, json: String) -> TestResponse {
    request.header("content-type", "application/json").body(json).send().await
}

/// How the body of a tool's request is compared. A raw body is compared as bytes if it is a string, else as JSON. Fixed
/// values follow the arguments, so their position in the body may differ.
pub(super) fn body_kind(draft: &Members) -> BodyKind {
    let mapping = draft["parameter_mapping"].get();
    match draft.get("body_type").map(|kind| kind.get()) {
        Some("\"json\"") if mapping.contains("\"value\":") => BodyKind::JsonUnordered,
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
