//! What is kept of what is said in calls: nothing, unless the server's settings say so.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolgate_testkit::{Answer, Upstream};

use super::shop::{Server, Shop, created, get, id, on_both_databases};

on_both_databases!(
    nothing_is_kept_unless_it_is_switched_on,
    only_failures_are_kept_where_only_they_are_wanted,
    all_is_kept_where_all_is_wanted,
    no_more_is_kept_than_is_asked_for,
    a_refused_call_is_kept_with_what_it_was_told,
    a_token_that_was_refused_is_masked_as_well_as_the_one_that_was_taken,
);

/// What was kept of the last call: arguments and answer.
async fn last(shop: &Shop) -> (Value, Value) {
    let call = &get(&shop.api, "/calls?per_page=1").await[0];
    let whole = get(&shop.api, &format!("/calls/{}", id(call))).await;
    assert_eq!(call["captured"], !whole["arguments"].is_null(), "{whole}");
    (whole["arguments"].clone(), whole["response"].clone())
}

async fn set(shop: &Shop, server: &Server, settings: Value) {
    shop.api.patch(&format!("/servers/{}", server.id)).json(json!({"settings": settings})).send().await.expect(200);
}

async fn nothing_is_kept_unless_it_is_switched_on(shop: Shop) {
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    for settings in [json!({"description": "d"}), json!({"capture": "off"}), json!({"capture_max_bytes": 9})] {
        set(&shop, &server, settings).await;
        for tool in ["good", "bad"] {
            server.call("cursor", tool, 1).await;
            assert_eq!(last(&shop).await, (Value::Null, Value::Null), "{tool}");
        }
    }
}

async fn only_failures_are_kept_where_only_they_are_wanted(shop: Shop) {
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    set(&shop, &server, json!({"capture": "failures"})).await;
    server.call("cursor", "good", 1).await;
    assert_eq!(last(&shop).await, (Value::Null, Value::Null));
    server.caller("cursor").call("bad", json!({"a": [1.50]})).await;
    let failed = (json!(r#"{"a":[1.5]}"#), json!("Upstream returned HTTP 500 Internal Server Error"));
    assert_eq!(last(&shop).await, failed);
    // A change holds from the next call on.
    set(&shop, &server, json!({"capture": null})).await;
    server.call("cursor", "bad", 1).await;
    assert_eq!(last(&shop).await, (Value::Null, Value::Null));
}

async fn all_is_kept_where_all_is_wanted(shop: Shop) {
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    set(&shop, &server, json!({"capture": "all"})).await;
    server.caller("cursor").call("good", json!({"q": "é"})).await;
    assert_eq!(last(&shop).await, (json!(r#"{"q":"é"}"#), json!("hello")));
    server.caller("cursor").call("bad", json!({})).await;
    assert_eq!(last(&shop).await.0, "{}");
    server.caller("cursor").send("tools/call", json!({"name": "good"})).await.expect(200);
    assert_eq!(last(&shop).await, (json!("{}"), json!("hello")));
}

async fn no_more_is_kept_than_is_asked_for(shop: Shop) {
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    set(&shop, &server, json!({"capture": "all", "capture_max_bytes": 4})).await;
    server.caller("cursor").call("good", json!({"q": 1})).await;
    let cut = |head: &str, bytes: usize| json!(format!("{head}… [cut, {bytes} bytes in all]"));
    assert_eq!(last(&shop).await, (cut("{\"q\"", 7), cut("hell", 5)));
}

async fn a_refused_call_is_kept_with_what_it_was_told(shop: Shop) {
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    set(&shop, &server, json!({"capture": "failures"})).await;
    let strict = json!({"type": "object", "properties": {"pin": {"type": "string", "x-secret": true}}});
    let fields = json!({"name": "strict", "endpoint_url": "http://127.0.0.1:9/", "input_schema": strict});
    created(&shop.api, &format!("/servers/{}/tools", server.id), fields).await;
    server.caller("cursor").call("strict", json!({"pin": 1234})).await;
    let (arguments, response) = last(&shop).await;
    assert_eq!(arguments, r#"{"pin":"********"}"#);
    assert!(
        response.as_str().is_some_and(|text| text.starts_with("Invalid arguments for strict: 'pin'")),
        "{response}"
    );
    let refused = async |name: &str, arguments: Value| {
        let params = json!({"name": name, "arguments": arguments});
        let (_, error) = server.caller("cursor").error("tools/call", params).await;
        assert_eq!(error["code"], -32602);
        error["message"].clone()
    };
    let message = refused("good", json!([1])).await;
    assert_eq!(last(&shop).await, (json!("[1]"), message));
    for arguments in [json!([{"pin": "1234"}]), json!(r#"{"pin":"1234"}"#)] {
        refused("strict", arguments).await;
        assert_eq!(last(&shop).await, (json!("\"********\""), json!("********")), "it may hold the secret anywhere");
    }
}

async fn a_token_that_was_refused_is_masked_as_well_as_the_one_that_was_taken(shop: Shop) {
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    set(&shop, &server, json!({"capture": "all"})).await;
    let issued = AtomicUsize::new(0);
    let upstream = Upstream::answering(move |request| match request.path() {
        "/token" => {
            let number = issued.fetch_add(1, Ordering::Relaxed) + 1;
            Answer::json(json!({"access_token": format!("t0ken-{number}"), "expires_in": 3600}))
        }
        _ if request.header("authorization") == Some("Bearer t0ken-1") => Answer::status(401),
        _ => Answer::text("t0ken-1 is over, t0ken-2 is fine"),
    });
    let credentials = json!({"token_url": upstream.url("/token"), "client_id": "c", "client_secret": "s3cr3t"});
    let fields = json!({"name": "renewing", "endpoint_url": upstream.url("/api"), "auth_type": "oauth2",
        "auth_credentials": credentials});
    created(&shop.api, &format!("/servers/{}/tools", server.id), fields).await;
    server.caller("cursor").call("renewing", json!({})).await;
    assert_eq!(last(&shop).await.1, "******** is over, ******** is fine");
}
