//! The log of calls.

use serde_json::{Value, json};
use toolgate_testkit::{Client, Reply};

use super::shop::{Shop, assert_blames, get, id, items, on_both_databases, sum};

on_both_databases!(
    a_call_is_told_in_full,
    a_failure_says_why_and_what_to_do,
    filters_choose_calls,
    pages_lead_through_the_whole_log,
    others_calls_are_not_there,
    what_is_no_filter_is_refused_by_name,
    a_filter_that_is_empty_is_none,
    filters_may_come_in_a_body_too,
);

const FIELDS: [&str; 20] = [
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
    "request_id",
    "captured",
];

fn names(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

async fn a_call_is_told_in_full(shop: Shop) {
    let (server, good, _) = shop.stocked(&shop.api, "Shop").await;
    let arguments = json!({"a": 1});
    let request =
        server.caller("Cursor").modern().request("tools/call", json!({"name": "good", "arguments": arguments}));
    let request_id = request.send().await.expect(200).header("x-request-id").unwrap().to_owned();
    let log = get(&shop.api, "/calls").await;
    let call = &log[0];
    assert_eq!(names(call), FIELDS);
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
    let form: String =
        call["time"].as_str().unwrap().chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(form, "0000-00-00T00:00:00.000");
    let single = get(&shop.api, &format!("/calls/{}", id(call))).await;
    assert_eq!(names(&single)[20..], ["arguments", "response"]);
    assert!(single["arguments"].is_null() && single["response"].is_null(), "{single}");
    assert!(FIELDS.iter().all(|field| single[field] == call[field]), "{single} but {call}");
    let absent = shop.api.get(&format!("/calls/{}", id(call) + 1)).send().await;
    assert_eq!((absent.status, &absent.json()["code"]), (404, &json!("rest_call_invalid_id")));
}

async fn a_failure_says_why_and_what_to_do(shop: Shop) {
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    server.call("cursor", "bad", 1).await;
    let call = &get(&shop.api, "/calls").await[0];
    assert_eq!((&call["outcome"], &call["reason"]), (&json!("failed"), &json!("upstream_5xx")));
    assert_eq!(call["upstream_status"], 500);
    assert!(call["advice"].as_str().unwrap().ends_with('.'), "{call}");
    assert_eq!(call["protocol_version"], Value::Null, "a plain caller speaks no revision");
}

async fn filters_choose_calls(shop: Shop) {
    let (one, good, bad) = shop.stocked(&shop.api, "One").await;
    let (two, ..) = shop.stocked(&shop.api, "Two").await;
    shop.tool(&shop.api, &two, "missing").await;
    one.call("cursor", "good", 2).await;
    one.call("zed", "bad", 1).await;
    two.call("zed", "missing", 1).await;
    two.call("cursor", "good", 1).await;
    let last = get(&shop.api, "/calls").await[0]["time"].as_str().unwrap().to_owned();
    let (day, _) = last.split_once('T').unwrap();
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
        (format!("to={last}"), 5),
        ("to=2026-01-01".to_owned(), 0),
        ("from=9999-01-01".to_owned(), 0),
        ("server=987654".to_owned(), 0),
    ] {
        let reply = shop.api.get(&format!("/calls?{query}")).send().await.expect(200);
        assert_eq!(whole(&shop.api, reply).await.len(), calls, "{query}");
    }
}

/// All calls from this page on; a page may be short although another follows.
async fn whole(api: &Client, mut page: Reply) -> Vec<Value> {
    let mut calls = items(&page.json()).to_vec();
    while let Some(link) = page.header("link") {
        let address = link.strip_prefix('<').unwrap().strip_suffix(">; rel=\"next\"").unwrap().to_owned();
        let before = page.header("x-next-before").unwrap();
        assert!(address.contains(&format!("before={before}")), "{address}");
        page = api.get(&address).send().await.expect(200);
        calls.extend(items(&page.json()).to_vec());
    }
    assert_eq!(page.header("x-next-before"), None);
    calls
}

async fn pages_lead_through_the_whole_log(shop: Shop) {
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    server.call("cursor", "good", 23).await;
    server.call("zed", "good", 2).await;
    let default = shop.api.get("/calls").send().await.expect(200);
    assert_eq!(items(&default.json()).len(), 20);
    let first = shop.api.get("/calls?per_page=4&client=cursor").send().await.expect(200);
    let calls = whole(&shop.api, first).await;
    let ids: Vec<i64> = calls.iter().map(id).collect();
    assert_eq!(ids.len(), 23);
    assert!(ids.is_sorted_by(|newer, older| newer > older), "newest first, each once: {ids:?}");
    assert!(calls.iter().all(|call| call["client_type"] == "cursor"));
    // Calls that come meanwhile are on no later page.
    let page = get(&shop.api, "/calls?per_page=2").await;
    server.call("cursor", "good", 1).await;
    let next = get(&shop.api, &format!("/calls?per_page=2&before={}", id(&page[1]))).await;
    assert!(id(&next[0]) < id(&page[1]));
}

async fn others_calls_are_not_there(shop: Shop) {
    let (alice, bob) = (shop.owner("alice").await, shop.owner("bob").await);
    let (of_alice, good, _) = shop.stocked(&alice, "Alice's").await;
    of_alice.call("cursor", "good", 1).await;
    let call = id(&get(&alice, "/calls").await[0]);
    for query in [String::new(), format!("?server={}", of_alice.id), format!("?tool={good}"), "?status=success".into()]
    {
        assert_eq!(get(&bob, &format!("/calls{query}")).await, json!([]), "{query}");
        assert_eq!(items(&get(&alice, &format!("/calls{query}")).await).len(), 1, "{query}");
    }
    let (foreign, absent) = (bob.get(&format!("/calls/{call}")).send().await, bob.get("/calls/1").send().await);
    assert_eq!((foreign.status, foreign.text()), (404, absent.text()));
    assert_eq!(id(&get(&shop.api, &format!("/calls/{call}")).await), call);
}

async fn what_is_no_filter_is_refused_by_name(shop: Shop) {
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
        assert_blames(&shop.api.get(&format!("/calls?{query}")).send().await, field);
    }
    let page = shop.api.get("/calls?page=2").send().await.expect(400);
    assert!(page.text().contains("X-Next-Before"), "it says what is right: {page:?}");
    for field in ["server", "tool", "before"] {
        let reply = shop.api.get("/calls").query(field, "9223372036854775808").send().await;
        assert_blames(&reply, field);
        assert!(reply.text().contains("must be less than or equal to 9223372036854775807"), "{reply:?}");
    }
}

async fn a_filter_that_is_empty_is_none(shop: Shop) {
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    server.call("cursor", "good", 2).await;
    // As the documentation prints them.
    let log = "/calls?server=&tool=&client=&status=&from=&to=&before=";
    assert_eq!(items(&get(&shop.api, log).await).len(), 2);
    let points = "/analytics/timeseries?interval=hour&from=&to=&server=&tool=&client=";
    assert_eq!(sum(&get(&shop.api, points).await, "calls"), 2);
    assert_eq!(sum(&get(&shop.api, "/analytics/tools?from=&to=&server=&unused=").await, "calls"), 2);
    assert_eq!(sum(&get(&shop.api, "/analytics/client-breakdown?from=&to=").await, "total_calls"), 2);
}

async fn filters_may_come_in_a_body_too(shop: Shop) {
    let (one, ..) = shop.stocked(&shop.api, "One").await;
    let (other, ..) = shop.stocked(&shop.api, "Other").await;
    one.call("cursor", "good", 2).await;
    other.call("cursor", "good", 3).await;
    let filter = json!({"server": one.id});
    let posted = shop.api.post(&format!("/calls?_method=GET&server={}", other.id)).json(filter.clone());
    assert_eq!(items(&posted.send().await.expect(200).json()).len(), 2, "JSON wins over the query");
    let got = shop.api.get("/calls").json(filter);
    assert_eq!(items(&got.send().await.expect(200).json()).len(), 2);
}
