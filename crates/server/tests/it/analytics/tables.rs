//! Reports and the call log as CSV tables.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_testkit::{ApiFixture, Client, Postgres, TestResponse};

use super::fixture::{ServerFixture, assert_at_capacity};
use super::log_filler::fill_log;
use crate::toolgate;

on_both_databases!(
    every_report_is_available_as_a_table,
    the_log_is_available_as_one_table,
    an_export_as_ndjson_is_continued_with_before_and_after,
    cells_that_look_like_formulas_are_escaped
);

async fn get_table(api: &Client, path: &str, file: &str) -> String {
    let reply = api.get(path).query("format", "csv").send().await.expect(200);
    assert_table(&reply, file);
    reply.text()
}

#[track_caller]
fn assert_table(reply: &TestResponse, file: &str) {
    assert_eq!(reply.header("content-type"), Some("text/csv; charset=utf-8"), "{reply:?}");
    let disposition = format!("attachment; filename=\"{file}\"");
    assert_eq!(reply.header("content-disposition"), Some(disposition.as_str()));
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    assert!(reply.text().ends_with("\r\n"), "{reply:?}");
}

async fn every_report_is_available_as_a_table(fixture: &ApiFixture) {
    for (path, file, head) in [
        ("/analytics/client-breakdown", "client-breakdown.csv", "client_type,total_calls,successful_calls,"),
        (
            "/analytics/tools",
            "tools.csv",
            "tool_id,tool_name,status,server_id,server_name,calls,failures,failure_rate,",
        ),
        ("/calls", "calls.csv", "id,time,server_id,server_name,tool_id,tool_name,client_type,client_name,"),
    ] {
        let empty = get_table(&fixture.api, path, file).await;
        assert!(empty.starts_with(head) && empty.lines().count() == 1, "{empty}");
    }
    let (server, good, bad) = ServerFixture::create_with_tools(&fixture.api, "Shop, \"the\" one").await;
    server.call("cursor", "good", 2).await;
    let overview = get_table(&fixture.api, "/analytics/overview", "overview.csv").await;
    let (head, row) = overview.trim_end().split_once("\r\n").unwrap();
    let json = fixture.api.read("/analytics/overview").await;
    let expected: Vec<String> = json.as_object().unwrap().values().map(ToString::to_string).collect();
    assert_eq!(head.split(',').collect::<Vec<_>>(), json.as_object().unwrap().keys().collect::<Vec<_>>());
    assert_eq!(row, expected.join(","));
    let clients = get_table(&fixture.api, "/analytics/client-breakdown", "client-breakdown.csv").await;
    assert!(clients.contains("\r\ncursor,2,2,0,"), "{clients}");
    let points = get_table(&fixture.api, "/analytics/timeseries", "timeseries.csv").await;
    assert_eq!(points.lines().count(), 31, "the table has the column names and one row per day: {points}");
    assert!(points.starts_with(
        "start,calls,failures,avg_ms,p50_ms,p95_ms,p99_ms,request_bytes,response_bytes,tokens_out,tokens_saved\r\n"
    ));
    assert!(points.contains("T00:00:00,0,0,0.0,,,,0,0,0,0\r\n"), "null becomes an empty cell: {points}");
    let tools = get_table(&fixture.api, "/analytics/tools", "tools.csv").await;
    let id = server.id;
    assert!(tools.contains(&format!("\r\n{good},good,active,{id},\"Shop, \"\"the\"\" one\",2,0,0.0,")), "{tools}");
    assert!(
        tools.ends_with(&format!("\r\n{bad},bad,active,{id},\"Shop, \"\"the\"\" one\",0,0,0.0,0.0,,,,0,0,,true\r\n"))
    );
    let head = fixture.api.head("/analytics/tools?format=csv").send().await.expect(200);
    assert_eq!((head.header("content-type"), head.text().as_str()), (Some("text/csv; charset=utf-8"), ""));
}

async fn the_log_is_available_as_one_table(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    server.call("cursor", "good", 30).await;
    server.call("cursor", "bad", 3).await;
    let all = get_table(&fixture.api, "/calls", "calls.csv").await;
    assert_eq!(all.lines().count(), 34, "a table has all calls, regardless of the page size");
    assert_eq!(get_table(&fixture.api, "/calls?per_page=2&status=failed", "calls.csv").await.lines().count(), 4);
    let third_id = all.lines().nth(3).unwrap().split_once(',').unwrap().0;
    let older = get_table(&fixture.api, &format!("/calls?before={third_id}"), "calls.csv").await;
    assert_eq!(older.lines().count(), 31);
    let failed = all.lines().nth(1).unwrap();
    assert!(failed.contains(",failed,upstream_5xx,\"The upstream API failed: try again later, "), "{failed}");
    assert!(failed.ends_with(",false,,,,,127.0.0.1"), "{failed}");
    fixture.api.head("/calls?format=csv").send().await.expect(200);
    let refused = fixture.api.get("/calls?format=csv&status=x").send().await.expect(400);
    assert_eq!(refused.json()["code"], "rest_invalid_param", "errors stay JSON");
    fixture.app.client_with_key(None).get("/calls?format=csv").send().await.expect(401);
    let enveloped = fixture.api.get("/calls?format=csv&_envelope=1&_fields=id").send().await.expect(200);
    assert_eq!(enveloped.text(), all, "a table ignores _envelope and _fields");
}

async fn an_export_as_ndjson_is_continued_with_before_and_after(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    server.call("cursor", "good", 30).await;
    let export = async |query: String| {
        let reply = fixture.api.get(&format!("/calls?format=ndjson&per_page=2{query}")).send().await.expect(200);
        assert_eq!(reply.header("content-type"), Some("application/x-ndjson"));
        assert_eq!(reply.header("content-disposition"), Some("attachment; filename=\"calls.ndjson\""));
        let text = reply.text();
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>()
    };
    let all = export(String::new()).await;
    let pages = fixture.api.read("/calls?per_page=100").await;
    assert_eq!(&all, pages.as_array().unwrap(), "a line has the fields of the log, and all calls are exported");
    let (newest, tenth) = (&all[0]["id"], &all[9]["id"]);
    assert_eq!(export(format!("&before={tenth}")).await, all[10..], "an aborted export continues with before");
    assert_eq!(export(format!("&after={newest}")).await, Vec::<Value>::new());
    server.call("cursor", "bad", 2).await;
    let newer = export(format!("&after={newest}")).await;
    assert_eq!(newer.iter().map(|call| &call["outcome"]).collect::<Vec<_>>(), ["failed"; 2]);
    let between = fixture.api.read(&format!("/calls?after={tenth}&before={newest}")).await;
    assert_eq!(between.as_array().unwrap(), &all[1..9], "pages are bounded as well");
}

async fn cells_that_look_like_formulas_are_escaped(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "=1+1").await;
    let names = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "a\"b,c"];
    for name in names {
        server.call(name, "good", 1).await;
    }
    let log = get_table(&fixture.api, "/calls", "calls.csv").await;
    let rows: Vec<&str> = log.lines().skip(1).collect();
    assert_eq!(rows.len(), names.len(), "{log}");
    for (row, cell) in rows.iter().rev().zip(["'=cmd|' /C calc'!A0", "'+1", "'-1", "'@SUM(A1)", "\"a\"\"b,c\""]) {
        assert!(row.contains(&format!(",{cell},")), "{cell}: {row}");
        assert!(row.contains(",'=1+1,"), "names of servers are escaped too: {row}");
    }
}

#[tokio::test]
async fn a_table_ends_when_its_key_is_deleted_and_the_number_of_tables_per_owner_is_limited() {
    let Some(database) = Postgres::fresh_database() else { return };
    let fixture = ApiFixture::start(toolgate().database(database));
    let path = "/calls?format=csv";
    // The table exceeds the buffers of a connection, so that it cannot be sent completely while the client does not
    // read.
    fill_log(&fixture.app, 40_000).await;
    let key = fixture.api.create("/api-keys", json!({"name": "k", "user_id": 1, "scopes": ["read"]})).await;
    let api = fixture.app.client_with_key(key["key"].as_str());
    let (one, other) = (api.get(path).open().await, api.get(path).open().await);
    assert_eq!((one.status, other.status), (200, 200));
    assert_at_capacity(&api, "rest_too_many_exports", path).await;
    let alice = fixture.api.user_client("alice", "owner").await;
    get_table(&alice, "/calls", "calls.csv").await;
    let timeout = Duration::from_secs(10);
    let mut stream = api.get("/calls/stream").timeout(timeout).open().await.events().await;
    fixture.api.delete(&format!("/api-keys/{}", key["id"])).send().await.expect(200);
    assert_eq!(stream.next().await, None, "the key is revalidated for streams and tables");
    for reader in [one, other] {
        assert!(reader.try_read_to_end().await.is_err(), "the table was read to its end without a key");
    }
    let deadline = Instant::now() + timeout;
    // Polls, because nothing signals that the service has detected the disconnects.
    while fixture.api.head(path).send().await.status != 200 {
        assert!(Instant::now() < deadline, "there is no capacity although both tables ended");
    }
    assert_eq!(get_table(&fixture.api, "/calls", "calls.csv").await.lines().count(), 40_001);
}
