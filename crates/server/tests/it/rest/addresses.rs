//! URLs of the API: prefix, namespace, discovery, index, trailing slashes, and unknown paths.

use toolgate_testkit::ApiFixture;
use toolgate_testkit::running_service::ServiceBuilder;

use super::assertions::{assert_error, keys};

on_both_databases!(
    discovery_and_index_are_public,
    the_index_lists_the_routes,
    prefix_and_namespace_can_be_chosen,
    the_public_url_is_used_in_links,
    a_trailing_slash_changes_nothing,
    an_unknown_path_gets_the_error_no_route,
    a_wrong_method_gets_the_error_no_route_and_the_allowed_methods,
);

async fn discovery_and_index_are_public(service: &ApiFixture) {
    let (anonymous, api_base) = (service.anonymous(), service.app.api_base());
    assert_eq!(api_base, format!("{}/wp-json/toolgate/v1", service.app.origin()));
    let root = anonymous.get(&format!("{}/wp-json/", service.app.origin())).send().await.expect(200).json();
    assert_eq!(root["api_base"], api_base);
    assert_eq!(root["namespaces"], serde_json::json!(["toolgate/v1"]));
    let bare = anonymous.get(&format!("{}/wp-json", service.app.origin())).send().await.expect(200).json();
    assert_eq!(bare, root);

    let index = anonymous.get("").send().await.expect(200).json();
    assert_eq!(keys(&index), ["namespace", "routes"]);
    assert_eq!(index["namespace"], "toolgate/v1");
    assert_eq!(anonymous.get("/").send().await.expect(200).json(), index);
}

async fn the_index_lists_the_routes(service: &ApiFixture) {
    let index = service.anonymous().get("").send().await.expect(200).json();
    for path in [
        "/servers",
        "/servers/{id}",
        "/servers/{id}/toggle",
        "/servers/{server_id}/tools",
        "/servers/{server_id}/tools/reorder",
        "/tools/{id}",
        "/tools/{id}/duplicate",
        "/tools/{id}/test",
        "/tools/import-curl",
        "/servers/{server_id}/prompts",
        "/servers/{server_id}/prompts/{id}",
        "/servers/{server_id}/resources",
        "/servers/{server_id}/resources/{id}",
        "/analytics/overview",
        "/analytics/client-breakdown",
    ] {
        let route = &index["routes"][format!("/toolgate/v1{path}")];
        assert!(route["endpoints"].is_array(), "{path}: {route}");
    }
    let servers = &index["routes"]["/toolgate/v1/servers"];
    assert_eq!(servers["methods"], serde_json::json!(["GET", "POST"]));
    assert_eq!(servers["_links"]["self"][0]["href"], format!("{}/servers", service.app.api_base()));
}

async fn prefix_and_namespace_can_be_chosen(builder: &ServiceBuilder) {
    let service =
        ApiFixture::start(builder.clone().env("TOOLGATE_REST_PREFIX", "api").env("TOOLGATE_REST_NAMESPACE", "acme"));
    let origin = service.app.origin();
    assert_eq!(service.app.api_base(), format!("{origin}/api/acme/v1"));
    assert_eq!(service.api.read("/servers").await, serde_json::json!([]));
    assert_eq!(service.api.read("").await["namespace"], "acme/v1");
    let root = service.anonymous().get(&format!("{origin}/api/")).send().await.expect(200).json();
    assert_eq!(root["api_base"], service.app.api_base());
    service.api.get(&format!("{origin}/wp-json/toolgate/v1/servers")).send().await.expect(404);
    let default_namespace = service.api.get(&format!("{origin}/api/toolgate/v1/servers")).send().await;
    assert_error(&default_namespace, 404, "rest_no_route");
}

async fn the_public_url_is_used_in_links(builder: &ServiceBuilder) {
    let service = ApiFixture::start(builder.clone().env("TOOLGATE_BASE_URL", "https://gate.example/"));
    service.app.wait_for_log("listening", std::time::Duration::from_secs(30));
    let log = service.app.logs();
    let port: String = log.split_once("127.0.0.1:").unwrap().1.chars().take_while(char::is_ascii_digit).collect();
    let local = format!("http://127.0.0.1:{port}/wp-json/toolgate/v1");
    let api = toolgate_testkit::Client::new(&local, Some(&service.app.key()));
    let reply = api.post("/servers").json(serde_json::json!({"name": "A"})).send().await.expect(201);
    let server = reply.json();
    let (slug, public_id) = (server["slug"].as_str().unwrap(), server["server_id"].as_str().unwrap());
    assert_eq!(server["endpoint_url"], format!("https://gate.example/mcp/{slug}/{public_id}"));
    let location = format!("https://gate.example/wp-json/toolgate/v1/servers/{}", server["id"]);
    assert_eq!(reply.header("location"), Some(location.as_str()));
}

async fn a_trailing_slash_changes_nothing(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for path in ["/servers".to_owned(), format!("/servers/{server_id}"), format!("/servers/{server_id}/tools")] {
        assert_eq!(service.api.read(&format!("{path}/")).await, service.api.read(&path).await);
    }
    assert_eq!(service.api.read("/servers/?per_page=1").await, service.api.read("/servers?per_page=1").await);
    let toggled = service.api.post(&format!("/servers/{server_id}/toggle/")).send().await.expect(200);
    assert_eq!(toggled.json()["status"], "paused");
}

async fn an_unknown_path_gets_the_error_no_route(service: &ApiFixture) {
    let origin = service.app.origin();
    for url in [
        "/nothing".to_owned(),
        "/Servers".to_owned(),
        "/servers/1/unknown".to_owned(),
        "/servers/1/toggle/2".to_owned(),
        "/servers//1".to_owned(),
        format!("{origin}/wp-json/toolgate/v2/servers"),
        format!("{origin}/wp-json/toolgate/v1x"),
        format!("{origin}/wp-json/other"),
    ] {
        for client in [&service.api, &service.anonymous()] {
            let reply = client.get(&url).send().await;
            assert_error(&reply, 404, "rest_no_route");
            assert_eq!(reply.json()["message"], "No route was found matching the URL and request method.");
            assert_eq!(reply.header("allow"), None, "{url}");
        }
    }
}

async fn a_wrong_method_gets_the_error_no_route_and_the_allowed_methods(service: &ApiFixture) {
    for (method, path, allowed) in [
        ("DELETE", "/servers", vec!["GET", "POST", "HEAD", "OPTIONS"]),
        ("PUT", "/servers", vec!["GET", "POST", "HEAD", "OPTIONS"]),
        ("GET", "/servers/1/toggle", vec!["POST", "OPTIONS"]),
        ("GET", "/tools/import-curl", vec!["POST", "OPTIONS"]),
        ("POST", "/analytics/overview", vec!["GET", "HEAD", "OPTIONS"]),
        ("BREW", "/tools/1", vec!["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]),
        ("POST", "", vec!["GET", "HEAD", "OPTIONS"]),
    ] {
        let reply = service.api.request(method.parse().unwrap(), path).send().await;
        assert_error(&reply, 404, "rest_no_route");
        let mut actual: Vec<&str> = reply.header("allow").unwrap().split(", ").collect();
        let mut allowed = allowed;
        actual.sort_unstable();
        allowed.sort_unstable();
        assert_eq!(actual, allowed, "{method} {path}");
    }
}
