//! The audit log: who changed what.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, Client};

use super::fixtures::{OwnedObjects, assert_refused, assert_timestamp, client_with_role, create_server, create_tool};

on_both_databases![
    a_change_is_listed_with_its_author_its_object_and_the_names_of_its_fields,
    an_owner_sees_the_changes_of_their_servers_only,
    changes_are_filtered_and_paged,
];

/// One line for each listed change, newest first.
async fn lines(client: &Client, query: &str) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let entries = client.read(&format!("/audit?per_page=100&{query}")).await;
    let line = |entry: &Value| {
        let [action, kind, name, user] =
            ["action", "object_kind", "object_name", "user_name"].map(|field| text(&entry[field]));
        format!("{action} {kind} {name} by {user}")
    };
    entries.as_array().unwrap().iter().map(line).collect()
}

async fn a_change_is_listed_with_its_author_its_object_and_the_names_of_its_fields(service: &ApiFixture) {
    let alice = client_with_role(&service.api, "alice", "owner", &["write"]).await;
    let server = create_server(&alice, "Weather").await;
    let tool = create_tool(&alice, server, "forecast").await;
    let patch = json!({"name": "outlook", "auth_type": "bearer", "auth_credentials": {"token": "never-in-audit"}});
    alice.post(&format!("/tools/{tool}")).json(patch).send().await.expect(200);
    let reply = alice.get("/audit").send().await.expect(200);
    let newest = &reply.json()[0];
    assert_timestamp(&newest["time"]);
    let expected = json!({
        "id": newest["id"], "time": newest["time"],
        "user_id": newest["user_id"], "user_name": "alice", "key_id": newest["key_id"], "key_name": "test",
        "action": "update", "object_kind": "tool", "object_id": tool, "object_name": "outlook", "server_id": server,
        "fields": ["name", "auth_type", "auth_credentials"],
    });
    assert_eq!(*newest, expected);
    assert!(newest["user_id"].is_i64() && newest["key_id"].is_i64(), "{newest}");
    assert!(!reply.text().contains("never-in-audit"));
    let service = service.api.read("/audit?per_page=100").await;
    let first = service.as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&first["user_id"], &first["key_id"], &first["object_kind"]),
        (&json!(null), &json!(null), &json!("user"))
    );
}

async fn an_owner_sees_the_changes_of_their_servers_only(service: &ApiFixture) {
    let [alice, bob] = [
        client_with_role(&service.api, "alice", "owner", &["write"]).await,
        client_with_role(&service.api, "bob", "owner", &["write"]).await,
    ];
    let OwnedObjects { server, tool, prompt, .. } = OwnedObjects::create(&alice, "Mine").await;
    OwnedObjects::create(&bob, "Bob's").await;
    service.api.post(&format!("/tools/{tool}/toggle")).send().await.expect(200);
    alice.delete(&format!("/servers/{server}/prompts/{prompt}")).send().await.expect(200);
    let listed = lines(&alice, "").await;
    let expected = [
        "delete prompt p by alice",
        "toggle tool t by admin",
        "delete tool list_pets by alice",
        "import server Mine by alice",
        "create tool list_pets by alice",
        "create document P by alice",
        "create credential c by alice",
        "create endpoint_key k by alice",
        "create resource r by alice",
        "create prompt p by alice",
        "create tool t by alice",
        "create server Mine by alice",
    ];
    assert_eq!(listed, expected);
    assert_eq!(lines(&service.api, &format!("server={server}")).await, expected);
    assert!(lines(&service.api, "").await.contains(&"create user bob by admin".to_owned()));
    alice.delete(&format!("/servers/{server}")).send().await.expect(200);
    assert_eq!(lines(&alice, "").await[0], "delete server Mine by alice", "a deleted server stays in the log");
    assert_eq!(lines(&alice, "").await.len(), expected.len() + 1);
    assert_eq!(lines(&bob, "").await.len(), 10);
}

async fn changes_are_filtered_and_paged(service: &ApiFixture) {
    let client = &service.api;
    let server = create_server(client, "Weather").await;
    let tool = create_tool(client, server, "forecast").await;
    client.post(&format!("/tools/{tool}/toggle")).send().await.expect(200);
    assert_eq!(lines(client, &format!("object_kind=tool&object_id={tool}&action=toggle")).await.len(), 1);
    assert_eq!(lines(client, "object_kind=tool").await.len(), 2);
    assert_eq!(lines(client, "object_kind=api_key").await.len(), 1);
    assert_eq!(lines(client, "user=1").await.len(), 3);
    assert_eq!(lines(client, "user=987654321").await, Vec::<String>::new());
    assert_eq!(lines(client, "action=&object_kind=&from=&to=").await.len(), 5);
    assert_eq!(lines(client, "to=2001-01-01").await, Vec::<String>::new());
    assert_eq!(lines(client, "from=2001-01-01").await.len(), 5);
    let page = client.get("/audit?per_page=2&page=2").send().await.expect(200);
    assert_eq!((page.header("x-wp-total"), page.header("x-wp-totalpages")), (Some("5"), Some("3")));
    let all = client.read("/audit").await;
    assert_eq!((id(&page.json()[0]), id(&page.json()[1])), (id(&all[2]), id(&all[3])));
    for (query, param) in
        [("object_kind=call", "object_kind"), ("action=burn", "action"), ("user=x", "user"), ("from=now", "from")]
    {
        assert_refused(&client.get(&format!("/audit?{query}")).send().await, param);
    }
}
