//! Limits against guessing keys and passwords.

use std::time::Duration;

use super::flow::{OAuthFixture, WebSession};
use super::sign_in::user_with_password;
use crate::toolgate;

const PROXY: (&str, &str) = ("TOOLGATE_TRUSTED_PROXIES", "127.0.0.1");

async fn sign_in_from(session: &mut WebSession, address: &str, origin: &str, fields: &[(&str, &str)]) -> u16 {
    let reply = session.post_with("/signin", fields, &[("origin", origin), ("x-forwarded-for", address)]).await;
    assert_eq!(reply.header("retry-after").is_some(), reply.status == 429, "{reply:?}");
    reply.status
}

#[tokio::test]
async fn an_address_may_fail_20_times_a_minute() {
    let fixture = OAuthFixture::start(toolgate().env(PROXY.0, PROXY.1)).await;
    let (mut visitor, origin, key) = (fixture.visitor(), fixture.app.origin(), fixture.app.key());
    let mut statuses = Vec::new();
    for number in 0..30 {
        // Successful sign-ins are not counted.
        if number < 20 {
            assert_eq!(sign_in_from(&mut fixture.visitor(), "192.0.2.1", &origin, &[("key", &key)]).await, 303);
        }
        statuses.push(sign_in_from(&mut visitor, "192.0.2.1", &origin, &[("key", &format!("tg_{number}"))]).await);
    }
    assert_eq!(statuses, [vec![401; 20], vec![429; 10]].concat());
    assert_eq!(visitor.cookie, None);
    assert_eq!(sign_in_from(&mut visitor, "192.0.2.1", &origin, &[("key", &key)]).await, 429);
    assert_eq!(sign_in_from(&mut visitor, "192.0.2.2", &origin, &[("key", &key)]).await, 303);
}

/// Without a trusted proxy, the header is a claim of the client.
#[tokio::test]
async fn an_invented_address_gives_no_further_attempts() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let (mut visitor, origin) = (fixture.visitor(), fixture.app.origin());
    let mut statuses = Vec::new();
    for number in 0..25 {
        let (address, key) = (format!("192.0.2.{number}"), format!("tg_{number}"));
        statuses.push(sign_in_from(&mut visitor, &address, &origin, &[("key", &key)]).await);
    }
    assert_eq!(statuses, [vec![401; 20], vec![429; 5]].concat());
}

#[tokio::test]
async fn wrong_passwords_delay_the_next_attempt_and_the_right_one_works_after_it() {
    let fixture = OAuthFixture::start(toolgate()).await;
    user_with_password(&fixture, "Ada", "correct horse").await;
    let mut visitor = fixture.visitor();
    let mut replies = Vec::new();
    for number in 0..8 {
        let password = format!("wrong horse {number}");
        replies.push(visitor.post("/signin", &[("user", "Ada"), ("password", &password)]).await);
    }
    assert_eq!(replies.iter().map(|reply| reply.status).collect::<Vec<_>>(), [401, 401, 401, 401, 401, 429, 429, 429]);
    let right = [("user", "Ada"), ("password", "correct horse")];
    let refused = visitor.post("/signin", &right).await.expect(429);
    let seconds: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=2).contains(&seconds), "{seconds}");
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    visitor.post("/signin", &right).await.expect(303);
}

#[tokio::test]
async fn all_failures_get_the_same_reply_and_nothing_typed_is_logged() {
    let fixture = OAuthFixture::start(toolgate().env("TOOLGATE_LOG", "trace")).await;
    user_with_password(&fixture, "Ada", "correct horse").await;
    let fields = serde_json::json!({"name": "read only", "scopes": ["read"]});
    let read_only = fixture.api.create("/api-keys", fields).await;
    let mut texts = Vec::new();
    for fields in [
        &[("user", "Ada"), ("password", "wrong-battery-1")][..],
        &[("user", "nobody-known"), ("password", "wrong-battery-2")],
        &[("user", "nobody\0"), ("password", "wrong-battery-3")],
        &[("key", "tg_wrong-staple-4")],
        &[("key", read_only["key"].as_str().unwrap())],
        &[],
    ] {
        let mut visitor = fixture.visitor();
        let reply = visitor.post("/signin", fields).await.expect(401);
        assert_eq!(visitor.cookie, None, "{fields:?}");
        texts.push(reply.text());
    }
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:#?}");
    let logs = fixture.app.logs();
    for typed in ["wrong-battery", "wrong-staple", "correct horse", read_only["key"].as_str().unwrap()] {
        assert!(!logs.contains(typed), "{typed} is in the log");
    }
    let audit = fixture.api.read("/audit?action=sign_in_failed").await;
    assert!(!audit.to_string().contains("wrong-"), "{audit:#}");
    assert_eq!(audit.as_array().unwrap().len(), 2, "known users only: {audit:#}");
}
