//! CORS of the management API.

use toolgate_testkit::ApiFixture;
use toolgate_testkit::running_service::ServiceBuilder;

on_both_databases!(
    a_preflight_needs_no_key,
    only_configured_origins_are_allowed,
    without_a_setting_no_origin_is_allowed,
);

const PAGE_ORIGIN: &str = "https://console.example";

async fn a_preflight_needs_no_key(builder: &ServiceBuilder) {
    let service = ApiFixture::start(
        builder.clone().env("TOOLGATE_CORS_ORIGINS", "https://console.example,http://localhost:3000"),
    );
    let preflight = service
        .anonymous()
        .options("/servers/1")
        .header("origin", PAGE_ORIGIN)
        .header("access-control-request-method", "DELETE")
        .header("access-control-request-headers", "authorization, content-type")
        .send()
        .await
        .expect(200);
    assert_eq!(preflight.header("access-control-allow-origin"), Some(PAGE_ORIGIN));
    let methods = preflight.header("access-control-allow-methods").unwrap();
    assert_eq!(methods, "OPTIONS, GET, POST, PUT, PATCH, DELETE");
    let headers = preflight.header("access-control-allow-headers").unwrap();
    assert!(headers.starts_with("Authorization, Content-Type"), "{headers}");
}

async fn only_configured_origins_are_allowed(builder: &ServiceBuilder) {
    let service = ApiFixture::start(
        builder.clone().env("TOOLGATE_CORS_ORIGINS", "https://console.example,http://localhost:3000"),
    );
    for (origin, expected) in [
        (PAGE_ORIGIN, Some(PAGE_ORIGIN)),
        ("http://localhost:3000", Some("http://localhost:3000")),
        ("http://localhost:3001", None),
        ("http://console.example", None),
        ("https://console.example.evil.example", None),
        ("null", None),
    ] {
        for (path, status) in [("/servers", 200), ("/servers/999", 404)] {
            let reply = service.api.get(path).header("origin", origin).send().await.expect(status);
            assert_eq!(reply.header("access-control-allow-origin"), expected, "{origin}");
            assert_eq!(reply.header("vary"), Some("Origin"));
            assert_eq!(reply.header("access-control-allow-credentials"), None);
        }
    }
    let refused = service.anonymous().get("/servers").header("origin", PAGE_ORIGIN).send().await.expect(401);
    assert_eq!(
        refused.header("access-control-allow-origin"),
        Some(PAGE_ORIGIN),
        "a page must be able to read the error"
    );
}

async fn without_a_setting_no_origin_is_allowed(service: &ApiFixture) {
    let reply = service.api.get("/servers").header("origin", PAGE_ORIGIN).send().await.expect(200);
    assert_eq!(reply.header("access-control-allow-origin"), None);
    assert_eq!(
        reply.header("access-control-expose-headers"),
        Some("X-WP-Total, X-WP-TotalPages, Link, X-Next-Before, X-Toolgate-Ignored")
    );
}
