//! What a request costs when the database is large, beside what it costs when there are ten servers.
//!
//! Starts two services, fills one with ten servers and the other with all of them (over their own REST API,
//! by copying one server of ten tools), and then asks both in turn: each figure is the median of rounds in
//! which the small and the large service answered one after the other, on one machine, in one run.
//!
//! `make scale` (SQLite), `make scale DATABASE=postgres` (a PostgreSQL of its own), `SERVERS=10000` for less.

#![expect(clippy::print_stdout, reason = "a program for people, run by hand")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use toolgate_testkit::http::{Client, TestRequest};
use toolgate_testkit::postgres::{PostgresCluster, PostgresOptions, TestDatabase};
use toolgate_testkit::process::built_program;
use toolgate_testkit::{Postgres, RunningService};

const SMALL: usize = 10;
const TOOLS: usize = 10;
const WRITERS: usize = 8;
const ROUNDS: usize = 101;

#[tokio::main]
async fn main() {
    let full: usize = std::env::var("SERVERS").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let cluster = (std::env::var("DATABASE").as_deref() == Ok("postgres"))
        .then(|| Postgres::private_cluster(PostgresOptions { is_durable: true, ..PostgresOptions::default() }))
        .flatten();
    let small = ScaledService::start(cluster.as_ref(), SMALL).await;
    let started = Instant::now();
    let large = ScaledService::start(cluster.as_ref(), full).await;
    println!("{full} servers and {} tools, filled in {:.0} s", full * TOOLS, started.elapsed().as_secs_f64());
    let rows = measure(&small, &large).await;
    print_table(&rows, full);
    for (what, path) in far_pages(full) {
        let time = median(&(0..21).map(|_| large.admin.get(&path)).collect::<Vec<_>>()).await;
        println!("{what:44} {:>8.2} ms", millis(time));
    }
}

/// A running service with its callers.
struct ScaledService {
    admin: Client,
    /// A user who is no administrator and owns everything.
    owner: Client,
    _app: RunningService,
    _database: Option<TestDatabase>,
}

impl ScaledService {
    async fn start(cluster: Option<&PostgresCluster>, servers: usize) -> Self {
        let database = cluster.map(PostgresCluster::fresh_database);
        let mut builder = RunningService::builder(built_program("toolgate"));
        if let Some(database) = &database {
            builder = builder.postgres(database.url());
        }
        let app = builder.start();
        let admin = app.client();
        let user = admin.post("/users").json(json!({"name": "owner"})).send().await.expect(201).json();
        let key = json!({"name": "bench", "user_id": user["id"]});
        let key = admin.post("/api-keys").json(key).send().await.expect(201).json();
        let owner = app.client_with_key(key["key"].as_str());
        fill(&owner, servers).await;
        if let Some(database) = &database {
            database.psql("VACUUM ANALYZE");
        }
        Self { admin, owner, _app: app, _database: database }
    }
}

/// Makes one server and copies it; then gives some of the copies, which are drafts, another status.
async fn fill(owner: &Client, wanted: usize) {
    let settings = json!({"description": "A server to be copied"});
    owner.post("/servers").json(json!({"name": "Original", "settings": settings})).send().await.expect(201);
    for n in 0..TOOLS {
        let tool = json!({"name": format!("tool_{n}"), "endpoint_url": "https://api.example.com/items/{id}",
            "input_schema": {"properties": {"id": {"type": "string"}}, "required": ["id"]}});
        owner.post("/servers/1/tools").json(tool).send().await.expect(201);
    }
    let next = Arc::new(AtomicUsize::new(1));
    let writers = (0..WRITERS).map(|_| async {
        while next.fetch_add(1, Ordering::Relaxed) < wanted {
            owner.post("/servers/1/duplicate").send().await.expect(201);
        }
    });
    join_all(writers).await;
    for id in 2..=wanted.min(400) {
        for _ in 0..id % 3 {
            owner.post(&format!("/servers/{id}/toggle")).send().await.expect(200);
        }
    }
}

/// A row of the table: what was asked, at ten servers, at all of them.
type Row = (String, Duration, Duration);

async fn measure(small: &ScaledService, large: &ScaledService) -> Vec<Row> {
    let mut rows = Vec::new();
    for (who, caller) in [("admin", admin as fn(&ScaledService) -> &Client), ("owner", owner)] {
        for orderby in ["id", "name", "slug", "status", "created_at", "updated_at"] {
            for order in ["asc", "desc"] {
                for status in ["", "active", "paused", "draft"] {
                    let path = format!("/servers?per_page=3&orderby={orderby}&order={order}&status={status}");
                    let what = format!("list {who} {orderby} {order} {status}");
                    rows.push(compare(what, small, large, |service, _| caller(service).get(&path)).await);
                }
            }
        }
    }
    let get = |path: &'static str| move |service: &ScaledService, _| service.owner.get(path);
    rows.push(compare("get server", small, large, get("/servers/7")).await);
    rows.push(compare("get tool", small, large, get("/tools/5")).await);
    rows.push(compare("list tools of a server", small, large, get("/servers/7/tools")).await);
    let toggle = |service: &ScaledService, _| service.owner.post("/servers/7/toggle");
    rows.push(compare("toggle server", small, large, toggle).await);
    let create =
        |service: &ScaledService, n| service.owner.post("/servers").json(json!({"name": format!("Fresh {n}")}));
    rows.push(compare("create server", small, large, create).await);
    let tool = |n| json!({"name": format!("fresh_{n}"), "endpoint_url": "https://api.example.com/"});
    let create = |service: &ScaledService, n| service.owner.post("/servers/8/tools").json(tool(n));
    rows.push(compare("create tool", small, large, create).await);
    rows
}

fn admin(service: &ScaledService) -> &Client {
    &service.admin
}

fn owner(service: &ScaledService) -> &Client {
    &service.owner
}

/// Asks both services in turn.
async fn compare(
    what: impl Into<String>,
    small: &ScaledService,
    large: &ScaledService,
    request: impl Fn(&ScaledService, usize) -> TestRequest,
) -> Row {
    let (mut at_small, mut at_large) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        at_small.push(timed(request(small, round)).await);
        at_large.push(timed(request(large, round)).await);
    }
    (what.into(), median_of(at_small), median_of(at_large))
}

async fn median(requests: &[TestRequest]) -> Duration {
    let mut times = Vec::new();
    for request in requests {
        times.push(timed(request.clone()).await);
    }
    median_of(times)
}

async fn timed(request: TestRequest) -> Duration {
    let started = Instant::now();
    let reply = request.send().await;
    let elapsed = started.elapsed();
    assert!(reply.status < 300, "{}", reply.text());
    elapsed
}

fn median_of(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Requests that have to look at much of the database.
fn far_pages(full: usize) -> Vec<(String, String)> {
    let last = full / 20;
    vec![
        ("search, all match".into(), "/servers?search=original".into()),
        ("search, few match".into(), "/servers?search=copy-777".into()),
        ("search, none match".into(), "/servers?search=nothing-like-it".into()),
        (format!("page {last} by creation"), format!("/servers?page={last}")),
        (format!("page {last} by name"), format!("/servers?orderby=name&page={last}")),
        (format!("page {} by slug", last / 2), format!("/servers?orderby=slug&page={}", last / 2)),
    ]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn print_table(rows: &[Row], full: usize) {
    println!("{:44} {:>11} {:>11} {:>6}", "median", format!("{SMALL} servers"), format!("{full}"), "ratio");
    let mut lists = Vec::new();
    for (what, small, large) in rows {
        let ratio = large.as_secs_f64() / small.as_secs_f64();
        let row = format!("{what:44} {:>8.2} ms {:>8.2} ms {ratio:>6.2}", millis(*small), millis(*large));
        if what.starts_with("list admin") || what.starts_with("list owner") {
            lists.push((ratio, row));
        } else {
            println!("{row}");
        }
    }
    lists.sort_by(|a, b| a.0.total_cmp(&b.0));
    let typical = lists.get(lists.len() / 2).map_or(0.0, |(ratio, _)| *ratio);
    println!(
        "first page, {} combinations of caller, sort and filter: typical ratio {typical:.2}, the worst:",
        lists.len()
    );
    for (_, row) in lists.iter().rev().take(5) {
        println!("{row}");
    }
}
