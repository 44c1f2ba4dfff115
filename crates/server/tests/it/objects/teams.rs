//! Teams: disabled users, hand-over of servers, keys that users create for themselves, and members with their roles.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, Client, McpClient, RunningService, TestResponse};

use super::fixtures::{
    ABSENT_ID, OwnedObjects, assert_error, assert_missing, assert_refused, create_key, create_server,
};
use super::routes::{self, ApiRoute, id_of};

on_both_databases![
    the_keys_of_a_disabled_user_are_refused_and_their_servers_still_work,
    a_server_is_handed_over_by_an_administrator_only,
    owners_manage_their_own_keys_within_their_own_rights,
    an_expiring_key_cannot_create_a_key_that_outlives_it,
    a_viewer_reads_a_shared_server_and_every_write_is_refused,
    an_editor_changes_a_shared_server_and_cannot_escalate,
    a_user_with_the_role_viewer_stays_a_viewer,
    a_removed_member_no_longer_sees_the_server_and_its_calls_in_an_open_stream,
    members_see_the_calls_and_reports_of_shared_servers_only,
    the_calls_of_a_deleted_tool_follow_the_server_to_its_new_owner,
    a_member_can_leave,
    a_server_is_not_handed_over_to_a_viewer,
];

/// A user with a client.
struct TestUser {
    id: i64,
    client: Client,
    key: Value,
}

impl TestUser {
    async fn create(app: &RunningService, name: &str, role: &str, scopes: &[&str]) -> Self {
        let id = app.client().create_user(name, role).await;
        let key = create_key(&app.client(), id, scopes).await;
        Self { id, client: app.client_with_key(key["key"].as_str()), key }
    }

    async fn owner(app: &RunningService, name: &str) -> Self {
        Self::create(app, name, "owner", &["read", "write", "mcp"]).await
    }
}

async fn share(owner: &Client, server: i64, user: i64, role: &str) -> Value {
    owner.create(&format!("/servers/{server}/members"), json!({"user_id": user, "role": role})).await
}

async fn the_keys_of_a_disabled_user_are_refused_and_their_servers_still_work(service: &ApiFixture) {
    let app = &service.app;
    let alice = TestUser::owner(app, "alice").await;
    let server = alice.client.create("/servers", json!({"name": "S", "auth_type": "api-key"})).await;
    let endpoint_key = alice.client.create(&format!("/servers/{}/keys", id(&server)), json!({"name": "k"})).await;
    let url = server["endpoint_url"].as_str().unwrap();
    let list_tools = async |key: &Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
        let request = app.client_with_key(key["key"].as_str()).post(url).json(body);
        request.header("accept", "application/json, text/event-stream").send().await
    };
    assert_eq!(list_tools(&alice.key).await.status, 200);
    let mut events = alice.client.get("/calls/stream").open().await.events().await;

    let path = format!("/users/{}", alice.id);
    let disabled = service.api.patch(&path).json(json!({"disabled": true})).send().await.expect(200).json();
    assert_eq!((&disabled["disabled"], &disabled["name"]), (&json!(true), &json!("alice")));
    let refused = alice.client.get("/servers").send().await;
    assert_error(&refused, 401, "rest_user_disabled");
    assert!(refused.json()["message"].as_str().unwrap().contains("disabled"), "{refused:?}");
    assert!(events.next().await.is_none(), "the open stream ends");
    let refused = list_tools(&alice.key).await;
    assert_eq!(refused.status, 401, "{refused:?}");
    assert!(refused.text().contains("disabled"), "{refused:?}");
    assert_eq!(list_tools(&endpoint_key).await.status, 200, "the server still works");
    let refusals = service.api.read("/analytics/refusals").await;
    assert_eq!((&refusals[0]["reason"], &refusals[0]["status"]), (&json!("disabled_user"), &json!(401)), "{refusals}");

    service.api.patch(&path).json(json!({"disabled": false})).send().await.expect(200);
    alice.client.read("/servers").await;
    assert_eq!(list_tools(&alice.key).await.status, 200);
    let last = service.api.patch("/users/1").json(json!({"disabled": true})).send().await;
    assert_error(&last, 409, "rest_cannot_update");
    let demoted = service.api.patch("/users/1").json(json!({"role": "viewer"})).send().await;
    assert_error(&demoted, 409, "rest_cannot_update");
}

async fn a_server_is_handed_over_by_an_administrator_only(service: &ApiFixture) {
    let app = &service.app;
    let (alice, bob) = (TestUser::owner(app, "alice").await, TestUser::owner(app, "bob").await);
    let objects = OwnedObjects::create(&alice.client, "S").await;
    let path = format!("/servers/{}", objects.server);
    let refused = alice.client.patch(&path).json(json!({"user_id": bob.id})).send().await;
    assert_error(&refused, 403, "rest_forbidden");
    assert!(refused.json()["message"].as_str().unwrap().contains("administrators"), "{refused:?}");
    let mut whole = alice.client.read(&path).await;
    whole["name"] = json!("Renamed");
    whole.as_object_mut().unwrap().remove("settings");
    let renamed = alice.client.put(&path).json(whole).send().await.expect(200).json();
    assert_eq!((&renamed["name"], &renamed["user_id"]), (&json!("Renamed"), &json!(alice.id)));

    let admin = &service.api;
    let disabled = admin.create_user("disabled", "owner").await;
    admin.patch(&format!("/users/{disabled}")).json(json!({"disabled": true})).send().await.expect(200);
    for user in [ABSENT_ID, disabled] {
        assert_refused(&admin.patch(&path).json(json!({"user_id": user})).send().await, "user_id");
    }
    let moved = admin.patch(&path).json(json!({"user_id": bob.id})).send().await.expect(200).json();
    assert_eq!((&moved["user_id"], &moved["endpoint_url"]), (&json!(bob.id), &renamed["endpoint_url"]));
    assert_error(&alice.client.get(&path).send().await, 404, "rest_server_invalid_id");
    assert_eq!(bob.client.read(&format!("/tools/{}", objects.tool)).await["name"], "t");
    bob.client.delete(&path).send().await.expect(200);
}

async fn owners_manage_their_own_keys_within_their_own_rights(service: &ApiFixture) {
    let app = &service.app;
    let alice = TestUser::create(app, "alice", "owner", &["read", "write", "admin"]).await;
    let bob = TestUser::create(app, "bob", "owner", &["write"]).await;
    let created = bob.client.create("/api-keys", json!({"name": "mine"})).await;
    assert_eq!((&created["user_id"], &created["scopes"]), (&json!(bob.id), &json!(["read", "write"])));
    app.client_with_key(created["key"].as_str()).read("/servers").await;
    let listed = bob.client.read("/api-keys").await;
    assert_eq!(listed.as_array().unwrap().iter().map(id).collect::<Vec<_>>(), [id(&bob.key), id(&created)]);
    for (client, scope) in [(&bob.client, "mcp"), (&bob.client, "admin"), (&alice.client, "admin")] {
        let beyond = client.post("/api-keys").json(json!({"name": "k", "scopes": ["read", scope]})).send().await;
        assert_refused(&beyond, "scopes");
    }
    let foreign = bob.client.post("/api-keys").json(json!({"name": "k", "user_id": alice.id})).send().await;
    assert_error(&foreign, 403, "rest_forbidden");
    for key in [id(&alice.key), 1] {
        let path = format!("/api-keys/{key}");
        assert_error(&bob.client.get(&path).send().await, 404, "rest_api_key_invalid_id");
        assert_error(&bob.client.delete(&path).send().await, 404, "rest_api_key_invalid_id");
    }
    bob.client.delete(&format!("/api-keys/{}", id(&created))).send().await.expect(200);
    assert_eq!(app.client_with_key(created["key"].as_str()).get("/servers").send().await.status, 401);
    let viewer = TestUser::create(app, "viewer", "viewer", &["read", "write"]).await;
    assert_eq!(viewer.client.read("/api-keys").await.as_array().unwrap().len(), 1);
    assert_error(&viewer.client.post("/api-keys").json(json!({"name": "k"})).send().await, 403, "rest_forbidden");
}

async fn an_expiring_key_cannot_create_a_key_that_outlives_it(service: &ApiFixture) {
    let app = &service.app;
    let user = service.api.create_user("alice", "owner").await;
    let end = "2090-01-01T00:00:00";
    let key = json!({"name": "k", "user_id": user, "scopes": ["write"], "expires_at": end});
    let key = service.api.create("/api-keys", key).await;
    let client = app.client_with_key(key["key"].as_str());
    let later = json!({"name": "k", "expires_at": "2090-01-01T00:00:01"});
    assert_refused(&client.post("/api-keys").json(later).send().await, "expires_at");
    assert_eq!(client.create("/api-keys", json!({"name": "k"})).await["expires_at"], end);
    let earlier = json!({"name": "k", "expires_at": "2089-01-01T00:00:00"});
    assert_eq!(client.create("/api-keys", earlier).await["expires_at"], "2089-01-01T00:00:00");
}

/// All routes about a server or its objects, with their addresses.
async fn server_routes(app: &RunningService, objects: &OwnedObjects, user: i64) -> Vec<(ApiRoute, String)> {
    let is_about_servers = |route: &ApiRoute| {
        // A grant needs a person with a browser: `oauth::grant_routes` tests these routes.
        !route.path.contains("{grant_id}")
            && ["/servers/{", "/tools/{", "/calls/{"].iter().any(|start| route.path.starts_with(start))
    };
    let mut all: Vec<ApiRoute> = routes::all(app).await.into_iter().filter(is_about_servers).collect();
    // The server itself is deleted last.
    all.sort_by_key(|route| (route.method == Method::DELETE, route.path == "/servers/{id}"));
    all.into_iter().map(|route| (route.clone(), route.address(&|kind| id_of(objects, kind, user)))).collect()
}

async fn send(route: &ApiRoute, address: &str, client: &Client, objects: &OwnedObjects) -> TestResponse {
    route.request(client, address, objects.tool).send().await
}

async fn a_viewer_reads_a_shared_server_and_every_write_is_refused(service: &ApiFixture) {
    let app = &service.app;
    let (alice, bob) = (TestUser::owner(app, "alice").await, TestUser::owner(app, "bob").await);
    let objects = OwnedObjects::create(&alice.client, "Shared").await.with_call(&alice.client).await;
    let member = share(&alice.client, objects.server, bob.id, "viewer").await;
    let carol = service.api.create_user("carol", "owner").await;
    share(&alice.client, objects.server, carol, "viewer").await;
    assert_eq!((&member["user_name"], &member["role"]), (&json!("bob"), &json!("viewer")));
    let memberships = bob.client.read("/me").await["memberships"].clone();
    assert_eq!(memberships, json!([{"server_id": objects.server, "role": "viewer"}]));
    let mut writes = 0;
    for (route, address) in server_routes(app, &objects, carol).await {
        let reply = send(&route, &address, &bob.client, &objects).await;
        if route.is_read() && !route.path.contains("/keys") && !route.path.contains("/grants") {
            assert_eq!(reply.status, 200, "{reply:?}");
        } else {
            assert_error(&reply, 403, "rest_forbidden");
            assert!(reply.json()["message"].as_str().unwrap().contains("role"), "{reply:?}");
            writes += 1;
        }
    }
    assert!(writes > 20, "only {writes} writes were refused");
    let shared = bob.client.read("/servers").await;
    assert_eq!(shared.as_array().unwrap().iter().map(id).collect::<Vec<_>>(), [objects.server]);
    alice.client.read(&format!("/tools/{}", objects.tool)).await;
}

async fn an_editor_changes_a_shared_server_and_cannot_escalate(service: &ApiFixture) {
    let app = &service.app;
    let (alice, bob) = (TestUser::owner(app, "alice").await, TestUser::owner(app, "bob").await);
    let objects = OwnedObjects::create(&alice.client, "Shared").await.with_call(&alice.client).await;
    let carol = service.api.create_user("carol", "owner").await;
    share(&alice.client, objects.server, bob.id, "editor").await;
    let path = format!("/servers/{}", objects.server);
    let stolen = bob.client.patch(&path).json(json!({"user_id": bob.id})).send().await;
    assert_error(&stolen, 403, "rest_forbidden");
    let add = json!({"user_id": carol, "role": "editor"});
    assert_error(&bob.client.post(&format!("{path}/members")).json(add).send().await, 403, "rest_forbidden");
    share(&alice.client, objects.server, carol, "viewer").await;
    for (route, address) in server_routes(app, &objects, carol).await {
        let reply = send(&route, &address, &bob.client, &objects).await;
        let is_reserved = !route.is_read() && route.path.contains("/members")
            || route.path.contains("/grants")
            || route.path.ends_with("/duplicate") && route.path.starts_with("/servers/")
            || (route.method == Method::DELETE && route.path == "/servers/{id}");
        if is_reserved {
            assert_error(&reply, 403, "rest_forbidden");
        } else {
            assert!(matches!(reply.status, 200 | 201), "{reply:?}");
        }
    }
    assert_eq!(alice.client.read(&format!("{path}/members")).await.as_array().unwrap().len(), 2);
}

async fn a_user_with_the_role_viewer_stays_a_viewer(service: &ApiFixture) {
    let app = &service.app;
    let (alice, bob) = (TestUser::owner(app, "alice").await, TestUser::owner(app, "bob").await);
    let server = create_server(&alice.client, "S").await;
    let members = format!("/servers/{server}/members");
    let viewer = TestUser::create(app, "viewer", "viewer", &["read", "write"]).await;
    let editor = json!({"user_name": "viewer", "role": "editor"});
    assert_refused(&alice.client.post(&members).json(editor).send().await, "role");
    alice.client.create(&members, json!({"user_name": "viewer"})).await;
    viewer.client.read(&format!("/servers/{server}")).await;
    assert_error(
        &alice.client.post(&members).json(json!({"user_id": viewer.id})).send().await,
        409,
        "rest_member_exists",
    );
    assert_missing(&alice.client.post(&members).json(json!({})).send().await, &["user_id"]);
    for user in [ABSENT_ID, alice.id] {
        assert_refused(&alice.client.post(&members).json(json!({"user_id": user})).send().await, "user_id");
    }
    // An administrator gives an editor the role viewer.
    share(&alice.client, server, bob.id, "editor").await;
    service.api.patch(&format!("/users/{}", bob.id)).json(json!({"role": "viewer"})).send().await.expect(200);
    let refused = bob.client.patch(&format!("/servers/{server}")).json(json!({"name": "x"})).send().await;
    assert_error(&refused, 403, "rest_forbidden");
    assert_eq!(bob.client.read("/me").await["memberships"][0]["role"], "viewer");
}

async fn a_removed_member_no_longer_sees_the_server_and_its_calls_in_an_open_stream(service: &ApiFixture) {
    let app = &service.app;
    let (alice, bob) = (TestUser::owner(app, "alice").await, TestUser::owner(app, "bob").await);
    let (objects, own) =
        (OwnedObjects::create(&alice.client, "Shared").await, OwnedObjects::create(&bob.client, "Own").await);
    share(&alice.client, objects.server, bob.id, "viewer").await;
    let mut events = bob.client.get("/calls/stream").open().await.events().await;
    let call = async |client: &Client, server: i64| {
        let server = client.read(&format!("/servers/{server}")).await;
        McpClient::new(server["endpoint_url"].as_str().unwrap()).call("t", json!({})).await;
    };
    let mut next_server = async || loop {
        let event = events.next().await.unwrap();
        if event.kind == "call" {
            return event.json()["server_id"].as_i64().unwrap();
        }
    };
    call(&alice.client, objects.server).await;
    assert_eq!(next_server().await, objects.server);
    let path = format!("/servers/{}/members/{}", objects.server, bob.id);
    let removed = alice.client.delete(&path).send().await.expect(200).json();
    assert_eq!(removed["previous"]["user_name"], "bob");
    assert_error(&bob.client.get(&format!("/servers/{}", objects.server)).send().await, 404, "rest_server_invalid_id");
    call(&alice.client, objects.server).await;
    call(&bob.client, own.server).await;
    assert_eq!(next_server().await, own.server, "the stream continues without the calls of the other server");
    assert_error(&alice.client.delete(&path).send().await, 404, "rest_member_invalid_id");
}

async fn members_see_the_calls_and_reports_of_shared_servers_only(service: &ApiFixture) {
    let app = &service.app;
    let (alice, bob) = (TestUser::owner(app, "alice").await, TestUser::owner(app, "bob").await);
    let shared = OwnedObjects::create(&alice.client, "Shared").await.with_call(&alice.client).await;
    let private = OwnedObjects::create(&alice.client, "Private").await.with_call(&alice.client).await;
    share(&alice.client, shared.server, bob.id, "viewer").await;
    let calls = bob.client.read("/calls").await;
    assert_eq!(calls.as_array().unwrap().iter().map(id).collect::<Vec<_>>(), [shared.call]);
    let csv = bob.client.get("/calls?format=csv").send().await.expect(200).text();
    assert!(csv.contains("Shared") && !csv.contains("Private"), "{csv}");
    bob.client.read(&format!("/calls/{}", shared.call)).await;
    let hidden = bob.client.get(&format!("/calls/{}", private.call)).send().await;
    assert_error(&hidden, 404, "rest_call_invalid_id");
    let overview = bob.client.read("/analytics/overview").await;
    assert_eq!((&overview["total_servers"], &overview["calls_today"]), (&json!(1), &json!(1)), "{overview}");
    assert_eq!(bob.client.read("/analytics/client-breakdown").await[0]["total_calls"], 1);
    let sum = async |query: &str| {
        let points = bob.client.read(&format!("/analytics/timeseries{query}")).await;
        points.as_array().unwrap().iter().map(|point| point["calls"].as_i64().unwrap()).sum::<i64>()
    };
    assert_eq!(sum("").await, 1);
    for (objects, expected) in [(shared, 1), (private, 0)] {
        assert_eq!(sum(&format!("?server={}", objects.server)).await, expected);
        assert_eq!(sum(&format!("?tool={}", objects.tool)).await, expected);
        let usage = bob.client.read(&format!("/analytics/servers?servers={}", objects.server)).await;
        assert_eq!(usage[0]["calls"], expected, "{usage}");
    }
    let ids = async |path: &str, field: &str| {
        let rows = bob.client.read(path).await;
        rows.as_array().unwrap().iter().map(|row| row[field].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(ids("/analytics/tools", "tool_id").await, [shared.tool]);
    assert_eq!(ids("/analytics/keys", "server_id").await, [shared.server]);
    let changes = ids("/audit?per_page=100", "server_id").await;
    assert!(!changes.is_empty() && changes.iter().all(|server| *server == shared.server), "{changes:?}");
}

async fn the_calls_of_a_deleted_tool_follow_the_server_to_its_new_owner(service: &ApiFixture) {
    let app = &service.app;
    let [alice, bob, carol] =
        [TestUser::owner(app, "alice").await, TestUser::owner(app, "bob").await, TestUser::owner(app, "carol").await];
    let objects = OwnedObjects::create(&alice.client, "Moved").await.with_call(&alice.client).await;
    share(&alice.client, objects.server, carol.id, "viewer").await;
    alice.client.delete(&format!("/tools/{}", objects.tool)).send().await.expect(200);
    let calls = async |user: &TestUser| {
        let points = user.client.read(&format!("/analytics/timeseries?tool={}", objects.tool)).await;
        points.as_array().unwrap().iter().map(|point| point["calls"].as_i64().unwrap()).sum::<i64>()
    };
    assert_eq!((calls(&alice).await, calls(&bob).await, calls(&carol).await), (1, 0, 1));
    let path = format!("/servers/{}", objects.server);
    service.api.patch(&path).json(json!({"user_id": bob.id})).send().await.expect(200);
    assert_eq!((calls(&alice).await, calls(&bob).await, calls(&carol).await), (0, 1, 1));
}

async fn a_member_can_leave(service: &ApiFixture) {
    let app = &service.app;
    let (alice, bob) = (TestUser::owner(app, "alice").await, TestUser::owner(app, "bob").await);
    let server = id(&alice.client.create("/servers", json!({"name": "S"})).await);
    share(&alice.client, server, bob.id, "viewer").await;
    let path = format!("/servers/{server}/members/{}", bob.id);
    bob.client.delete(&path).send().await.expect(200);
    assert_eq!(bob.client.read("/me").await["memberships"], json!([]));
    let hidden = bob.client.get(&format!("/servers/{server}")).send().await;
    assert_error(&hidden, 404, "rest_server_invalid_id");
}

async fn a_server_is_not_handed_over_to_a_viewer(service: &ApiFixture) {
    let viewer = service.api.create_user("vera", "viewer").await;
    let server = service.api.create_default_server().await;
    let sent = json!({"user_id": viewer});
    assert_refused(&service.api.patch(&format!("/servers/{server}")).json(sent).send().await, "user_id");
}
