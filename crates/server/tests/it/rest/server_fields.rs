//! The rules of each field of a server.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_error, assert_invalid};

on_both_databases!(
    slugs_come_from_names_of_any_script,
    generated_slugs_avoid_conflicts,
    an_explicit_slug_that_is_taken_is_refused,
    slugs_are_validated,
    renaming_keeps_the_slug,
    names_have_a_maximum_length_and_no_hidden_characters,
    values_outside_of_a_closed_set_are_refused,
    the_rate_limit_has_bounds,
);

async fn assert_refused(service: &ApiFixture, field: &str, value: Value, code: &str) {
    let mut body = json!({"name": "A"});
    body[field] = value;
    assert_invalid(&service.api.post("/servers").json(body).send().await, field, code);
}

async fn slugs_come_from_names_of_any_script(service: &ApiFixture) {
    let long = "x".repeat(200);
    for (name, slug) in [
        ("Weather API", "weather-api"),
        ("Crème Brûlée & Café", "creme-brulee-cafe"),
        ("a__b--c", "a-b-c"),
        ("2024", "2024"),
        (long.as_str(), long.as_str()),
    ] {
        assert_eq!(service.api.create_server(json!({"name": name})).await["slug"], slug);
    }
    for name in ["北京", "Москва", "!!!", "😀", "-"] {
        let server = service.api.create_server(json!({"name": name})).await;
        assert_eq!(server["name"], name);
        let slug = server["slug"].as_str().unwrap();
        let is_safe = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        assert!(!slug.is_empty() && slug.bytes().all(is_safe), "{name}: {slug}");
    }
}

async fn generated_slugs_avoid_conflicts(service: &ApiFixture) {
    for slug in ["weather", "weather-2", "weather-3", "weather-4", "weather-5"] {
        assert_eq!(service.api.create_server(json!({"name": "Weather"})).await["slug"], slug);
    }
    let long = "y".repeat(200);
    service.api.create_server(json!({"name": long})).await;
    let second = service.api.create_server(json!({"name": long})).await;
    assert_eq!(second["slug"], format!("{}-2", "y".repeat(198)));
    service.api.create_server(json!({"name": "Other", "slug": "rain"})).await;
    assert_eq!(service.api.create_server(json!({"name": "Rain"})).await["slug"], "rain-2");
}

async fn an_explicit_slug_that_is_taken_is_refused(service: &ApiFixture) {
    let first = service.api.create_server(json!({"name": "A", "slug": "a"})).await;
    let second = service.api.create_server(json!({"name": "B"})).await;
    let (first_path, second_path) = (format!("/servers/{}", id(&first)), format!("/servers/{}", id(&second)));
    let create = service.api.post("/servers").json(json!({"name": "C", "slug": "a"})).send().await;
    assert_error(&create, 409, "rest_server_exists");
    let change = service.api.patch(&second_path).json(json!({"slug": "a", "name": "Lost"})).send().await;
    assert_error(&change, 409, "rest_server_exists");
    assert_eq!(service.api.read(&second_path).await, second, "the refused update changed nothing");
    service.api.patch(&first_path).json(json!({"slug": "a"})).send().await.expect(200);
    service.api.delete(&first_path).send().await.expect(200);
    service.api.patch(&second_path).json(json!({"slug": "a"})).send().await.expect(200);
}

async fn slugs_are_validated(service: &ApiFixture) {
    for bad in ["My Slug", "UPPER", "a_b", "a/b", "ü", "a.b", " a", "../x"] {
        assert_refused(service, "slug", json!(bad), "rest_invalid_pattern").await;
    }
    assert_refused(service, "slug", json!("x".repeat(201)), "rest_too_long").await;
    assert_refused(service, "slug", json!(5), "rest_invalid_type").await;
    for good in ["a", "0", "a-b-2", &"z".repeat(200)] {
        assert_eq!(service.api.create_server(json!({"slug": good})).await["slug"], good);
    }
}

async fn renaming_keeps_the_slug(service: &ApiFixture) {
    let server = service.api.create_server(json!({"name": "Old"})).await;
    let renamed = service.api.patch(&format!("/servers/{}", id(&server))).json(json!({"name": "New"}));
    let renamed = renamed.send().await.expect(200).json();
    assert_eq!((&renamed["name"], &renamed["slug"]), (&json!("New"), &json!("old")));
    assert_eq!(renamed["endpoint_url"], server["endpoint_url"]);
}

async fn names_have_a_maximum_length_and_no_hidden_characters(service: &ApiFixture) {
    for good in ["x".repeat(200), "ü".repeat(200), "😀".repeat(200), "it's <b>\"fine\"</b> & عربى".to_owned()] {
        assert_eq!(service.api.create_server(json!({"name": good})).await["name"], good);
    }
    assert_refused(service, "name", json!("x".repeat(201)), "rest_too_long").await;
    assert_refused(service, "name", json!("ü".repeat(201)), "rest_too_long").await;
    for hidden in ["a\u{202e}b", "a\u{7}b", "a\nb", "\u{e0041}"] {
        assert_refused(service, "name", json!(hidden), "rest_invalid_pattern").await;
    }
    for wrong in [json!(5), json!(true), json!(["A"]), json!({"raw": "A"})] {
        assert_refused(service, "name", wrong, "rest_invalid_type").await;
    }
}

async fn values_outside_of_a_closed_set_are_refused(service: &ApiFixture) {
    for (field, bad) in [
        ("status", "published"),
        ("status", ""),
        ("status", "Active"),
        ("transport_type", "sse"),
        ("transport_type", "stdio"),
        ("transport_type", "streamable_http"),
        ("transport_type", ""),
        ("auth_type", "basic"),
        ("auth_type", "bearer"),
        ("auth_type", "oauth2"),
        ("auth_type", ""),
    ] {
        assert_refused(service, field, json!(bad), "rest_not_in_enum").await;
    }
    for field in ["status", "transport_type", "auth_type"] {
        assert_refused(service, field, json!(1), "rest_invalid_type").await;
        assert_refused(service, field, json!(["none"]), "rest_invalid_type").await;
    }
    for (sent, stored) in [("none", "none"), ("api-key", "api-key"), ("api_key", "api-key"), ("oauth", "oauth")] {
        assert_eq!(service.api.create_server(json!({"auth_type": sent})).await["auth_type"], stored);
    }
    for status in ["active", "paused", "draft"] {
        assert_eq!(service.api.create_server(json!({"status": status})).await["status"], status);
    }
}

async fn the_rate_limit_has_bounds(service: &ApiFixture) {
    for good in [0, 1, 30, 60, 10_000_000] {
        assert_eq!(service.api.create_server(json!({"rate_limit_per_min": good})).await["rate_limit_per_min"], good);
    }
    for bad in [-1, 10_000_001, i64::MAX, i64::MIN] {
        assert_refused(service, "rate_limit_per_min", json!(bad), "rest_out_of_bounds").await;
    }
}
