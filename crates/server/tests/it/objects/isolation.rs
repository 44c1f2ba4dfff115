//! Another user's object cannot be distinguished from an absent one (guarantee 33 in SECURITY.md).

use http::Method;
use serde_json::json;
use toolgate_testkit::database_fixture::{DatabaseFixture, DatabaseTarget};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, Client, McpClient};

use super::fixtures::{ABSENT_ID, OwnedObjects, assert_error, client_with_role, create_server, create_tool};
use super::routes::{self, ApiRoute, comparable, id_of};

on_both_databases![
    every_route_treats_a_foreign_object_as_absent,
    foreign_children_under_the_callers_server_are_absent,
    filters_treat_a_foreign_id_as_absent,
    lists_and_totals_include_only_the_callers_objects,
    an_administrator_sees_and_changes_everything,
    foreign_tools_cannot_be_included_in_a_reorder,
    names_used_by_other_users_do_not_conflict,
];

/// Two users: Alice sends requests for Bob's objects.
struct TwoOwners {
    service: ApiFixture,
    alice: Client,
    bob: Client,
    alices_objects: OwnedObjects,
    bobs_objects: OwnedObjects,
}

impl DatabaseFixture for TwoOwners {
    async fn open(target: DatabaseTarget) -> Self {
        let service = ApiFixture::open(target).await;
        let alice = service.api.user_client("alice", "owner").await;
        let bob = service.api.user_client("bob", "owner").await;
        let alices_objects = OwnedObjects::create(&alice, "Alice's").await;
        let bobs_objects = OwnedObjects::create(&bob, "Bob's").await.with_call(&bob).await;
        Self { service, alice, bob, alices_objects, bobs_objects }
    }
}

impl TwoOwners {
    /// All of Bob's objects as the API shows them to him.
    async fn bobs_view(&self) -> Vec<String> {
        let OwnedObjects { server, tool, prompt, resource, call, .. } = self.bobs_objects;
        let server_path = format!("/servers/{server}");
        let paths = [
            "/servers".to_owned(),
            server_path.clone(),
            format!("/tools/{tool}"),
            format!("{server_path}/tools"),
            format!("{server_path}/prompts/{prompt}"),
            format!("{server_path}/resources/{resource}"),
            format!("{server_path}/keys"),
            format!("/calls/{call}"),
        ];
        let mut view = Vec::new();
        for path in paths {
            view.push(self.bob.read(&path).await.to_string());
        }
        view
    }

    /// Checks that Alice gets the same reply for a foreign and for an absent object.
    async fn assert_same(&self, route: &ApiRoute, foreign: &str, absent: &str) {
        let mut methods = vec![route.method.clone()];
        if route.is_read() {
            methods.extend([Method::HEAD, Method::OPTIONS]);
        }
        for method in methods {
            let route = ApiRoute { method: method.clone(), ..route.clone() };
            let foreign_reply = route.request(&self.alice, foreign, self.alices_objects.tool).send().await;
            let absent_reply = route.request(&self.alice, absent, self.alices_objects.tool).send().await;
            assert_eq!(comparable(&foreign_reply), comparable(&absent_reply), "{foreign_reply:?} but {absent_reply:?}");
            if method == Method::OPTIONS {
                continue;
            }
            // The key of Alice is not one of an administrator, so it removes no account, whichever it is.
            let is_forbidden = route.is_admin_only() || route.path == "/me/identities/{identity_id}";
            assert_eq!(foreign_reply.status, if is_forbidden { 403 } else { 404 }, "{foreign_reply:?}");
            if foreign_reply.status == 404 && method != Method::HEAD {
                let code = foreign_reply.json()["code"].as_str().unwrap().to_owned();
                assert!(code.ends_with("_invalid_id"), "{foreign_reply:?}");
            }
        }
    }
}

async fn every_route_treats_a_foreign_object_as_absent(owners: &TwoOwners) {
    let view_before = owners.bobs_view().await;
    let mut checked = 0;
    for route in routes::all(&owners.service.app).await.iter().filter(|route| route.has_ids()) {
        // Bob's user id and API key id are 3: the administrator's are 1, and Alice's are 2.
        let foreign = route.address(&|kind| id_of(&owners.bobs_objects, kind, 3));
        let absent = route.address(&|kind| id_of(&OwnedObjects::NONE, kind, ABSENT_ID));
        owners.assert_same(route, &foreign, &absent).await;
        checked += 1;
    }
    assert!(checked > 30, "only {checked} routes have ids");
    assert_eq!(owners.bobs_view().await, view_before, "Bob's objects have not changed");
}

async fn foreign_children_under_the_callers_server_are_absent(owners: &TwoOwners) {
    let view_before = owners.bobs_view().await;
    let TwoOwners { alices_objects, bobs_objects, .. } = owners;
    let is_child_route =
        |route: &&ApiRoute| route.path.starts_with("/servers/{") && route.path.matches('{').count() == 2;
    for route in routes::all(&owners.service.app).await.iter().filter(is_child_route) {
        let address_of = |server: i64, child: &OwnedObjects| {
            route.address(&|kind| if kind == "servers" { server } else { id_of(child, kind, ABSENT_ID) })
        };
        for (foreign, absent) in [
            (address_of(alices_objects.server, bobs_objects), address_of(alices_objects.server, &OwnedObjects::NONE)),
            (address_of(bobs_objects.server, alices_objects), address_of(ABSENT_ID, &OwnedObjects::NONE)),
            (address_of(bobs_objects.server, &OwnedObjects::NONE), address_of(ABSENT_ID, &OwnedObjects::NONE)),
            (address_of(ABSENT_ID, bobs_objects), address_of(ABSENT_ID, &OwnedObjects::NONE)),
        ] {
            owners.assert_same(route, &foreign, &absent).await;
        }
    }
    assert_eq!(owners.bobs_view().await, view_before, "Bob's objects have not changed");
}

async fn filters_treat_a_foreign_id_as_absent(owners: &TwoOwners) {
    let TwoOwners { alice, bob, bobs_objects, .. } = owners;
    // A refused request, so that the report on refusals has an entry.
    let server = bob.read(&format!("/servers/{}", bobs_objects.server)).await;
    let foreign_page =
        McpClient::new(server["endpoint_url"].as_str().unwrap()).header("origin", "https://foreign.example");
    foreign_page.send("ping", json!({})).await.expect(403);
    let mut checked = 0;
    for route in routes::all(&owners.service.app).await.iter().filter(|route| !route.is_stream() && !route.has_ids()) {
        for name in route.query_names() {
            let foreign = match name.as_str() {
                "server" => bobs_objects.server,
                "tool" => bobs_objects.tool,
                "before" => bobs_objects.call + 1,
                _ => continue,
            };
            let fetch = |client: &Client, id: i64| client.get(&format!("{}?{name}={id}", route.path)).send();
            let (foreign_reply, absent_reply) = (fetch(alice, foreign).await, fetch(alice, ABSENT_ID).await);
            assert_eq!(comparable(&foreign_reply), comparable(&absent_reply), "{foreign_reply:?} but {absent_reply:?}");
            assert_ne!(fetch(bob, foreign).await.text(), foreign_reply.text(), "Bob sees an object there");
            checked += 1;
        }
    }
    assert!(checked >= 5, "only {checked} filters were checked");
}

async fn lists_and_totals_include_only_the_callers_objects(owners: &TwoOwners) {
    let TwoOwners { alice, alices_objects, .. } = owners;
    for query in ["", "?search=Bob", "?status=active", "?orderby=name&order=asc", "?per_page=1&page=2"] {
        let reply = alice.get(&format!("/servers{query}")).send().await.expect(200);
        assert!(!reply.text().contains("Bob"), "{reply:?}");
        let total = if query.contains("Bob") { "0" } else { "1" };
        assert_eq!(reply.header("x-wp-total"), Some(total), "{query}");
    }
    assert_eq!(id(&alice.read("/servers").await[0]), alices_objects.server);
    let overview = alice.read("/analytics/overview").await;
    assert_eq!((&overview["total_servers"], &overview["total_tools"]), (&json!(1), &json!(1)));
    let overview = owners.service.api.read("/analytics/overview").await;
    assert_eq!((&overview["total_servers"], &overview["total_tools"]), (&json!(2), &json!(2)));
    // A viewer sees only their own objects, and this viewer has none.
    let viewer = client_with_role(&owners.service.api, "viewer", "viewer", &["read"]).await;
    assert_eq!(viewer.read("/servers").await, json!([]));
    let hidden = viewer.get(&format!("/servers/{}", alices_objects.server)).send().await;
    assert_error(&hidden, 404, "rest_server_invalid_id");
}

async fn an_administrator_sees_and_changes_everything(owners: &TwoOwners) {
    let admin = &owners.service.api;
    let OwnedObjects { server, tool, prompt, .. } = owners.bobs_objects;
    assert_eq!(admin.read("/servers").await.as_array().unwrap().len(), 2);
    let path = format!("/servers/{server}");
    assert_eq!(admin.read(&path).await, owners.bob.read(&path).await);
    let owner = admin.read(&path).await["user_id"].clone();
    let renamed = admin.post(&path).json(json!({"name": "Inspected"})).send().await.expect(200).json();
    assert_eq!(renamed["user_id"], owner, "the owner does not change");
    admin.post(&format!("/tools/{tool}/toggle")).send().await.expect(200);
    admin.delete(&format!("{path}/prompts/{prompt}")).send().await.expect(200);
    let copy = admin.post(&format!("{path}/duplicate")).send().await.expect(201).json();
    assert!(copy["user_id"] == owner || copy["user_id"] == 1, "{copy}");
    assert_eq!(owners.bob.read(&path).await["name"], "Inspected");
}

async fn foreign_tools_cannot_be_included_in_a_reorder(owners: &TwoOwners) {
    let TwoOwners { alice, alices_objects, bobs_objects, .. } = owners;
    let second = create_tool(alice, alices_objects.server, "second").await;
    let path = format!("/servers/{}/tools", alices_objects.server);
    let tools_before = alice.read(&path).await;
    let other_server = create_server(alice, "Alice's other").await;
    let other_tool = create_tool(alice, other_server, "other").await;
    let reorder = |foreign_id: i64| {
        let ids = json!({"tool_ids": [second, foreign_id, alices_objects.tool]});
        alice.post(&format!("{path}/reorder")).json(ids).send()
    };
    let absent = reorder(ABSENT_ID).await;
    assert_error(&absent, 400, "rest_invalid_param");
    for foreign_id in [bobs_objects.tool, other_tool] {
        let foreign = reorder(foreign_id).await;
        let renumbered = foreign.text().replace(&format!(" {foreign_id}"), &format!(" {ABSENT_ID}"));
        assert_eq!(renumbered, absent.text(), "the reply is the same as for an absent tool");
    }
    assert_eq!(alice.read(&path).await, tools_before);
}

async fn names_used_by_other_users_do_not_conflict(owners: &TwoOwners) {
    let TwoOwners { alice, bob, .. } = owners;
    // Both servers already have tools, prompts and resources of the same names. A slug is unique only among the servers
    // of one user.
    let (first, second) = (
        bob.create("/servers", json!({"name": "Weather"})).await,
        alice.create("/servers", json!({"name": "Weather"})).await,
    );
    assert_eq!((&first["slug"], &second["slug"]), (&json!("weather"), &json!("weather")));
}
