//! A program that a person allows access to a server again and again, so that the end of this access can be measured.

use serde_json::{Value, json};
use toolgate_testkit::page_form::{PageForm, encode};
use toolgate_testkit::running_service::TEST_KEY;
use toolgate_testkit::{Client, McpClient, TestResponse};
use url::Url;

use crate::cluster::ClusterNode;

const REDIRECT_URI: &str = "https://client.example/callback";
/// The code verifier of RFC 7636, appendix B, and its challenge.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A program that has registered itself, and the browser session of the person who uses it.
pub(crate) struct ConnectedProgram {
    /// The URL of the issuer, which forms of its pages name as their origin.
    issuer: String,
    /// The URL of the server's endpoint.
    resource: String,
    client_id: String,
    cookie: String,
}

/// The access that the person gave the program.
pub(crate) struct GivenAccess {
    pub(crate) grant_id: i64,
    access_token: String,
}

impl ConnectedProgram {
    /// Creates the server and the program, and signs the person in. `issuer` is the base URL of all nodes.
    pub(crate) async fn register(node: &ClusterNode, issuer: String) -> Self {
        let fields = json!({"name": "Sign-in", "auth_type": "oauth", "rate_limit_per_min": 0});
        let server = node.api().create("/servers", fields).await;
        let metadata = json!({"client_name": "Cluster", "redirect_uris": [REDIRECT_URI]});
        let client = pages_of(node).post("/register").json(metadata).send().await.expect(201).json();
        let mut program = Self {
            issuer,
            resource: text(&server, "endpoint_url"),
            client_id: text(&client, "client_id"),
            cookie: String::new(),
        };
        let signed_in = program.post_form(node, "/signin", &[("key", TEST_KEY)]).await.expect(303);
        let cookie = signed_in.header("set-cookie").and_then(|cookie| cookie.split(';').next());
        cookie.expect("a sign-in sets a cookie").clone_into(&mut program.cookie);
        program
    }

    /// The person allows the program access; every step is a request to this node.
    pub(crate) async fn connect(&self, node: &ClusterNode) -> GivenAccess {
        let request = encode(&[
            ("response_type", "code"),
            ("client_id", &self.client_id),
            ("redirect_uri", REDIRECT_URI),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("resource", &self.resource),
        ]);
        let page = pages_of(node).get(&format!("/authorize?{request}")).header("cookie", &self.cookie).send().await;
        let form = PageForm::parse(&page.expect(200).text(), "/authorize");
        let allowed = self.post_form(node, "/authorize", &form.with(&[("decision", "allow")])).await.expect(303);
        let exchange = [
            ("grant_type", "authorization_code"),
            ("code", &code_of(&allowed)),
            ("client_id", &self.client_id),
            ("redirect_uri", REDIRECT_URI),
            ("code_verifier", VERIFIER),
        ];
        let tokens = self.post_form(node, "/token", &exchange).await.expect(200).json();
        let grants = node.api().read("/me/grants").await;
        let ids = grants.as_array().into_iter().flatten().filter_map(|grant| grant["id"].as_i64());
        let grant_id = ids.max().expect("the person has a grant");
        GivenAccess { grant_id, access_token: text(&tokens, "access_token") }
    }

    /// A client with this access at one node.
    pub(crate) fn caller_at(&self, node: &ClusterNode, access: &GivenAccess) -> McpClient {
        let path = self.resource.find("/mcp/").and_then(|start| self.resource.get(start..));
        let path = path.expect("the URL is an endpoint");
        McpClient::new(&format!("http://{}{path}", node.address)).bearer(&access.access_token)
    }

    async fn post_form(&self, node: &ClusterNode, path: &str, fields: &[(&str, &str)]) -> TestResponse {
        let request = pages_of(node).post(path).header("content-type", "application/x-www-form-urlencoded");
        let request = request.header("origin", &self.issuer).header("cookie", &self.cookie);
        request.body(encode(fields)).send().await
    }
}

/// A client of the pages and OAuth routes of a node.
fn pages_of(node: &ClusterNode) -> Client {
    Client::new(&format!("http://{}", node.address), None)
}

/// The code with which the browser is sent to the program.
fn code_of(allowed: &TestResponse) -> String {
    let location = Url::parse(allowed.header("location").expect("the browser is sent to the program"));
    let location = location.expect("the redirect is a URL");
    let code = location.query_pairs().find(|(name, _)| name == "code").map(|(_, value)| value.into_owned());
    code.expect("the redirect has a code")
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_else(|| panic!("{name} is not a text: {value}")).to_owned()
}
