//! A server whose every secret is a canary, and every operation on it.

use std::net::TcpListener;

use serde_json::{Value, json};
use toolgate_testkit::secrets::find_secret;
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{Client, McpClient, MockResponse, RunningService, Upstream};

use super::super::make::{OwnedObjects, created, id, key};
use super::super::routes::{self, id_of};
use super::super::secrets::{MARK, credentials, secret, secret_headers};
use super::recorder::OutputRecorder;

/// What is not secret, and to be found wherever secrets must not be.
pub(super) const PLAIN: &str = "plain-and-to-be-found";

/// What becomes of calls; those of the last two are told what was sent, and the caller may hear it.
const OUTCOMES: [&str; 6] = ["good", "missing", "cut", "refused", "repeats", "repeats_and_fails"];

pub(super) struct CanaryServer {
    upstream: Upstream,
    at: OwnedObjects,
    url: String,
    tools: Vec<(String, i64)>,
    resources: Vec<String>,
    /// Keys that the service made and showed once.
    endpoint_key: String,
    api_key: String,
}

fn answer(request: &ReceivedRequest) -> MockResponse {
    let said = format!("{} {:?} {}", request.target, request.headers, String::from_utf8_lossy(&request.body));
    match request.path() {
        "/missing" => MockResponse::status(404).body("nothing here"),
        "/cut" => MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"),
        "/token" => MockResponse::json(json!({"access_token": secret("issued"), "expires_in": 3600})),
        "/no-token" => {
            MockResponse::json(json!({"error": "invalid_client", "error_description": said})).with_status(401)
        }
        "/repeats" => MockResponse::json(json!({"said": said})),
        "/repeats_and_fails" => MockResponse::text(said).with_status(400),
        _ => MockResponse::json(json!({"fine": PLAIN})),
    }
}

impl CanaryServer {
    pub(super) async fn create(app: &RunningService, recorder: &mut OutputRecorder) -> Self {
        let (api, upstream) = (app.client(), Upstream::with_handler(answer));
        let at = OwnedObjects::create(&api, "Canaries").await;
        let path = format!("/servers/{}", at.server);
        let test_credentials =
            json!({"auth_type": "basic", "auth_credentials": {"username": "u", "password": secret("test")}});
        let settings = json!({"auth_type": "api-key", "rate_limit_per_min": 0, "settings":
            {"description": PLAIN, "capture": "all", "capture_max_bytes": 65536, "test_credentials": test_credentials}});
        let server = recorder.record(api.patch(&path).json(settings).send().await.expect(200)).json();
        let secret_of = |made: Value| made["key"].as_str().unwrap().to_owned();
        let endpoint_key = secret_of(created(&api, &format!("{path}/keys"), json!({"name": "k"})).await);
        let api_key = secret_of(key(app, 1, &["admin"]).await);
        let url = server["endpoint_url"].as_str().unwrap().to_owned();
        let mut canary_server =
            Self { upstream, at, url, tools: Vec::new(), resources: Vec::new(), endpoint_key, api_key };
        for (number, (auth_type, credentials)) in canary_server.credentials().into_iter().enumerate() {
            let auth = json!({"auth_type": auth_type, "auth_credentials": credentials, "headers": secret_headers()});
            canary_server.add_tools(&api, number, &auth, recorder).await;
            canary_server.add_resources(&api, number, auth, recorder).await;
        }
        canary_server
    }

    /// Of every kind; one is refused where it asks for a token.
    fn credentials(&self) -> Vec<(&'static str, Value)> {
        let mut all = credentials();
        let (auth_type, mut oauth2) = all.pop().unwrap();
        for path in ["/token", "/no-token"] {
            oauth2["token_url"] = self.upstream.url(path).into();
            all.push((auth_type, oauth2.clone()));
        }
        all
    }

    async fn add_tools(&mut self, api: &Client, number: usize, auth: &Value, recorder: &mut OutputRecorder) {
        let schema = json!({"type": "object", "properties": {"pin": {"type": "string", "writeOnly": true}, "n": {"type": "integer"}}});
        let anonymous = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        for outcome in OUTCOMES {
            let name = format!("{outcome}_{number}");
            let url = if outcome == "refused" {
                format!("http://{anonymous}/")
            } else {
                self.upstream.url(&format!("/{outcome}"))
            };
            let mut fields = auth.clone();
            fields["name"] = name.as_str().into();
            fields["endpoint_url"] = url.into();
            fields["input_schema"] = schema.clone();
            fields["http_method"] = "POST".into();
            let path = format!("/servers/{}/tools", self.at.server);
            let tool = recorder.record(api.post(&path).json(fields).send().await.expect(201)).json();
            self.tools.push((name, id(&tool)));
        }
    }

    async fn add_resources(&mut self, api: &Client, number: usize, auth: Value, recorder: &mut OutputRecorder) {
        for (source, key) in [("url", "url"), ("wp_query", "site_url")] {
            let (uri, mut config) = (format!("docs://{source}/{number}"), auth.clone());
            config[key] = self.upstream.url("/good").into();
            let body = json!({"uri": uri, "name": "r", "data_source_type": source, "data_source_config": config});
            let path = format!("/servers/{}/resources", self.at.server);
            recorder.record(api.post(&path).json(body).send().await.expect(201));
            self.resources.push(uri);
        }
    }

    pub(super) fn made_keys(&self) -> [String; 2] {
        [self.endpoint_key.clone(), self.api_key.clone()]
    }

    pub(super) async fn use_everything(&self, app: &RunningService, recorder: &mut OutputRecorder) {
        let api = app.client();
        let watched = api.get("/calls/stream").open().await.events().await;
        let calls = self.call_all(recorder).await;
        self.listen(watched, calls, recorder).await;
        self.test_all(&api, recorder).await;
        self.read_all(app, recorder).await;
        self.go_wrong(app, recorder).await;
        import(&api).await;
    }

    /// Calls every tool and reads every resource, as clients of each kind; how many calls are counted.
    async fn call_all(&self, recorder: &mut OutputRecorder) -> usize {
        let caller = McpClient::new(&self.url).bearer(&self.endpoint_key).header("cookie", &secret("cookie"));
        let callers = [caller.clone(), caller.clone().modern(), caller.legacy("2025-11-25").await];
        for caller in &callers {
            for (name, _) in &self.tools {
                for arguments in [json!({"pin": secret("pin")}), json!({"pin": secret("pin"), "n": "no number"})] {
                    let reply =
                        caller.send("tools/call", json!({"name": name, "arguments": arguments})).await.expect(200);
                    // The upstream may say what it likes; what we keep of it is another matter.
                    if !name.starts_with("repeats") {
                        recorder.record(reply);
                    }
                }
            }
            for uri in &self.resources {
                recorder.record(caller.send("resources/read", json!({"uri": uri})).await);
            }
            recorder.record(caller.send("tools/list", json!({})).await.expect(200));
            recorder.record(caller.send("resources/list", json!({})).await.expect(200));
        }
        callers.len() * self.tools.len() * 2
    }

    async fn listen(
        &self,
        mut watched: toolgate_testkit::http::EventStream,
        calls: usize,
        recorder: &mut OutputRecorder,
    ) {
        let mut recorded = 0;
        while recorded < calls {
            let event = watched.next().await.expect("the stream goes on");
            recorded += usize::from(event.kind == "call");
            recorder.record_bytes(event.data.as_bytes());
        }
    }

    /// Without secret arguments: who tests a tool is shown what was sent, and has sent those along.
    async fn test_all(&self, api: &Client, recorder: &mut OutputRecorder) {
        for (name, tool) in &self.tools {
            for body in [json!({"debug": true}), json!({"arguments": {"n": "no number"}})] {
                let reply = api.post(&format!("/tools/{tool}/test")).json(body).send().await;
                if !name.starts_with("repeats") {
                    recorder.record(reply);
                }
            }
        }
    }

    /// Every route that reads, of the server and of a copy; every call; every table.
    async fn read_all(&self, app: &RunningService, recorder: &mut OutputRecorder) {
        let api = app.client_with_key(Some(&self.api_key));
        let path = format!("/servers/{}/duplicate", self.at.server);
        let copy = id(&recorder.record(api.post(&path).send().await.expect(201)).json());
        for (_, tool) in &self.tools {
            recorder.record(api.post(&format!("/tools/{tool}/duplicate")).send().await.expect(201));
        }
        for route in routes::all(app).await.iter().filter(|route| route.reads() && route.ends()) {
            for server in [self.at.server, copy] {
                let address = route.address(&|kind| id_of(&OwnedObjects { server, ..self.at }, kind, 1));
                for query in ["", "?format=csv", "?per_page=100&_envelope=1"] {
                    recorder.record(api.get(&format!("{address}{query}")).send().await);
                }
            }
        }
        for call in api.get("/calls?per_page=100").send().await.expect(200).json().as_array().unwrap() {
            let shown = recorder.record(api.get(&format!("/calls/{}", id(call))).send().await.expect(200)).json();
            assert!(shown["captured"] == true && shown["arguments"].is_string(), "{shown}");
        }
    }

    /// Keys that are none, values that are refused.
    async fn go_wrong(&self, app: &RunningService, recorder: &mut OutputRecorder) {
        for wrong in [secret("wrong"), self.endpoint_key.clone()] {
            recorder.record(app.client_with_key(Some(&wrong)).get("/servers").send().await);
            recorder
                .record(app.client_with_key(None).get("/servers").query("api_key", &wrong).send().await.expect(401));
            recorder.record(
                McpClient::new(&self.url).bearer(&format!("{wrong}x")).send("tools/list", json!({})).await.expect(401),
            );
        }
        for (_, tool) in &self.tools {
            let fields = json!({"timeout": 0, "auth_type": "digest", "auth_credentials": {"token": secret("t")}, "headers": {"X-Key": [secret("h")]}});
            recorder.record(app.client().patch(&format!("/tools/{tool}")).json(fields).send().await.expect(400));
        }
    }

    pub(super) async fn remove_everything(&self, app: &RunningService, recorder: &mut OutputRecorder) {
        for (_, tool) in &self.tools {
            recorder.record(app.client().delete(&format!("/tools/{tool}")).send().await.expect(200));
        }
    }

    /// Requests of every kind of tool came with their secrets.
    #[track_caller]
    pub(super) fn assert_all_were_used(&self) {
        let requests = self.upstream.requests();
        for name in ["token", "password", "value", "client", "issued", "pin", "x", "s", "test"] {
            let secret = secret(name);
            let is_there =
                |request: &ReceivedRequest| find_secret(format!("{request:?}").as_bytes(), &secret).is_some();
            assert!(requests.iter().any(is_there), "{name} was never sent to the upstream");
        }
        assert!(requests.iter().any(|request| find_secret(&request.body, MARK).is_some()));
    }
}

/// Who pasted it gets it back, and nobody else.
async fn import(api: &Client) {
    for curl in [
        format!("curl -u 'user:{}' 'https://a.example/?api_key={}'", secret("curl"), secret("query")),
        format!("curl -H 'Authorization: Bearer {0}' -b 'sid={0}' -d '{0}' https://a.example/", secret("curl")),
        format!("curl 'https://user:{}@a.example/", secret("curl")),
    ] {
        for infer in ["0", "1"] {
            api.post("/tools/import-curl").query("infer", infer).json(json!({"curl": curl})).send().await;
        }
    }
}
