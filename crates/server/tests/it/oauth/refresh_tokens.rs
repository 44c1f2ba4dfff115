//! Refresh tokens at `/token`, and `/revoke`.

use serde_json::json;
use toolgate_testkit::running_service::ServiceBuilder;

use super::flow::{CALLBACK, OAuthFixture};
use super::token_requests::{assert_error, post_form, text};

on_both_databases!(
    parallel_requests_with_one_refresh_token_both_succeed,
    a_refresh_token_whose_successor_was_used_ends_the_grant,
    a_refresh_token_is_refused_to_another_client_and_the_grant_remains,
    a_refresh_token_cannot_widen_scope_or_resource,
    either_token_can_be_revoked,
    a_revocation_gets_the_same_reply_for_every_token,
    tokens_are_refused_and_revoked_after_the_last_server_left_the_issuer,
);

async fn tokens_are_refused_and_revoked_after_the_last_server_left_the_issuer(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let tokens = fixture.tokens().await;
    let server = format!("/servers/{}", fixture.server["id"]);
    fixture.api.patch(&server).json(json!({"auth_type": "api-key"})).send().await.expect(200);
    assert_error(&fixture.refresh(text(&tokens, "refresh_token")).await, 400, "invalid_grant");
    let fields = [("token", text(&tokens, "refresh_token")), ("client_id", &fixture.client_id)];
    post_form(&fixture.program(), "/revoke", &fields).await.expect(200);
    let registration = fixture.program().post("/register").json(json!({"redirect_uris": [CALLBACK]}));
    assert_error(&registration.send().await, 404, "invalid_request");
}

async fn parallel_requests_with_one_refresh_token_both_succeed(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let tokens = fixture.tokens().await;
    let token = text(&tokens, "refresh_token");
    let (one, other) = tokio::join!(fixture.refresh(token), fixture.refresh(token));
    let (one, other) = (one.expect(200).json(), other.expect(200).json());
    assert_ne!(one["refresh_token"], other["refresh_token"]);
    // A lost response: the client sends the same token again.
    let again = fixture.refresh(token).await.expect(200).json();
    for tokens in [&tokens, &one, &other, &again] {
        assert_ne!(fixture.status_at_endpoint(tokens).await, 401);
    }
    assert_eq!(fixture.grant_count().await, 1);
}

async fn a_refresh_token_whose_successor_was_used_ends_the_grant(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let parent = fixture.tokens().await;
    let child = fixture.refresh(text(&parent, "refresh_token")).await.expect(200).json();
    let grandchild = fixture.refresh(text(&child, "refresh_token")).await.expect(200).json();
    assert_error(&fixture.refresh(text(&parent, "refresh_token")).await, 400, "invalid_grant");
    for tokens in [&parent, &child, &grandchild] {
        fixture.assert_ended(tokens).await;
    }
    let audit = fixture.api.read("/audit").await.to_string();
    assert!(audit.contains("\"reuse\""), "{audit}");
}

async fn a_refresh_token_is_refused_to_another_client_and_the_grant_remains(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let other = fixture.register("Other", &[CALLBACK]).await;
    let tokens = fixture.tokens().await;
    let token = text(&tokens, "refresh_token");
    assert_error(&fixture.refresh_with(token, &[("client_id", Some(&other))]).await, 400, "invalid_grant");
    assert_error(&fixture.refresh_with(token, &[("client_id", Some("tgx_unknown"))]).await, 401, "invalid_client");
    assert_error(&fixture.refresh_with(token, &[("client_id", None)]).await, 401, "invalid_client");
    assert_error(&fixture.refresh_with(token, &[("client_id", Some("tgx_\0"))]).await, 401, "invalid_client");
    assert_error(&fixture.refresh("tgr_unknown").await, 400, "invalid_grant");
    fixture.refresh(token).await.expect(200);
}

async fn a_refresh_token_cannot_widen_scope_or_resource(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let mut browser = fixture.administrator().await;
    let callback = browser.allow(&fixture.authorize_path(&[("scope", Some("mcp:read"))])).await;
    let read = fixture.exchange(&callback["code"]).await.expect(200).json();
    let token = text(&read, "refresh_token");
    for scope in ["mcp:write", "mcp:read mcp:write", "mcp:read admin"] {
        assert_error(&fixture.refresh_with(token, &[("scope", Some(scope))]).await, 400, "invalid_scope");
    }
    let other = Some("https://evil.example/mcp");
    assert_error(&fixture.refresh_with(token, &[("resource", other)]).await, 400, "invalid_target");
    assert_eq!(fixture.refresh(token).await.expect(200).json()["scope"], "mcp:read");
    // A narrower scope applies to one access token only.
    let all = fixture.tokens().await;
    let narrow = fixture.refresh_with(text(&all, "refresh_token"), &[("scope", Some("mcp:read"))]).await;
    let narrow = narrow.expect(200).json();
    assert_eq!(narrow["scope"], "mcp:read");
    let wide = fixture.refresh(text(&narrow, "refresh_token")).await.expect(200).json();
    assert_eq!(wide["scope"], "mcp:read mcp:write");
}

async fn either_token_can_be_revoked(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    for name in ["access_token", "refresh_token"] {
        let tokens = fixture.tokens().await;
        let fields = [("token", text(&tokens, name)), ("client_id", &fixture.client_id)];
        let reply = post_form(&fixture.program(), "/revoke", &fields).await.expect(200);
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        fixture.assert_ended(&tokens).await;
    }
    // If the client has no secret, the token alone is enough.
    let tokens = fixture.tokens().await;
    post_form(&fixture.program(), "/revoke", &[("token", text(&tokens, "refresh_token"))]).await.expect(200);
    fixture.assert_ended(&tokens).await;
}

async fn a_revocation_gets_the_same_reply_for_every_token(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let other = fixture.register("Other", &[CALLBACK]).await;
    let tokens = fixture.tokens().await;
    let access = text(&tokens, "access_token");
    let changed = access.replace("tga_A", "tga_B");
    assert_ne!(changed, access);
    for (token, client) in [
        ("tgr_unknown", &fixture.client_id),
        ("tga_unknown", &fixture.client_id),
        ("x", &fixture.client_id),
        (&changed, &fixture.client_id),
        (access, &other),
        (text(&tokens, "refresh_token"), &other),
    ] {
        let fields = [("token", token), ("client_id", client), ("token_type_hint", "nonsense")];
        post_form(&fixture.program(), "/revoke", &fields).await.expect(200);
    }
    assert_error(&post_form(&fixture.program(), "/revoke", &[("client_id", &other)]).await, 400, "invalid_request");
    let unknown = [("token", access), ("client_id", "tgx_unknown")];
    assert_error(&post_form(&fixture.program(), "/revoke", &unknown).await, 401, "invalid_client");
    fixture.refresh(text(&tokens, "refresh_token")).await.expect(200);
    assert_eq!(fixture.grant_count().await, 1);
}
