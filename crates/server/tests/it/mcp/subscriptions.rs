//! `subscriptions/listen`: a modern client selects notifications and receives only those.

use serde_json::{Value, json};
use toolgate_testkit::ServiceFixture;
use toolgate_testkit::http::EventStream;

use super::management::{self, bare_client, change, uncalled_tool};

const SUBSCRIPTION_ID_KEY: &str = "io.modelcontextprotocol/subscriptionId";

/// Opens a subscription; the first event acknowledges the selected notifications.
async fn subscribe(fixture: &ServiceFixture, id: Value, selected: Value) -> EventStream {
    let mcp = bare_client(fixture).modern();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": toolgate_testkit::mcp::MODERN,
        "io.modelcontextprotocol/clientCapabilities": {}});
    let params = json!({"notifications": selected, "_meta": meta});
    let message = json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params});
    let mut events = mcp.post(message).open().await.events().await;
    let expected = notification("notifications/subscriptions/acknowledged", &id, json!({"notifications": selected}));
    assert_eq!(events.next_json().await, expected);
    events
}

fn notification(method: &str, id: &Value, mut params: Value) -> Value {
    params["_meta"] = json!({SUBSCRIPTION_ID_KEY: id});
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// Changes a list of each kind, and the content of a resource.
async fn change_everything(fixture: &ServiceFixture, resource: &Value, round: u32) {
    fixture.create("/tools", uncalled_tool(&format!("t{round}"))).await;
    fixture.create("/prompts", json!({"name": format!("p{round}"), "template_content": "x"})).await;
    fixture.create("/resources", json!({"uri": format!("docs://{round}"), "name": "r"})).await;
    let content = json!({"data_source_config": {"content": round.to_string()}});
    change(fixture, &fixture.path(&format!("/resources/{}", resource["id"])), content).await;
}

#[tokio::test]
async fn each_subscription_gets_the_requested_notifications_under_its_id() {
    let fixture = management::start_server(json!({})).await;
    let watched = fixture.create("/resources", json!({"uri": "docs://watched", "name": "w"})).await;
    let list_changed = |kind: &str| format!("notifications/{kind}/list_changed");
    let uri = json!({"uri": "docs://watched"});
    let cases = [
        (json!(0), json!({"toolsListChanged": true}), list_changed("tools"), json!({})),
        (json!("p"), json!({"promptsListChanged": true}), list_changed("prompts"), json!({})),
        (json!("é\n"), json!({"resourcesListChanged": true}), list_changed("resources"), json!({})),
        (
            json!(u64::MAX),
            json!({"resourceSubscriptions": ["docs://watched"]}),
            "notifications/resources/updated".to_owned(),
            uri,
        ),
    ];
    let mut streams = Vec::new();
    for (id, selected, ..) in &cases {
        streams.push(subscribe(&fixture, id.clone(), selected.clone()).await);
    }
    for round in 0..3 {
        change_everything(&fixture, &watched, round).await;
        for (events, (id, _, method, params)) in streams.iter_mut().zip(&cases) {
            assert_eq!(events.next_json().await, notification(method, id, params.clone()));
        }
    }
}

#[tokio::test]
async fn a_refreshed_document_changes_the_list_of_tools_once() {
    let fixture = management::start_server(json!({})).await;
    let api = fixture.app.client();
    let content = |summary: &str| {
        let operation = |id: &str| json!({"get": {"operationId": id, "summary": summary, "responses": {}}});
        json!({"openapi": "3.1.0", "info": {"title": "P", "version": "1"}, "servers": [{"url": "https://api.example.com"}],
            "paths": {"/a": operation("a"), "/b": operation("b")}})
    };
    let import =
        json!({"content": content("Old"), "commit": true, "selected_temp_ids": ["*"], "imported_status": "active"});
    let import = api.post(&fixture.path("/tools/import-openapi")).json(import).send().await.expect(200).json();
    let mut events = subscribe(&fixture, json!(1), json!({"toolsListChanged": true})).await;
    let path = format!("/documents/{}/refresh", import["document_id"]);
    let refresh = json!({"content": content("New"), "commit": true});
    let refreshed = api.post(&path).json(refresh.clone()).send().await.expect(200).json();
    assert_eq!(refreshed["updated"].as_array().unwrap().len(), 2, "{refreshed}");
    assert_eq!(events.next_json().await, notification("notifications/tools/list_changed", &json!(1), json!({})));
    let same = api.post(&path).json(refresh).send().await.expect(200).json();
    assert_eq!((&same["updated"], &same["drift"]["unchanged"]), (&json!([]), &json!(2)));
    let listed = bare_client(&fixture).result("tools/list", json!({})).await;
    assert_eq!(listed["tools"][0]["description"], "New");
}

#[tokio::test]
async fn only_requested_notifications_are_acknowledged() {
    let fixture = management::start_server(json!({})).await;
    let acknowledged = async |selected: Value| {
        let mcp = bare_client(&fixture).modern();
        let mut events = mcp.open("subscriptions/listen", json!({"notifications": selected})).await;
        events.next_json().await["params"]["notifications"].clone()
    };
    assert_eq!(acknowledged(json!({})).await, json!({}));
    assert_eq!(acknowledged(json!({"toolsListChanged": false, "somethingNew": true})).await, json!({}));
    let some = json!({"toolsListChanged": true, "resourceSubscriptions": ["docs://not/there/yet"]});
    assert_eq!(acknowledged(some.clone()).await, some);
}

#[tokio::test]
async fn a_subscription_without_valid_notifications_is_refused() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture).modern();
    // A subscription may select 1,000 resources.
    let too_many: Vec<String> = (0..1001).map(|number| format!("docs://{number}")).collect();
    for params in [
        json!({}),
        json!({"notifications": []}),
        json!({"notifications": {"toolsListChanged": "yes"}}),
        json!({"notifications": {"resourceSubscriptions": "docs://x"}}),
        json!({"notifications": {"resourceSubscriptions": too_many}}),
    ] {
        let (status, error) = mcp.error("subscriptions/listen", params.clone()).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{params}");
    }
}

#[tokio::test]
async fn a_resource_can_be_subscribed_to_before_it_exists() {
    let fixture = management::start_server(json!({})).await;
    let id = json!(1);
    let mut events = subscribe(&fixture, id.clone(), json!({"resourceSubscriptions": ["docs://later"]})).await;
    fixture.create("/resources", json!({"uri": "docs://sooner", "name": "r"})).await;
    fixture.create("/resources", json!({"uri": "docs://later", "name": "r"})).await;
    let expected = notification("notifications/resources/updated", &id, json!({"uri": "docs://later"}));
    assert_eq!(events.next_json().await, expected);
}

#[tokio::test]
async fn two_subscriptions_with_the_same_id_both_get_notifications() {
    let fixture = management::start_server(json!({})).await;
    let selected = json!({"toolsListChanged": true});
    let mut first = subscribe(&fixture, json!(1), selected.clone()).await;
    // Clients choose the ids, so two subscriptions may have the same id.
    let mut second = subscribe(&fixture, json!(1), selected).await;
    fixture.create("/tools", uncalled_tool("t")).await;
    let expected = notification("notifications/tools/list_changed", &json!(1), json!({}));
    assert_eq!(first.next_json().await, expected);
    assert_eq!(second.next_json().await, expected);
}
