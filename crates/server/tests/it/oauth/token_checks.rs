//! Which tokens are accepted, how they are sent, and where they must not appear.

use std::path::Path;

use http::Method;
use serde_json::json;
use toolgate_domain::ids::UserId;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, TestResponse, Upstream};

use super::signed_tokens::{client_with, now, sign, sign_elsewhere, start_server, token_for};

/// Starts a server with the tool `t` and its upstream.
async fn start_with_tool() -> ServiceFixture {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server(upstream, json!({})).await;
    fixture.create_tool(json!({"name": "t", "endpoint_url": "/t", "http_method": "POST"})).await;
    fixture
}

async fn call(mcp: &McpClient) -> TestResponse {
    mcp.send("tools/call", json!({"name": "t", "arguments": {}})).await
}

#[track_caller]
fn assert_invalid(reply: &TestResponse, case: &str) {
    assert_eq!(reply.status, 401, "{case}: {reply:?}");
    let challenge = reply.header("www-authenticate").unwrap();
    assert!(challenge.starts_with(r#"Bearer realm="toolgate", error="invalid_token", "#), "{case}: {challenge}");
}

#[tokio::test]
async fn a_token_gives_access_to_its_own_server_only() {
    let fixture = start_with_tool().await;
    let other = fixture.api.create("/servers", json!({"name": "Other", "auth_type": "oauth"})).await;
    let token = token_for(&other);
    assert_invalid(&call(&client_with(&fixture, &token)).await, "a token of another server");
    assert_eq!(fixture.upstream.request_count(), 0);
    call(&client_with(&fixture, &token_for(&fixture.server))).await.expect(200);
    assert_eq!(fixture.upstream.request_count(), 1);
}

#[tokio::test]
async fn a_token_that_the_service_did_not_sign_is_refused() {
    let fixture = start_with_tool().await;
    let token = token_for(&fixture.server);
    let text = sign(&token);
    let (payload, signature) = text.split_once('.').unwrap();
    let mut other_user = token.clone();
    other_user.user_id = UserId(2);
    let other = sign(&other_user);
    let (other_payload, other_signature) = other.split_once('.').unwrap();
    let mut texts = vec![
        sign_elsewhere(&token),
        format!("{payload}.{other_signature}"),
        format!("{other_payload}.{signature}"),
        payload.to_owned(),
        format!("{payload}."),
        format!("{text}="),
        format!("{text}.{signature}"),
    ];
    for index in (4..text.len()).step_by(7) {
        let mut bytes = text.clone().into_bytes();
        bytes[index] = if bytes[index] == b'A' { b'B' } else { b'A' };
        texts.push(String::from_utf8(bytes).unwrap());
    }
    for changed in texts.iter().filter(|changed| **changed != text) {
        assert_invalid(&call(&McpClient::new(fixture.url()).bearer(changed)).await, changed);
    }
    assert_eq!(fixture.upstream.request_count(), 0);
}

#[tokio::test]
async fn an_expired_token_is_refused() {
    let fixture = start_with_tool().await;
    let mut token = token_for(&fixture.server);
    token.expires_at = now().plus_millis(-1);
    assert_invalid(&call(&client_with(&fixture, &token)).await, "an expired token");
    assert_eq!(fixture.upstream.request_count(), 0);
}

#[tokio::test]
async fn a_token_is_accepted_in_a_single_authorization_header_only() {
    let fixture = start_with_tool().await;
    let text = sign(&token_for(&fixture.server));
    for name in ["access_token", "token", "authorization"] {
        let mcp = McpClient::new(&format!("{}?{name}={text}", fixture.url()));
        let reply = call(&mcp).await.expect(401);
        assert!(!reply.header("www-authenticate").unwrap().contains("error"), "{reply:?}");
    }
    let form = McpClient::new(fixture.url()).raw_request(Method::POST);
    let form = form.header("content-type", "application/x-www-form-urlencoded");
    form.body(format!("access_token={text}")).send().await.expect(401);
    McpClient::new(fixture.url())
        .header("cookie", &format!("tg_session={text}"))
        .send("ping", json!({}))
        .await
        .expect(401);
    for (name, value) in [
        ("x-api-key", text.clone()),
        ("authorization", text.clone()),
        ("authorization", format!("Basic {text}")),
        ("authorization", format!("ApiKey {text}")),
        ("authorization", format!("Bearer {text} {text}")),
        ("authorization", format!("Bearer  {text}")),
        ("authorization", format!("Bearer {}", text.replacen('.', " .", 1))),
        ("authorization", format!("Bearer {text},Bearer {text}")),
    ] {
        assert_invalid(&call(&McpClient::new(fixture.url()).header(name, &value)).await, &format!("{name}: {value}"));
    }
    let request = McpClient::new(fixture.url()).bearer(&text).request("tools/list", json!({}));
    let twice = request.append_header("authorization", &format!("Bearer {text}")).send().await;
    assert_invalid(&twice, "two headers");
    assert_eq!(fixture.upstream.request_count(), 0);
    call(&McpClient::new(fixture.url()).header("authorization", &format!("bearer {text}"))).await.expect(200);
}

#[tokio::test]
async fn tokens_keys_and_cookies_of_clients_never_reach_the_upstream() {
    let fixture = start_with_tool().await;
    let (text, key) = (sign(&token_for(&fixture.server)), fixture.create_key().await);
    let mcp = McpClient::new(fixture.url()).bearer(&text).header("x-api-key", &key);
    let mcp = mcp
        .header("cookie", "tg_session=secret-of-the-session")
        .header("proxy-authorization", "Bearer secret-of-a-proxy");
    for mcp in [mcp.clone(), mcp.modern()] {
        call(&mcp).await.expect(200);
        let received = format!("{:?}", fixture.upstream.last());
        for secret in [text.as_str(), key.as_str(), "secret-of-the-session", "secret-of-a-proxy"] {
            assert!(!received.contains(secret), "{received}");
        }
    }
}

/// Every file below a folder whose content includes `text`.
fn files_with(folder: &Path, text: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_with(&path, text, found);
        } else if std::fs::read(&path)
            .is_ok_and(|content| content.windows(text.len()).any(|part| part == text.as_bytes()))
        {
            found.push(path.display().to_string());
        }
    }
}

#[tokio::test]
async fn a_token_appears_in_no_reply_log_or_file() {
    let fixture = start_with_tool().await;
    let settings = json!({"settings": {"capture": "all"}});
    fixture.api.patch(&fixture.path("")).json(settings).send().await.expect(200);
    let token = token_for(&fixture.server);
    let text = sign(&token);
    let mut expired = token.clone();
    expired.expires_at = now();
    let replies = [
        call(&McpClient::new(fixture.url()).bearer(&text)).await.expect(200),
        call(&McpClient::new(fixture.url()).bearer(&sign(&expired))).await.expect(401),
        fixture.api.get("/calls").send().await.expect(200),
    ];
    let (_, signature) = text.split_once('.').unwrap();
    let (_, expired_signature) = sign(&expired).split_once('.').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    for secret in [signature, &expired_signature] {
        assert!(replies.iter().all(|reply| !reply.text().contains(secret)));
        assert!(!fixture.app.logs().contains(secret) && !fixture.app.stdout().contains(secret));
        let mut found = Vec::new();
        files_with(fixture.app.data_dir(), secret, &mut found);
        assert!(found.is_empty(), "{found:?}");
    }
}
