//! Another user's object is exactly as absent as one that never was: rows 25 and 27 of the decisions, row 33
//! of the security requirements.

use http::Method;
use serde_json::json;
use toolgate_testkit::{Client, RunningService};

use super::backend::{Backend, on_both_databases};
use super::make::{ABSENT, OwnedObjects, assert_error, client_of, created, get, id, server, tool};
use super::routes::{self, ApiRoute, comparable, id_of};

on_both_databases![
    every_route_answers_for_a_foreign_object_as_for_an_absent_one,
    foreign_children_under_an_own_server_are_absent,
    asking_for_what_belongs_to_a_foreign_object_finds_as_little_as_for_an_absent_one,
    lists_and_figures_hold_only_what_is_the_callers,
    an_administrator_sees_and_changes_everything,
    foreign_tools_cannot_be_drawn_into_an_own_order,
    unique_names_of_others_are_not_in_the_way,
];

/// Alice, who asks, and Bob, whose objects she asks for.
struct TwoOwners {
    app: RunningService,
    alice: Client,
    bob: Client,
    of_alice: OwnedObjects,
    of_bob: OwnedObjects,
}

impl TwoOwners {
    async fn start(backend: &Backend) -> Self {
        let app = backend.start();
        let alice = client_of(&app, "alice", "owner", &["read", "write", "mcp"]).await;
        let bob = client_of(&app, "bob", "owner", &["read", "write", "mcp"]).await;
        let of_alice = OwnedObjects::create(&alice, "Alice's").await;
        let of_bob = OwnedObjects::create(&bob, "Bob's").await.with_a_call(&bob).await;
        Self { app, alice, bob, of_alice, of_bob }
    }

    /// Everything of Bob's, as he sees it.
    async fn bobs_view(&self) -> Vec<String> {
        let OwnedObjects { server, tool, prompt, resource, call, .. } = self.of_bob;
        let below = format!("/servers/{server}");
        let paths = [
            "/servers".to_owned(),
            below.clone(),
            format!("/tools/{tool}"),
            format!("{below}/tools"),
            format!("{below}/prompts/{prompt}"),
            format!("{below}/resources/{resource}"),
            format!("{below}/keys"),
            format!("/calls/{call}"),
        ];
        let mut view = Vec::new();
        for path in paths {
            view.push(get(&self.bob, &path).await.to_string());
        }
        view
    }

    /// Whether a route tells Alice the same of two addresses.
    async fn assert_same(&self, route: &ApiRoute, foreign: &str, absent: &str) {
        let mut methods = vec![route.method.clone()];
        if route.reads() {
            methods.extend([Method::HEAD, Method::OPTIONS]);
        }
        for method in methods {
            let route = ApiRoute { method: method.clone(), ..route.clone() };
            let of_bob = route.request(&self.alice, foreign, self.of_alice.tool).send().await;
            let of_absent = route.request(&self.alice, absent, self.of_alice.tool).send().await;
            assert_eq!(comparable(&of_bob), comparable(&of_absent), "{of_bob:?} but {of_absent:?}");
            if method == Method::OPTIONS {
                continue;
            }
            assert_eq!(of_bob.status, if route.is_for_admins() { 403 } else { 404 }, "{of_bob:?}");
            if of_bob.status == 404 && method != Method::HEAD {
                let code = of_bob.json()["code"].as_str().unwrap().to_owned();
                assert!(code.ends_with("_invalid_id"), "{of_bob:?}");
            }
        }
    }
}

async fn every_route_answers_for_a_foreign_object_as_for_an_absent_one(backend: &Backend) {
    let owners = TwoOwners::start(backend).await;
    let before = owners.bobs_view().await;
    let mut asked = 0;
    for route in routes::all(&owners.app).await.iter().filter(|route| route.has_ids()) {
        // Bob's key of the management API is number 3, Bob is user 3; the administrator has the first of each.
        let foreign = route.address(&|kind| id_of(&owners.of_bob, kind, 3));
        let absent = route.address(&|kind| id_of(&OwnedObjects::NONE, kind, ABSENT));
        owners.assert_same(route, &foreign, &absent).await;
        asked += 1;
    }
    assert!(asked > 30, "only {asked} routes with ids");
    assert_eq!(owners.bobs_view().await, before, "nothing was changed");
}

async fn foreign_children_under_an_own_server_are_absent(backend: &Backend) {
    let owners = TwoOwners::start(backend).await;
    let before = owners.bobs_view().await;
    let TwoOwners { of_alice, of_bob, .. } = &owners;
    let below_a_server =
        |route: &&ApiRoute| route.path.starts_with("/servers/{") && route.path.matches('{').count() == 2;
    for route in routes::all(&owners.app).await.iter().filter(below_a_server) {
        let with = |server: i64, child: &OwnedObjects| {
            route.address(&|kind| if kind == "servers" { server } else { id_of(child, kind, ABSENT) })
        };
        for (foreign, absent) in [
            (with(of_alice.server, of_bob), with(of_alice.server, &OwnedObjects::NONE)),
            (with(of_bob.server, of_alice), with(ABSENT, &OwnedObjects::NONE)),
            (with(of_bob.server, &OwnedObjects::NONE), with(ABSENT, &OwnedObjects::NONE)),
            (with(ABSENT, of_bob), with(ABSENT, &OwnedObjects::NONE)),
        ] {
            owners.assert_same(route, &foreign, &absent).await;
        }
    }
    assert_eq!(owners.bobs_view().await, before, "nothing was changed");
}

async fn asking_for_what_belongs_to_a_foreign_object_finds_as_little_as_for_an_absent_one(backend: &Backend) {
    let owners = TwoOwners::start(backend).await;
    let TwoOwners { alice, bob, of_bob, .. } = &owners;
    let mut asked = 0;
    for route in routes::all(&owners.app).await.iter().filter(|route| route.ends() && !route.has_ids()) {
        for name in route.query_names() {
            let foreign = match name.as_str() {
                "server" => of_bob.server,
                "tool" => of_bob.tool,
                "before" => of_bob.call + 1,
                _ => continue,
            };
            let ask = |client: &Client, id: i64| client.get(&format!("{}?{name}={id}", route.path)).send();
            let (of_bob, of_absent) = (ask(alice, foreign).await, ask(alice, ABSENT).await);
            assert_eq!(comparable(&of_bob), comparable(&of_absent), "{of_bob:?} but {of_absent:?}");
            assert_ne!(ask(bob, foreign).await.text(), of_bob.text(), "there is something to find");
            asked += 1;
        }
    }
    assert!(asked >= 5, "only {asked} filters");
}

async fn lists_and_figures_hold_only_what_is_the_callers(backend: &Backend) {
    let owners = TwoOwners::start(backend).await;
    let TwoOwners { alice, of_alice, .. } = &owners;
    for query in ["", "?search=Bob", "?status=active", "?orderby=name&order=asc", "?per_page=1&page=2"] {
        let reply = alice.get(&format!("/servers{query}")).send().await.expect(200);
        assert!(!reply.text().contains("Bob"), "{reply:?}");
        let total = if query.contains("Bob") { "0" } else { "1" };
        assert_eq!(reply.header("x-wp-total"), Some(total), "{query}");
    }
    assert_eq!(id(&get(alice, "/servers").await[0]), of_alice.server);
    let overview = get(alice, "/analytics/overview").await;
    assert_eq!((&overview["total_servers"], &overview["total_tools"]), (&json!(1), &json!(1)));
    let overview = get(&owners.app.client(), "/analytics/overview").await;
    assert_eq!((&overview["total_servers"], &overview["total_tools"]), (&json!(2), &json!(2)));
    // A viewer sees what is the viewer's own: nothing yet.
    let viewer = client_of(&owners.app, "viewer", "viewer", &["read"]).await;
    assert_eq!(get(&viewer, "/servers").await, json!([]));
    let hidden = viewer.get(&format!("/servers/{}", of_alice.server)).send().await;
    assert_error(&hidden, 404, "rest_server_invalid_id");
}

async fn an_administrator_sees_and_changes_everything(backend: &Backend) {
    let owners = TwoOwners::start(backend).await;
    let admin = owners.app.client();
    let OwnedObjects { server, tool, prompt, .. } = owners.of_bob;
    assert_eq!(get(&admin, "/servers").await.as_array().unwrap().len(), 2);
    let path = format!("/servers/{server}");
    assert_eq!(get(&admin, &path).await, get(&owners.bob, &path).await);
    let owner = get(&admin, &path).await["user_id"].clone();
    let renamed = admin.post(&path).json(json!({"name": "Inspected"})).send().await.expect(200).json();
    assert_eq!(renamed["user_id"], owner, "the owner stays");
    admin.post(&format!("/tools/{tool}/toggle")).send().await.expect(200);
    admin.delete(&format!("{path}/prompts/{prompt}")).send().await.expect(200);
    let copy = admin.post(&format!("{path}/duplicate")).send().await.expect(201).json();
    assert!(copy["user_id"] == owner || copy["user_id"] == 1, "{copy}");
    assert_eq!(get(&owners.bob, &path).await["name"], "Inspected");
}

async fn foreign_tools_cannot_be_drawn_into_an_own_order(backend: &Backend) {
    let owners = TwoOwners::start(backend).await;
    let TwoOwners { alice, of_alice, of_bob, .. } = &owners;
    let second = tool(alice, of_alice.server, "second").await;
    let path = format!("/servers/{}/tools", of_alice.server);
    let before = get(alice, &path).await;
    let elsewhere = server(alice, "Alice's other").await;
    let elsewhere = tool(alice, elsewhere, "elsewhere").await;
    let order = |stranger: i64| {
        let ids = json!({"tool_ids": [second, stranger, of_alice.tool]});
        alice.post(&format!("{path}/reorder")).json(ids).send()
    };
    let absent = order(ABSENT).await;
    assert_error(&absent, 400, "rest_invalid_param");
    for stranger in [of_bob.tool, elsewhere] {
        let foreign = order(stranger).await;
        let renumbered = foreign.text().replace(&format!(" {stranger}"), &format!(" {ABSENT}"));
        assert_eq!(renumbered, absent.text(), "no more is told of it than of one that is absent");
    }
    assert_eq!(get(alice, &path).await, before);
}

async fn unique_names_of_others_are_not_in_the_way(backend: &Backend) {
    let owners = TwoOwners::start(backend).await;
    let TwoOwners { alice, bob, .. } = &owners;
    // Tools, prompts and resources of the same names stand in both servers already. Slugs are unique over all,
    // for they are part of a public address; a generated one steps aside.
    let (first, second) = (
        created(bob, "/servers", json!({"name": "Weather"})).await,
        created(alice, "/servers", json!({"name": "Weather"})).await,
    );
    assert_eq!(first["slug"], "weather");
    assert!(second["slug"].as_str().unwrap().starts_with("weather"), "{second}");
}
