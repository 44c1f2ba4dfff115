//! The call log.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, Client, TestResponse};

use super::fixture::{ServerFixture, assert_invalid, items, sum};

on_both_databases!(
    a_call_is_logged_with_all_fields,
    a_failure_has_a_reason_and_advice,
    filters_select_calls,
    pages_cover_the_whole_log,
    calls_of_other_owners_are_not_listed,
    an_invalid_filter_is_refused_with_its_name,
    an_empty_filter_is_ignored,
    filters_may_be_sent_in_a_body,
);

/// The fields of a call in the list.
const FIELDS: [&str; 28] = [
    "id",
    "time",
    "server_id",
    "server_name",
    "tool_id",
    "tool_name",
    "client_type",
    "client_name",
    "protocol_version",
    "outcome",
    "reason",
    "advice",
    "upstream_status",
    "duration_ms",
    "upstream_ms",
    "request_bytes",
    "response_bytes",
    "cache_hit",
    "tokens_out",
    "tokens_saved",
    "request_id",
    "captured",
    "endpoint_key_id",
    "endpoint_key_name",
    "user_id",
    "user_name",
    "client_address",
    "caller",
];

fn field_names(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

async fn a_call_is_logged_with_all_fields(fixture: &ApiFixture) {
    let (server, good, _) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    let arguments = json!({"a": 1});
    let request =
        server.caller("Cursor").modern().request("tools/call", json!({"name": "good", "arguments": arguments}));
    let request_id = request.send().await.expect(200).header("x-request-id").unwrap().to_owned();
    let log = fixture.api.read("/calls").await;
    let call = &log[0];
    assert_eq!(field_names(call), FIELDS);
    assert_eq!((&call["server_id"], &call["server_name"]), (&json!(server.id), &json!("Shop")));
    assert_eq!((&call["tool_id"], &call["tool_name"]), (&json!(good), &json!("good")));
    assert_eq!((&call["client_type"], &call["client_name"]), (&json!("cursor"), &json!("Cursor")));
    assert_eq!(call["protocol_version"], "2026-07-28");
    assert_eq!((&call["outcome"], &call["reason"], &call["advice"]), (&json!("success"), &Value::Null, &Value::Null));
    assert_eq!((&call["upstream_status"], &call["response_bytes"]), (&json!(200), &json!(5)));
    assert_eq!(call["request_bytes"], arguments.to_string().len());
    assert!(call["duration_ms"].as_f64() >= call["upstream_ms"].as_f64(), "{call}");
    assert_eq!((&call["cache_hit"], &call["captured"]), (&json!(false), &json!(false)));
    assert_eq!(call["request_id"], request_id);
    let time_pattern: String =
        call["time"].as_str().unwrap().chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(time_pattern, "0000-00-00T00:00:00.000");
    let single = fixture.api.read(&format!("/calls/{}", id(call))).await;
    assert_eq!(field_names(&single)[FIELDS.len()..], ["arguments", "response"]);
    assert!(single["arguments"].is_null() && single["response"].is_null(), "{single}");
    assert!(
        FIELDS.iter().all(|field| single[field] == call[field]),
        "the single call {single} differs from the listed one {call}"
    );
    let absent = fixture.api.get(&format!("/calls/{}", id(call) + 1)).send().await;
    assert_eq!((absent.status, &absent.json()["code"]), (404, &json!("rest_call_invalid_id")));
}

async fn a_failure_has_a_reason_and_advice(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    server.call("cursor", "bad", 1).await;
    let call = &fixture.api.read("/calls").await[0];
    assert_eq!((&call["outcome"], &call["reason"]), (&json!("failed"), &json!("upstream_5xx")));
    assert_eq!(call["upstream_status"], 500);
    assert!(call["advice"].as_str().unwrap().ends_with('.'), "{call}");
    assert_eq!(call["protocol_version"], Value::Null, "a plain JSON-RPC client has no revision");
}

async fn filters_select_calls(fixture: &ApiFixture) {
    let (one, good, bad) = ServerFixture::create_with_tools(&fixture.api, "One").await;
    let (two, ..) = ServerFixture::create_with_tools(&fixture.api, "Two").await;
    two.create_tool(&fixture.api, "missing").await;
    one.call("cursor", "good", 2).await;
    one.call("zed", "bad", 1).await;
    two.call("zed", "missing", 1).await;
    two.call("cursor", "good", 1).await;
    let last_time = fixture.api.read("/calls").await[0]["time"].as_str().unwrap().to_owned();
    let (day, _) = last_time.split_once('T').unwrap();
    for (query, calls) in [
        (String::new(), 5),
        (format!("server={}", one.id), 3),
        (format!("tool={bad}"), 1),
        (format!("tool={good}&server={}", two.id), 0),
        ("client=cursor".to_owned(), 3),
        ("client=cursor&status=failed".to_owned(), 0),
        ("status=".to_owned(), 5),
        ("status=success".to_owned(), 3),
        ("status=failed".to_owned(), 2),
        ("status=upstream_4xx".to_owned(), 1),
        (format!("status=upstream_5xx&server={}&client=zed", one.id), 1),
        ("status=timeout".to_owned(), 0),
        (format!("from={day}&to={day}"), 5),
        (format!("to={last_time}"), 5),
        ("to=2026-01-01".to_owned(), 0),
        ("from=9999-01-01".to_owned(), 0),
        ("server=987654".to_owned(), 0),
    ] {
        let reply = fixture.api.get(&format!("/calls?{query}")).send().await.expect(200);
        assert_eq!(calls_of_all_pages(&fixture.api, reply).await.len(), calls, "{query}");
    }
}

/// All calls of this page and the following ones; a page may be short although another one follows.
async fn calls_of_all_pages(api: &Client, mut page: TestResponse) -> Vec<Value> {
    let mut calls = items(&page.json()).to_vec();
    while let Some(link) = page.header("link") {
        let address = link.strip_prefix('<').unwrap().strip_suffix(">; rel=\"next\"").unwrap().to_owned();
        let cursor = page.header("x-next-before").unwrap();
        assert!(address.contains(&format!("before={cursor}")), "{address}");
        page = api.get(&address).send().await.expect(200);
        calls.extend(items(&page.json()).to_vec());
    }
    assert_eq!(page.header("x-next-before"), None);
    calls
}

async fn pages_cover_the_whole_log(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    server.call("cursor", "good", 23).await;
    server.call("zed", "good", 2).await;
    let default = fixture.api.get("/calls").send().await.expect(200);
    assert_eq!(items(&default.json()).len(), 20);
    let first = fixture.api.get("/calls?per_page=4&client=cursor").send().await.expect(200);
    let calls = calls_of_all_pages(&fixture.api, first).await;
    let ids: Vec<i64> = calls.iter().map(id).collect();
    assert_eq!(ids.len(), 23);
    assert!(
        ids.is_sorted_by(|newer, older| newer > older),
        "the newest call is first and each is listed once: {ids:?}"
    );
    assert!(calls.iter().all(|call| call["client_type"] == "cursor"));
    // A call that is recorded between two requests is not on the later page.
    let page = fixture.api.read("/calls?per_page=2").await;
    server.call("cursor", "good", 1).await;
    let next = fixture.api.read(&format!("/calls?per_page=2&before={}", id(&page[1]))).await;
    assert!(id(&next[0]) < id(&page[1]));
}

async fn calls_of_other_owners_are_not_listed(fixture: &ApiFixture) {
    let (alice, bob) = (fixture.api.user_client("alice", "owner").await, fixture.api.user_client("bob", "owner").await);
    let (alice_server, good, _) = ServerFixture::create_with_tools(&alice, "Alice's").await;
    alice_server.call("cursor", "good", 1).await;
    let call = id(&alice.read("/calls").await[0]);
    for query in
        [String::new(), format!("?server={}", alice_server.id), format!("?tool={good}"), "?status=success".into()]
    {
        assert_eq!(bob.read(&format!("/calls{query}")).await, json!([]), "{query}");
        assert_eq!(items(&alice.read(&format!("/calls{query}")).await).len(), 1, "{query}");
    }
    let (other_owners, absent) = (bob.get(&format!("/calls/{call}")).send().await, bob.get("/calls/1").send().await);
    assert_eq!((other_owners.status, other_owners.text()), (404, absent.text()));
    assert_eq!(id(&fixture.api.read(&format!("/calls/{call}")).await), call);
}

async fn an_invalid_filter_is_refused_with_its_name(fixture: &ApiFixture) {
    for (query, field) in [
        ("status=broken", "status"),
        ("from=2026-02-30", "from"),
        ("from=2026-01-02&to=2026-01-01", "from"),
        ("to=now", "to"),
        ("before=x", "before"),
        ("before=0", "before"),
        ("per_page=0", "per_page"),
        ("per_page=101", "per_page"),
        ("server=x", "server"),
        ("format=pdf", "format"),
        ("page=2", "page"),
        ("from[a]=2026-11-15", "from"),
        ("server[]=1&server[]=2", "server"),
    ] {
        assert_invalid(&fixture.api.get(&format!("/calls?{query}")).send().await, field);
    }
    let page = fixture.api.get("/calls?page=2").send().await.expect(400);
    assert!(page.text().contains("X-Next-Before"), "the message names the alternative: {page:?}");
    for field in ["server", "tool", "before"] {
        let reply = fixture.api.get("/calls").query(field, "9223372036854775808").send().await;
        assert_invalid(&reply, field);
        assert!(reply.text().contains("must be less than or equal to 9223372036854775807"), "{reply:?}");
    }
}

async fn an_empty_filter_is_ignored(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    server.call("cursor", "good", 2).await;
    // These queries are examples in the documentation.
    let log = "/calls?server=&tool=&client=&status=&from=&to=&before=";
    assert_eq!(items(&fixture.api.read(log).await).len(), 2);
    let points = "/analytics/timeseries?interval=hour&from=&to=&server=&tool=&client=";
    assert_eq!(sum(&fixture.api.read(points).await, "calls"), 2);
    assert_eq!(sum(&fixture.api.read("/analytics/tools?from=&to=&server=&unused=").await, "calls"), 2);
    assert_eq!(sum(&fixture.api.read("/analytics/client-breakdown?from=&to=").await, "total_calls"), 2);
}

async fn filters_may_be_sent_in_a_body(fixture: &ApiFixture) {
    let (one, ..) = ServerFixture::create_with_tools(&fixture.api, "One").await;
    let (other, ..) = ServerFixture::create_with_tools(&fixture.api, "Other").await;
    one.call("cursor", "good", 2).await;
    other.call("cursor", "good", 3).await;
    let filter = json!({"server": one.id});
    let posted = fixture.api.post(&format!("/calls?_method=GET&server={}", other.id)).json(filter.clone());
    assert_eq!(
        items(&posted.send().await.expect(200).json()).len(),
        2,
        "the JSON body takes precedence over the query"
    );
    let get_with_body = fixture.api.get("/calls").json(filter);
    assert_eq!(items(&get_with_body.send().await.expect(200).json()).len(), 2);
}
