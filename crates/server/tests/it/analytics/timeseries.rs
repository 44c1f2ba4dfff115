//! Calls over time.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;

use super::fixture::{ServerFixture, assert_invalid, items, sum};

on_both_databases!(
    the_points_of_a_range_count_every_call_once,
    filters_select_the_counted_calls,
    calls_of_other_owners_are_not_counted,
    an_invalid_range_is_refused_with_the_name_of_its_field,
);

async fn points(fixture: &ApiFixture, query: &str) -> Value {
    fixture.api.read(&format!("/analytics/timeseries?{query}")).await
}

async fn the_points_of_a_range_count_every_call_once(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    server.call("cursor", "good", 3).await;
    server.call("zed", "bad", 2).await;
    let days = points(fixture, "").await;
    assert_eq!(items(&days).len(), 30, "the default is thirty days with one point per day");
    let hours = points(fixture, "interval=hour").await;
    // The last day has one point for each hour until now.
    assert!((29 * 24 + 1..=30 * 24).contains(&items(&hours).len()), "{}", items(&hours).len());
    for list in [&days, &hours] {
        assert_eq!((sum(list, "calls"), sum(list, "failures")), (5, 2));
        // Each of the three successful calls returns `hello`.
        assert_eq!(sum(list, "response_bytes"), 15);
        let starts: Vec<&str> = items(list).iter().map(|point| point["start"].as_str().unwrap()).collect();
        assert!(starts.is_sorted() && starts.iter().all(|start| start.ends_with(":00:00")), "{starts:?}");
        for point in items(list) {
            let has_no_calls = point["calls"] == 0;
            for name in ["p50_ms", "p95_ms", "p99_ms"] {
                assert_eq!(point[name].is_null(), has_no_calls, "{point}");
            }
            assert!(has_no_calls || point["p50_ms"].as_f64() <= point["p99_ms"].as_f64(), "{point}");
            assert_eq!(point["avg_ms"].as_f64() == Some(0.0), has_no_calls, "{point}");
        }
    }
    let (day, _) = items(&days)[29]["start"].as_str().unwrap().split_once('T').unwrap();
    let today = points(fixture, &format!("from={day}&to={day}")).await;
    assert_eq!((items(&today).len(), sum(&today, "calls")), (24, 5), "a day has one point per hour");
    let long_ago = points(fixture, "from=2024-02-28&to=2024-03-01T12:00:00&interval=day").await;
    assert_eq!((items(&long_ago).len(), sum(&long_ago, "calls")), (3, 0));
}

async fn filters_select_the_counted_calls(fixture: &ApiFixture) {
    let (one, good, _) = ServerFixture::create_with_tools(&fixture.api, "One").await;
    let (two, other_good, _) = ServerFixture::create_with_tools(&fixture.api, "Two").await;
    one.call("cursor", "good", 1).await;
    one.call("zed", "bad", 2).await;
    two.call("zed", "good", 4).await;
    for (query, calls) in [
        (format!("server={}", one.id), 3),
        (format!("server={}", two.id), 4),
        (format!("tool={good}"), 1),
        (format!("tool={good}&server={}", one.id), 1),
        (format!("tool={good}&server={}", two.id), 0),
        (format!("tool={other_good}&client=zed"), 4),
        (format!("tool={other_good}&client=cursor"), 0),
        ("client=zed".to_owned(), 6),
        ("client=".to_owned(), 7),
        ("client=unused".to_owned(), 0),
        ("server=987654".to_owned(), 0),
        ("tool=987654".to_owned(), 0),
    ] {
        let points = points(fixture, &query).await;
        assert_eq!((items(&points).len(), sum(&points, "calls")), (30, calls), "{query}");
    }
}

async fn calls_of_other_owners_are_not_counted(fixture: &ApiFixture) {
    let (alice, bob) = (fixture.api.user_client("alice", "owner").await, fixture.api.user_client("bob", "owner").await);
    let (alice_server, good, _) = ServerFixture::create_with_tools(&alice, "Alice's").await;
    alice_server.call("cursor", "good", 2).await;
    for query in
        [String::new(), format!("?server={}", alice_server.id), format!("?tool={good}"), "?client=cursor".into()]
    {
        let path = format!("/analytics/timeseries{query}");
        assert_eq!(sum(&alice.read(&path).await, "calls"), 2, "{query}");
        assert_eq!(sum(&bob.read(&path).await, "calls"), 0, "{query}");
    }
}

async fn an_invalid_range_is_refused_with_the_name_of_its_field(fixture: &ApiFixture) {
    let request = async |query: &str| fixture.api.get(&format!("/analytics/timeseries?{query}")).send().await;
    for (query, field) in [
        ("from=2026-02-30", "from"),
        ("to=2026-02-30T00:00:00", "to"),
        ("from=2026-01-02&to=2026-01-01", "from"),
        ("from=2026-01-01T00:00:01&to=2026-01-01T00:00:00", "from"),
        ("from=yesterday", "from"),
        ("interval=minute", "interval"),
        ("server=x", "server"),
        ("tool=0", "tool"),
        ("format=xml", "format"),
        ("from=2020-01-01&to=2026-01-01&interval=hour", "from"),
        ("from=0001-01-01", "from"),
    ] {
        assert_invalid(&request(query).await, field);
    }
    let too_many = request("from=2020-01-01&to=2026-01-01&interval=hour").await.json();
    let message = too_many["data"]["params"]["from"].as_str().unwrap();
    assert!(message.contains("interval=day") && message.contains("10000"), "{message}");
    assert_eq!(too_many["data"]["params"].as_object().unwrap().len(), 1);
    for (query, last) in [
        ("interval=hour&from=9999-12-30&to=9999-12-31", "9999-12-31T23:00:00"),
        ("interval=day&from=9999-12-01&to=9999-12-31T23:59:59.999", "9999-12-31T00:00:00"),
    ] {
        let points = fixture.api.read(&format!("/analytics/timeseries?{query}")).await;
        assert_eq!(items(&points).last().unwrap()["start"], last, "the last point is at the end of the calendar");
        assert!(items(&points).is_sorted_by_key(|point| point["start"].as_str().unwrap()));
    }
    assert_invalid(&request("to=9999-12-31T23:59:60").await, "to");
    let two_errors = request("interval=minute&from=x").await.json();
    assert_eq!(two_errors["data"]["params"].as_object().unwrap().len(), 2, "both fields are reported: {two_errors}");
    assert_eq!(two_errors["data"]["status"], json!(400));
}
