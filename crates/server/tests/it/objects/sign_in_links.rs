//! `/users/{id}/signin-links` and `/me/signin-link`.

use serde_json::json;
use toolgate_testkit::{ApiFixture, Client, free_address};

use super::fixtures::{ABSENT_ID, assert_error, create_key};
use crate::toolgate;

on_both_databases![administrators_create_sign_in_links_for_others_and_users_for_themselves];

async fn administrators_create_sign_in_links_for_others_and_users_for_themselves(service: &ApiFixture) {
    let app = &service.app;
    let user = service.api.create_user("mia", "member").await;
    let path = format!("/users/{user}/signin-links");
    let invitation = service.api.post(&path).send().await.expect(201).json();
    let start = format!("{}/signin?link=tgl_", app.origin());
    let url = invitation["url"].as_str().unwrap();
    assert!(url.starts_with(&start) && url.len() == start.len() + 43, "{url}");
    assert!(invitation["expires_at"].is_string());
    let key = create_key(&service.api, user, &["mcp"]).await;
    let member = app.client_with_key(key["key"].as_str());
    let own = member.post("/me/signin-link").send().await.expect(201).json();
    assert!(own["url"].as_str().unwrap().starts_with(&start) && own["url"] != invitation["url"]);
    assert!(own["expires_at"].as_str() < invitation["expires_at"].as_str(), "a link for oneself expires sooner");
    assert_error(&member.post(&path).send().await, 403, "rest_forbidden");
    let reader = create_key(&service.api, 1, &["read", "write"]).await;
    let reply = app.client_with_key(reader["key"].as_str()).post("/me/signin-link").send().await;
    assert_error(&reply, 403, "rest_forbidden");
    assert!(reply.json()["message"].as_str().unwrap().contains("scope mcp"), "{reply:?}");
    assert_error(
        &service.api.post(&format!("/users/{ABSENT_ID}/signin-links")).send().await,
        404,
        "rest_user_invalid_id",
    );
    service.api.patch(&format!("/users/{user}")).json(json!({"disabled": true})).send().await.expect(200);
    assert_error(&service.api.post(&path).send().await, 400, "rest_invalid_param");
    let audit = service.api.read("/audit?object_kind=session").await;
    assert_eq!(audit.as_array().unwrap().len(), 2);
    assert!(!audit.to_string().contains("tgl_"), "{audit}");
}

/// The person who opens the link would only learn that sign-in is not possible.
#[tokio::test]
async fn no_link_is_created_at_a_service_without_sign_in() {
    let address = free_address();
    let service = toolgate().env("TOOLGATE_LISTEN", address.to_string());
    let app = service.env("TOOLGATE_BASE_URL", "http://tools.example").start();
    let api = Client::new(&format!("http://{address}/wp-json/toolgate/v1"), Some(&app.key()));
    let user = api.create_user("mia", "member").await;
    for path in [format!("/users/{user}/signin-links"), "/me/signin-link".to_owned()] {
        let reply = api.post(&path).send().await;
        assert_error(&reply, 409, "rest_no_sign_in");
        assert!(reply.json()["message"].as_str().unwrap().contains("TOOLGATE_BASE_URL"), "{reply:?}");
    }
}
