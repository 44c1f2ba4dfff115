//! `subscriptions/listen`: a modern client says what it wants to be told of, and is told that and no more.

use serde_json::{Value, json};
use toolgate_testkit::http::Events;

use super::endpoint::Endpoint;
use super::owner::{self, bare, change, idle_tool};

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// The first event says what will be told.
async fn listening(endpoint: &Endpoint, id: Value, wanted: Value) -> Events {
    let mcp = bare(endpoint).modern();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": toolgate_testkit::mcp::MODERN,
        "io.modelcontextprotocol/clientCapabilities": {}});
    let params = json!({"notifications": wanted, "_meta": meta});
    let message = json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params});
    let mut events = mcp.post(message).open().await.events().await;
    let expected = told("notifications/subscriptions/acknowledged", &id, json!({"notifications": wanted}));
    assert_eq!(events.next_json().await, expected);
    events
}

fn told(method: &str, id: &Value, mut params: Value) -> Value {
    params["_meta"] = json!({SUBSCRIPTION: id});
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// Changes a list of each kind, and the content of a resource.
async fn change_everything(endpoint: &Endpoint, resource: &Value, round: u32) {
    endpoint.tool(idle_tool(&format!("t{round}"))).await;
    endpoint.prompt(json!({"name": format!("p{round}"), "template_content": "x"})).await;
    endpoint.resource(json!({"uri": format!("docs://{round}"), "name": "r"})).await;
    let content = json!({"data_source_config": {"content": round.to_string()}});
    change(endpoint, &endpoint.path(&format!("/resources/{}", resource["id"])), content).await;
}

#[tokio::test]
async fn each_listener_is_told_what_it_asked_for_under_its_own_id() {
    let endpoint = owner::open(json!({})).await;
    let watched = endpoint.resource(json!({"uri": "docs://watched", "name": "w"})).await;
    let list = |kind: &str| format!("notifications/{kind}/list_changed");
    let uri = json!({"uri": "docs://watched"});
    let cases = [
        (json!(0), json!({"toolsListChanged": true}), list("tools"), json!({})),
        (json!("p"), json!({"promptsListChanged": true}), list("prompts"), json!({})),
        (json!("é\n"), json!({"resourcesListChanged": true}), list("resources"), json!({})),
        (
            json!(u64::MAX),
            json!({"resourceSubscriptions": ["docs://watched"]}),
            "notifications/resources/updated".to_owned(),
            uri,
        ),
    ];
    let mut streams = Vec::new();
    for (id, wanted, ..) in &cases {
        streams.push(listening(&endpoint, id.clone(), wanted.clone()).await);
    }
    for round in 0..3 {
        change_everything(&endpoint, &watched, round).await;
        for (events, (id, _, method, params)) in streams.iter_mut().zip(&cases) {
            assert_eq!(events.next_json().await, told(method, id, params.clone()));
        }
    }
}

#[tokio::test]
async fn what_was_not_asked_for_is_not_acknowledged() {
    let endpoint = owner::open(json!({})).await;
    let ask = async |wanted: Value| {
        let mcp = bare(&endpoint).modern();
        let mut events = mcp.open("subscriptions/listen", json!({"notifications": wanted})).await;
        events.next_json().await["params"]["notifications"].clone()
    };
    assert_eq!(ask(json!({})).await, json!({}));
    assert_eq!(ask(json!({"toolsListChanged": false, "somethingNew": true})).await, json!({}));
    let some = json!({"toolsListChanged": true, "resourceSubscriptions": ["docs://not/there/yet"]});
    assert_eq!(ask(some.clone()).await, some);
}

#[tokio::test]
async fn a_listener_who_does_not_say_what_for_is_refused() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint).modern();
    let many: Vec<String> = (0..1001).map(|number| format!("docs://{number}")).collect();
    for params in [
        json!({}),
        json!({"notifications": []}),
        json!({"notifications": {"toolsListChanged": "yes"}}),
        json!({"notifications": {"resourceSubscriptions": "docs://x"}}),
        json!({"notifications": {"resourceSubscriptions": many}}),
    ] {
        let (status, error) = mcp.error("subscriptions/listen", params.clone()).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{params}");
    }
}

#[tokio::test]
async fn a_resource_may_be_watched_before_it_is_there() {
    let endpoint = owner::open(json!({})).await;
    let id = json!(1);
    let mut events = listening(&endpoint, id.clone(), json!({"resourceSubscriptions": ["docs://later"]})).await;
    endpoint.resource(json!({"uri": "docs://sooner", "name": "r"})).await;
    endpoint.resource(json!({"uri": "docs://later", "name": "r"})).await;
    let expected = told("notifications/resources/updated", &id, json!({"uri": "docs://later"}));
    assert_eq!(events.next_json().await, expected);
}

#[tokio::test]
async fn a_client_may_listen_more_than_once_at_a_time() {
    let endpoint = owner::open(json!({})).await;
    let wanted = json!({"toolsListChanged": true});
    let mut first = listening(&endpoint, json!(1), wanted.clone()).await;
    // Ids are the client's own: another client may use the same.
    let mut second = listening(&endpoint, json!(1), wanted).await;
    endpoint.tool(idle_tool("t")).await;
    let expected = told("notifications/tools/list_changed", &json!(1), json!({}));
    assert_eq!(first.next_json().await, expected);
    assert_eq!(second.next_json().await, expected);
}
