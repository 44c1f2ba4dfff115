//! Latency of the management API with a large database, compared with a database of ten servers.
//!
//! Starts two services, one with ten servers and one with `SERVERS` (created over the REST API by duplicating a server
//! of ten tools), and sends requests to both in turn. Each figure is the median of rounds in which the small and the
//! large service answered one after the other, on one machine, in one run. Searches and far pages are measured
//! with the large service only.
//!
//! `make scale` (SQLite), `make scale DATABASE=postgres` (a separate PostgreSQL cluster), `SERVERS=10000` for fewer.

#![expect(clippy::print_stdout, reason = "a command-line program run by hand")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use toolgate_testkit::http::{Client, TestRequest};
use toolgate_testkit::postgres::{PostgresCluster, PostgresOptions, TestDatabase};
use toolgate_testkit::process::service_binary;
use toolgate_testkit::{Postgres, RunningService};

/// Number of servers in the small database.
const SMALL_SERVERS: usize = 10;
/// Number of tools in each server.
const TOOLS_EACH: usize = 10;
/// Number of concurrent requests that duplicate servers.
const WRITERS: usize = 8;
const ROUNDS: usize = 101;
/// Rounds of the searches and far pages.
const SEARCH_ROUNDS: usize = 21;
/// Id of the last server whose status is changed.
const TOGGLED_MAX: usize = 400;

#[tokio::main]
async fn main() {
    let server_count: usize = std::env::var("SERVERS").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let cluster = (std::env::var("DATABASE").as_deref() == Ok("postgres"))
        .then(|| Postgres::private_cluster(PostgresOptions { is_durable: true, ..PostgresOptions::default() }))
        .flatten();
    let small = ScaledService::start(cluster.as_ref(), SMALL_SERVERS).await;
    let started = Instant::now();
    let large = ScaledService::start(cluster.as_ref(), server_count).await;
    println!(
        "{server_count} servers and {} tools created in {:.0} s",
        server_count * TOOLS_EACH,
        started.elapsed().as_secs_f64()
    );
    let rows = measure(&small, &large).await;
    print_table(&rows, server_count);
    for (name, path) in search_and_page_requests(server_count) {
        let time = measure_median(&(0..SEARCH_ROUNDS).map(|_| large.admin.get(&path)).collect::<Vec<_>>()).await;
        println!("{name:44} {:>8.2} ms", millis(time));
    }
}

/// A running service with clients of two users.
struct ScaledService {
    admin: Client,
    /// Client of a user who is not an administrator and owns all servers.
    owner: Client,
    _app: RunningService,
    _database: Option<TestDatabase>,
}

impl ScaledService {
    async fn start(cluster: Option<&PostgresCluster>, servers: usize) -> Self {
        let database = cluster.map(PostgresCluster::fresh_database);
        let mut builder = RunningService::builder(service_binary());
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

/// Creates one server and duplicates it. Copies are drafts; some of them are then activated or paused.
async fn fill(owner: &Client, servers: usize) {
    let settings = json!({"description": "A server to duplicate"});
    owner.post("/servers").json(json!({"name": "Original", "settings": settings})).send().await.expect(201);
    for n in 0..TOOLS_EACH {
        let tool = json!({"name": format!("tool_{n}"), "endpoint_url": "https://api.example.com/items/{id}",
            "input_schema": {"properties": {"id": {"type": "string"}}, "required": ["id"]}});
        owner.post("/servers/1/tools").json(tool).send().await.expect(201);
    }
    let started = Arc::new(AtomicUsize::new(1));
    let writers = (0..WRITERS).map(|_| async {
        while started.fetch_add(1, Ordering::Relaxed) < servers {
            owner.post("/servers/1/duplicate").send().await.expect(201);
        }
    });
    join_all(writers).await;
    // The first toggle activates a draft, the second one pauses it: a third of these servers gets each status.
    for id in 2..=servers.min(TOGGLED_MAX) {
        for _ in 0..id % 3 {
            owner.post(&format!("/servers/{id}/toggle")).send().await.expect(200);
        }
    }
}

/// A row of the table: name of the request, median time with the small database, median time with the large one.
type Row = (String, Duration, Duration);

async fn measure(small: &ScaledService, large: &ScaledService) -> Vec<Row> {
    let mut rows = Vec::new();
    for (user, select_client) in [("admin", admin_client as fn(&ScaledService) -> &Client), ("owner", owner_client)] {
        for orderby in ["id", "name", "slug", "status", "created_at", "updated_at"] {
            for order in ["asc", "desc"] {
                for status in ["", "active", "paused", "draft"] {
                    let path = format!("/servers?per_page=3&orderby={orderby}&order={order}&status={status}");
                    let name = format!("list {user} {orderby} {order} {status}");
                    rows.push(compare(name, small, large, |service, _| select_client(service).get(&path)).await);
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

fn admin_client(service: &ScaledService) -> &Client {
    &service.admin
}

fn owner_client(service: &ScaledService) -> &Client {
    &service.owner
}

/// Sends a request to both services in turn. `request` gets the service and the number of the round.
async fn compare(
    name: impl Into<String>,
    small: &ScaledService,
    large: &ScaledService,
    request: impl Fn(&ScaledService, usize) -> TestRequest,
) -> Row {
    let (mut small_times, mut large_times) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        small_times.push(measure_request(request(small, round)).await);
        large_times.push(measure_request(request(large, round)).await);
    }
    (name.into(), median(small_times), median(large_times))
}

async fn measure_median(requests: &[TestRequest]) -> Duration {
    let mut times = Vec::new();
    for request in requests {
        times.push(measure_request(request.clone()).await);
    }
    median(times)
}

async fn measure_request(request: TestRequest) -> Duration {
    let started = Instant::now();
    let reply = request.send().await;
    let elapsed = started.elapsed();
    assert!(reply.status < 300, "{}", reply.text());
    elapsed
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Searches and far pages: name and path.
fn search_and_page_requests(server_count: usize) -> Vec<(String, String)> {
    // A page has 20 servers by default. `measure` has created more servers, so this is not the last page.
    let far_page = server_count / 20;
    vec![
        ("search, all match".into(), "/servers?search=original".into()),
        ("search, few match".into(), "/servers?search=copy-777".into()),
        ("search, none match".into(), "/servers?search=nothing-like-it".into()),
        (format!("page {far_page} by creation time"), format!("/servers?page={far_page}")),
        (format!("page {far_page} by name"), format!("/servers?orderby=name&page={far_page}")),
        (format!("page {} by slug", far_page / 2), format!("/servers?orderby=slug&page={}", far_page / 2)),
    ]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn print_table(rows: &[Row], server_count: usize) {
    println!(
        "{:44} {:>11} {:>11} {:>6}",
        "median",
        format!("{SMALL_SERVERS} servers"),
        format!("{server_count}"),
        "ratio"
    );
    let mut lists = Vec::new();
    for (name, small, large) in rows {
        let ratio = large.as_secs_f64() / small.as_secs_f64();
        let row = format!("{name:44} {:>8.2} ms {:>8.2} ms {ratio:>6.2}", millis(*small), millis(*large));
        if name.starts_with("list admin") || name.starts_with("list owner") {
            lists.push((ratio, row));
        } else {
            println!("{row}");
        }
    }
    lists.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = lists.get(lists.len() / 2).map_or(0.0, |(ratio, _)| *ratio);
    println!(
        "first page of servers, {} combinations of caller, sort order and filter: median ratio {median:.2}; the worst:",
        lists.len()
    );
    for (_, row) in lists.iter().rev().take(5) {
        println!("{row}");
    }
}
