//! Codes at `/token`: each is valid once, for its client, redirect URI, verifier and resource.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as URL_SAFE_NO_PAD;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use toolgate_testkit::running_service::ServiceBuilder;

use super::flow::{CALLBACK, OAuthFixture};
use super::token_requests::{assert_error, text};

on_both_databases!(
    a_code_becomes_tokens,
    a_code_used_twice_ends_the_access_that_it_gave,
    a_code_used_by_two_concurrent_requests_gives_one_pair_of_tokens_whose_grant_ends,
    a_code_needs_its_verifier,
    a_code_is_valid_for_its_client_redirect_uri_and_resource_only,
);

async fn a_code_becomes_tokens(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let reply = fixture.exchange_with(&fixture.code().await, &[]).await.expect(200);
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let tokens = reply.json();
    let mut names: Vec<_> = tokens.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["access_token", "expires_in", "refresh_token", "scope", "token_type"]);
    assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&json!("Bearer"), &json!(3600)));
    assert!(text(&tokens, "access_token").starts_with("tga_") && text(&tokens, "refresh_token").starts_with("tgr_"));
    // The lifetime is the setting of the server at the time of issue.
    let settings = json!({"settings": {"oauth": {"access_token_ttl": 300}}});
    fixture.api.patch(&format!("/servers/{}", fixture.server["id"])).json(settings).send().await.expect(200);
    assert_eq!(fixture.refresh(text(&tokens, "refresh_token")).await.expect(200).json()["expires_in"], 300);
}

async fn a_code_used_twice_ends_the_access_that_it_gave(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let other = fixture.tokens().await;
    // This also holds if the second request has other faults.
    let (resource, verifier) = (("resource", Some("https://other.example/mcp")), ("code_verifier", Some("wrong")));
    let (no_verifier, no_redirect_uri) = (("code_verifier", None), ("redirect_uri", None));
    for changes in [&[][..], &[resource], &[verifier], &[no_verifier], &[no_redirect_uri]] {
        let code = fixture.code().await;
        let tokens = fixture.exchange_with(&code, &[]).await.expect(200).json();
        assert_error(&fixture.exchange_with(&code, changes).await, 400, "invalid_grant");
        fixture.assert_ended(&tokens).await;
    }
    assert_eq!(fixture.grant_count().await, 1, "the grant of the other code remains");
    fixture.refresh(text(&other, "refresh_token")).await.expect(200);
}

async fn a_code_used_by_two_concurrent_requests_gives_one_pair_of_tokens_whose_grant_ends(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let code = fixture.code().await;
    let (one, other) = tokio::join!(fixture.exchange_with(&code, &[]), fixture.exchange_with(&code, &[]));
    let (good, bad) = if one.status == 200 { (one, other) } else { (other, one) };
    let tokens = good.expect(200).json();
    assert_error(&bad, 400, "invalid_grant");
    fixture.assert_ended(&tokens).await;
}

async fn a_code_needs_its_verifier(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let code = fixture.code().await;
    let (wrong, short) = ("a".repeat(43), "dBjftJeZ4CVP");
    for (verifier, error) in [
        (Some(wrong.as_str()), "invalid_grant"),
        (Some(short), "invalid_grant"),
        (Some(super::flow::CHALLENGE), "invalid_grant"),
        (None, "invalid_request"),
        (Some(""), "invalid_request"),
    ] {
        assert_error(&fixture.exchange_with(&code, &[("code_verifier", verifier)]).await, 400, error);
    }
    fixture.exchange_with(&code, &[]).await.expect(200);
    // A verifier that is short enough to guess is refused, although its hash is the challenge.
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(short));
    let mut browser = fixture.administrator().await;
    let callback = browser.allow(&fixture.authorize_path(&[("code_challenge", Some(&challenge))])).await;
    let reply = fixture.exchange_with(&callback["code"], &[("code_verifier", Some(short))]).await;
    assert_error(&reply, 400, "invalid_grant");
}

async fn a_code_is_valid_for_its_client_redirect_uri_and_resource_only(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let other_client = fixture.register("Other", &[CALLBACK, "https://client.example/other"]).await;
    let other_server = fixture.api.create("/servers", json!({"name": "Other", "auth_type": "oauth"})).await;
    let code = fixture.code().await;
    let (slash, upper) = (format!("{}/", fixture.endpoint()), fixture.endpoint().replace("http://", "HTTP://"));
    let two_slashes = format!("{slash}/");
    for (name, value, error) in [
        ("client_id", Some(other_client.as_str()), "invalid_grant"),
        ("redirect_uri", Some("https://client.example/other"), "invalid_grant"),
        ("redirect_uri", Some("https://client.example/callback/"), "invalid_grant"),
        ("redirect_uri", None, "invalid_request"),
        ("resource", other_server["endpoint_url"].as_str(), "invalid_target"),
        ("resource", Some("https://evil.example/"), "invalid_target"),
        ("resource", Some(two_slashes.as_str()), "invalid_target"),
        ("code", Some("tgc_unknown"), "invalid_grant"),
        ("code", None, "invalid_request"),
        ("grant_type", Some("client_credentials"), "unsupported_grant_type"),
        ("grant_type", None, "invalid_request"),
    ] {
        assert_error(&fixture.exchange_with(&code, &[(name, value)]).await, 400, error);
    }
    // One slash and the case of the scheme do not matter.
    fixture.exchange_with(&code, &[("resource", Some(&slash))]).await.expect(200);
    fixture.exchange_with(&fixture.code().await, &[("resource", Some(&upper))]).await.expect(200);
    fixture.exchange_with(&fixture.code().await, &[("resource", None)]).await.expect(200);
}
