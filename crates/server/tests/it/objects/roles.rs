//! Roles and scopes (guarantee 32 in SECURITY.md). The tests cover every route of the OpenAPI document.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, Client, RunningService, TestResponse};

use super::api_keys::{expiring_key, wait_until_refused};
use super::fixtures::{ABSENT_ID, OwnedObjects, assert_error, client_with_role, create_key};
use super::routes::{self, ApiRoute, comparable, id_of};

on_both_databases![
    without_a_valid_key_every_route_returns_the_same_401,
    a_key_outside_the_authorization_header_is_refused,
    public_routes_need_no_key_and_reveal_no_objects,
    a_viewer_may_only_read,
    a_read_only_key_cannot_write,
    only_administrators_reach_users_and_settings,
    a_key_with_only_the_mcp_scope_is_refused,
    a_member_reads_only_their_own_data,
    keys_of_a_member_have_the_scope_mcp_only,
    a_method_override_needs_the_rights_of_the_effective_method,
];

/// Only the challenge says that a key has expired.
const EXPIRED_CHALLENGE: &str = "Bearer error=\"invalid_token\", error_description=\"The API key has expired\"";

async fn without_a_valid_key_every_route_returns_the_same_401(service: &ApiFixture) {
    let app = &service.app;
    let mine = OwnedObjects::create(&service.api, "Mine").await;
    let expired = expiring_key(app).await;
    let revoked = create_key(&service.api, 1, &["admin"]).await;
    let deleted_user = service.api.create_user("deleted_user", "admin").await;
    let orphaned = create_key(&service.api, deleted_user, &["admin"]).await;
    service.api.delete(&format!("/api-keys/{}", id(&revoked))).send().await.expect(200);
    service.api.delete(&format!("/users/{deleted_user}")).send().await.expect(200);
    wait_until_refused(app, &expired).await;
    let bearer = |key: &Value| format!("Bearer {}", key["key"].as_str().unwrap());
    let expired = Some(bearer(&expired));
    let authorizations = [
        None,
        Some(String::new()),
        Some("Bearer".to_owned()),
        Some("Bearer ".to_owned()),
        Some(format!("Basic {}", app.key())),
        Some(app.key()),
        Some("Bearer tg_ünïcode".to_owned()),
        Some(format!("Bearer {}x", app.key())),
        Some(format!("Bearer {}", "x".repeat(10_000))),
        Some("Bearer tg_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG".to_owned()),
        Some(bearer(&revoked)),
        Some(bearer(&orphaned)),
        expired.clone(),
    ];
    let anonymous = app.client_with_key(None);
    let mut expected = None;
    for route in routes::all(app).await.iter().filter(|route| !route.is_public) {
        // The reply does not depend on whether the object exists or the body is valid.
        let (existing, absent) = (address(route, &mine), address(route, &OwnedObjects::NONE));
        for (number, authorization) in authorizations.iter().enumerate() {
            let request = anonymous.request(route.method.clone(), if number % 2 == 0 { &existing } else { &absent });
            let request = if number % 3 == 0 { request.body("{broken") } else { request };
            let request = match authorization {
                Some(value) => request.header("authorization", value),
                None => request,
            };
            let reply = request.send().await;
            assert_error(&reply, 401, "rest_forbidden");
            let challenge = if *authorization == expired { EXPIRED_CHALLENGE } else { "Bearer" };
            assert_eq!(reply.header("www-authenticate"), Some(challenge));
            let mut shown = comparable(&reply);
            shown.1.retain(|(name, _)| name != "www-authenticate");
            let first = expected.get_or_insert_with(|| shown.clone());
            assert_eq!(&shown, first, "{reply:?} with {authorization:?}");
        }
    }
    assert!(expected.is_some());
}

/// Sends a valid key everywhere except in the `Authorization` header.
async fn a_key_outside_the_authorization_header_is_refused(service: &ApiFixture) {
    let app = &service.app;
    let mine = OwnedObjects::create(&service.api, "Mine").await;
    let (anonymous, key) = (app.client_with_key(None), app.key());
    let names =
        ["key", "api_key", "apikey", "api-key", "access_token", "token", "bearer", "Authorization", "X-API-Key"];
    let query: Vec<String> = names.iter().map(|name| format!("{name}={key}")).collect();
    let query = format!("?{}&authorization=Bearer%20{key}", query.join("&"));
    let fields: Value = names.iter().map(|name| (*name, key.as_str())).collect();
    for route in routes::all(app).await.iter().filter(|route| !route.is_public) {
        let existing = address(route, &mine);
        let mut requests = vec![
            anonymous.request(route.method.clone(), &format!("{existing}{query}")),
            anonymous.request(route.method.clone(), &existing).json(fields.clone()),
            anonymous
                .request(route.method.clone(), &existing)
                .header("x-api-key", &key)
                .header("cookie", &format!("key={key}")),
        ];
        if route.is_read() {
            requests.push(anonymous.request(Method::HEAD, &format!("{existing}{query}")));
        }
        for request in requests {
            let reply = request.send().await.expect(401);
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"), "{reply:?}");
        }
    }
}

fn address(route: &ApiRoute, objects: &OwnedObjects) -> String {
    route.address(&|kind| id_of(objects, kind, 1))
}

async fn public_routes_need_no_key_and_reveal_no_objects(service: &ApiFixture) {
    let app = &service.app;
    let mine = OwnedObjects::create(&service.api, "Recognisable").await;
    let anonymous = app.client_with_key(None);
    let public: Vec<ApiRoute> = routes::all(app).await.into_iter().filter(|route| route.is_public).collect();
    let paths: Vec<&str> = public.iter().map(|route| route.path.as_str()).collect();
    assert_eq!(paths, ["/openapi.json"], "every public route is listed here");
    let discovery = format!("{}/wp-json/", app.origin());
    for path in ["/openapi.json", "", discovery.as_str()] {
        for key in [None, Some("tg_wrong")] {
            let reply = app.client_with_key(key).get(path).send().await.expect(200);
            assert!(!reply.text().contains("Recognisable") && !reply.text().contains("recognisable"), "{reply:?}");
        }
    }
    for route in routes::all(app).await {
        let existing = anonymous.options(&address(&route, &mine)).send().await.expect(200);
        let absent = anonymous.options(&address(&route, &OwnedObjects::NONE)).send().await.expect(200);
        assert_eq!(comparable(&existing), comparable(&absent));
    }
}

/// Sends a request to every route, deletions last, and calls `check` with each reply.
async fn request_all(
    app: &RunningService,
    client: &Client,
    objects: &OwnedObjects,
    mut check: impl FnMut(&ApiRoute, &TestResponse),
) {
    let mut all = routes::all(app).await;
    all.sort_by_key(|route| (route.method == Method::DELETE, !route.has_ids()));
    for route in all.iter().filter(|route| !route.is_public) {
        let address = route.address(&|kind| id_of(objects, kind, 1));
        let request = route.request(client, &address, objects.tool);
        let reply = request.open().await;
        // An event stream does not end, so only its head is read.
        let is_endless = reply.status == 200 && route.is_stream();
        check(route, &if is_endless { reply.into_head() } else { reply.read_to_end().await });
        if !route.is_read() {
            // Rights are checked before the body is parsed.
            let request = client.request(route.method.clone(), &address).body("{broken");
            check(route, &request.send().await);
        }
    }
}

/// The reply to a change of what is the caller's own. An account outlives a limited key, so such a key removes none.
#[track_caller]
fn assert_own_change(route: &ApiRoute, reply: &TestResponse) {
    // A body that cannot be read is refused before.
    if route.path == "/me/identities/{identity_id}" && reply.status != 400 {
        assert_error(reply, 403, "rest_forbidden");
        assert!(reply.json()["message"].as_str().unwrap().contains("with a limited key"), "{reply:?}");
    } else {
        assert!(matches!(reply.status, 201 | 400 | 404), "{reply:?}");
    }
}

/// Checks that a caller with read access gets 403 for everything else, and that the objects do not change.
async fn assert_read_only(app: &RunningService, reader: &Client, objects: &OwnedObjects, may_change_own_data: bool) {
    let paths = [format!("/servers/{}", objects.server), format!("/tools/{}", objects.tool)];
    let mut objects_before = Vec::new();
    for path in &paths {
        objects_before.push(app.client().read(path).await);
    }
    request_all(app, reader, objects, |route, reply| {
        if route.is_read() && !route.is_admin_only() {
            // The log is empty, the server has no members, and the first key belongs to the administrator.
            match route.path.as_str() {
                "/calls/{id}"
                | "/servers/{id}/members/{user_id}"
                | "/servers/{id}/grants/{grant_id}"
                | "/me/grants/{grant_id}" => assert_eq!(reply.status, 404, "{reply:?}"),
                "/api-keys/{id}" => assert!(matches!(reply.status, 200 | 404), "{reply:?}"),
                _ => assert_eq!(reply.status, 200, "{reply:?}"),
            }
        } else if route.changes_own_data() && may_change_own_data {
            assert_own_change(route, reply);
        } else {
            assert_error(reply, 403, "rest_forbidden");
            assert_eq!(reply.json()["message"], "Sorry, you are not allowed to do that.");
        }
    })
    .await;
    for (path, object_before) in paths.iter().zip(objects_before) {
        assert_eq!(app.client().read(path).await, object_before);
    }
    reader.head("/servers").send().await.expect(200);
    reader.options("/servers").send().await.expect(200);
}

async fn a_viewer_may_only_read(service: &ApiFixture) {
    let app = &service.app;
    // A viewer owns no objects, so reading by id returns 404; changes return 403.
    let viewer = client_with_role(&service.api, "viewer", "viewer", &["read", "write", "admin", "mcp"]).await;
    let mine = OwnedObjects::create(&service.api, "Mine").await;
    request_all(app, &viewer, &mine, |route, reply| match (route.is_read(), route.is_admin_only()) {
        (true, false) if route.has_ids() => assert_eq!(reply.status, 404, "{reply:?}"),
        (true, false) => assert_eq!(reply.status, 200, "{reply:?}"),
        _ if route.changes_own_data() => assert_own_change(route, reply),
        _ => assert_error(reply, 403, "rest_forbidden"),
    })
    .await;
    // The refused requests have deleted nothing.
    service.api.read(&format!("/tools/{}", mine.tool)).await;
    viewer.head("/servers").send().await.expect(200);
    viewer.options("/servers").send().await.expect(200);
}

async fn a_read_only_key_cannot_write(service: &ApiFixture) {
    let app = &service.app;
    let owner = service.api.create_user("owner", "owner").await;
    let (write_key, read_key) =
        (create_key(&service.api, owner, &["write"]).await, create_key(&service.api, owner, &["read"]).await);
    let mine = OwnedObjects::create(&app.client_with_key(write_key["key"].as_str()), "Mine").await;
    assert_read_only(app, &app.client_with_key(read_key["key"].as_str()), &mine, false).await;
    let admin_read_key = create_key(&service.api, 1, &["read", "mcp"]).await;
    assert_read_only(app, &app.client_with_key(admin_read_key["key"].as_str()), &mine, true).await;
}

async fn only_administrators_reach_users_and_settings(service: &ApiFixture) {
    let app = &service.app;
    let owner = client_with_role(&service.api, "owner", "owner", &["read", "write", "admin", "mcp"]).await;
    let writer = create_key(&service.api, 1, &["read", "write", "mcp"]).await;
    let writer = app.client_with_key(writer["key"].as_str());
    let mut checked = 0;
    for route in routes::all(app).await.iter().filter(|route| route.is_admin_only()) {
        let address = route.address(&|kind| id_of(&OwnedObjects::NONE, kind, ABSENT_ID));
        for client in [&owner, &writer] {
            assert_error(&route.request(client, &address, 1).send().await, 403, "rest_forbidden");
        }
        let reply = route.request(&service.api, &address, 1).send().await;
        assert!(matches!(reply.status, 200 | 201 | 404), "{reply:?}");
        checked += 1;
    }
    assert!(checked >= 7, "only {checked} routes were checked");
    let settings = service.api.read("/settings").await;
    assert!(settings["version"].is_string() && settings["limits"].is_object(), "{settings}");
}

async fn a_key_with_only_the_mcp_scope_is_refused(service: &ApiFixture) {
    let app = &service.app;
    let mine = OwnedObjects::create(&service.api, "Mine").await;
    let key = create_key(&service.api, 1, &["mcp"]).await;
    let client = app.client_with_key(key["key"].as_str());
    request_all(app, &client, &mine, |route, reply| {
        if route.changes_own_data() {
            assert_own_change(route, reply);
        } else {
            assert_error(reply, 403, "rest_forbidden");
        }
    })
    .await;
}

/// A member uses servers and manages nothing: only `/me`, `/me/grants` and `/me/identities` are readable.
async fn a_member_reads_only_their_own_data(service: &ApiFixture) {
    let app = &service.app;
    let mine = OwnedObjects::create(&service.api, "Mine").await;
    let member = client_with_role(&service.api, "mia", "member", &["mcp"]).await;
    let user = service.api.create_user("was admin", "admin").await;
    let wide_key = create_key(&service.api, user, &["admin"]).await;
    service.api.patch(&format!("/users/{user}")).json(json!({"role": "member"})).send().await.expect(200);
    for client in [member, app.client_with_key(wide_key["key"].as_str())] {
        request_all(app, &client, &mine, |route, reply| match route.path.as_str() {
            "/me" | "/me/grants" | "/me/identities" => assert_eq!(reply.status, 200, "{reply:?}"),
            "/me/grants/{grant_id}" => assert!(matches!(reply.status, 400 | 404), "{reply:?}"),
            "/me/identities/{identity_id}" => assert_own_change(route, reply),
            "/me/signin-link" => assert!(matches!(reply.status, 201 | 400), "{reply:?}"),
            _ => {
                assert_error(reply, 403, "rest_forbidden");
                assert!(reply.json()["message"].as_str().unwrap().starts_with("Your role is member"), "{reply:?}");
            }
        })
        .await;
        assert_eq!(client.read("/me/grants").await, json!([]));
        let me = client.read("/me").await;
        assert_eq!(
            (&me["user"]["role"], &me["may_write"], &me["may_administer"]),
            (&json!("member"), &json!(false), &json!(false))
        );
    }
    service.api.read(&format!("/tools/{}", mine.tool)).await;
}

async fn keys_of_a_member_have_the_scope_mcp_only(service: &ApiFixture) {
    let member = service.api.create_user("mia", "member").await;
    let key = service.api.create("/api-keys", json!({"name": "k", "user_id": member})).await;
    assert_eq!(key["scopes"], json!(["mcp"]));
    for scopes in [json!(["read"]), json!(["mcp", "read"]), json!(["admin"])] {
        let fields = json!({"name": "k", "user_id": member, "scopes": scopes});
        let reply = service.api.post("/api-keys").json(fields).send().await.expect(400);
        assert!(
            reply.json()["data"]["params"]["scopes"].as_str().unwrap().contains("only have the scope mcp"),
            "{reply:?}"
        );
    }
    let server = service.api.create("/servers", json!({"name": "S"})).await;
    let path = format!("/servers/{}", server["id"]);
    let as_editor = json!({"user_id": member, "role": "editor"});
    service.api.post(&format!("{path}/members")).json(as_editor).send().await.expect(400);
    service.api.create(&format!("{path}/members"), json!({"user_id": member})).await;
    service.api.patch(&path).json(json!({"user_id": member})).send().await.expect(400);
}

async fn a_method_override_needs_the_rights_of_the_effective_method(service: &ApiFixture) {
    let app = &service.app;
    let mine = OwnedObjects::create(&service.api, "Mine").await;
    let reader = create_key(&service.api, 1, &["read"]).await;
    let reader = app.client_with_key(reader["key"].as_str());
    let path = format!("/servers/{}", mine.server);
    for method in ["DELETE", "delete", "PUT", "PATCH"] {
        let by_header = reader.post(&path).header("x-http-method-override", method).send().await;
        assert_error(&by_header, 403, "rest_forbidden");
        let by_query = reader.post(&format!("{path}?_method={method}")).send().await;
        assert_error(&by_query, 403, "rest_forbidden");
        // Only POST can be overridden: following a link must not delete anything.
        let link = service.api.get(&format!("{path}?_method={method}")).header("x-http-method-override", method);
        link.send().await.expect(200);
    }
    let hidden_read =
        reader.post(&path).header("x-http-method-override", "GET").json(json!({"name": "x"})).send().await;
    assert_ne!(hidden_read.expect(200).json()["name"], "x");
    service.api.read(&path).await;
    let disguised = service.api.post(&path).header("x-http-method-override", "DELETE").send().await;
    assert_eq!(disguised.expect(200).json()["deleted"], true);
}
