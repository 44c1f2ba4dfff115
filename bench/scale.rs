//! What a request costs when the database is large, beside what it costs when there are ten servers.
//!
//! Fills a service of its own over its REST API, by copying one server of ten tools, and prints for each
//! operation the median time at ten servers, at the full size, and their ratio; all on one machine, in one run.
//!
//! `make scale` (SQLite), `make scale DATABASE=postgres` (a PostgreSQL of its own), `SERVERS=10000` for less.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a program for people, run by hand")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::http::Client;
use testkit::postgres::ClusterOptions;
use testkit::{App, Postgres};

const SMALL: usize = 10;
const TOOLS: usize = 10;
const WRITERS: usize = 8;
const ROUNDS: usize = 101;

#[tokio::main]
async fn main() {
    let full: usize = std::env::var("SERVERS").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let cluster = (std::env::var("DATABASE").as_deref() == Ok("postgres"))
        .then(|| Postgres::private_cluster(ClusterOptions { is_durable: true, ..ClusterOptions::default() }))
        .flatten();
    let database = cluster.as_ref().map(testkit::postgres::Cluster::fresh_database);
    let mut builder = App::builder(binary());
    if let Some(database) = &database {
        builder = builder.postgres(database.url());
    }
    let app = builder.start();
    let client = app.client();
    let owner = owner(&app, &client).await;

    fill(&client, &owner, SMALL).await;
    let small = measure(&client, &owner).await;
    let started = Instant::now();
    fill(&client, &owner, full).await;
    println!("filled to {full} servers and {} tools in {:.0} s", full * TOOLS, started.elapsed().as_secs_f64());
    if let Some(database) = &database {
        database.psql("VACUUM ANALYZE");
    }
    let large = measure(&client, &owner).await;
    print_table(&small, &large, full);
    println!();
    for (what, time) in searches(&client, full).await {
        println!("{what:44} {:>8.2} ms", millis(time));
    }
}

/// The release binary beside this program.
fn binary() -> PathBuf {
    let here = std::env::current_exe().expect("this program has a path");
    here.parent().and_then(|folder| folder.parent()).expect("it lies in target/release/examples").join("toolgate")
}

/// A user who is no administrator and owns everything that is made here.
async fn owner(app: &App, admin: &Client) -> Client {
    let user = admin.post("/users").json(json!({"name": "owner"})).send().await.expect(201).json();
    let key = json!({"name": "bench", "user_id": user["id"]});
    let key = admin.post("/api-keys").json(key).send().await.expect(201).json();
    app.client_with(key["key"].as_str())
}

/// Brings the owner's servers to `wanted`, all copies of the first, then gives some of them another status.
async fn fill(admin: &Client, owner: &Client, wanted: usize) {
    let total = owner.get("/servers?per_page=1").send().await.expect(200);
    let mut have: usize = total.header("x-wp-total").and_then(|n| n.parse().ok()).expect("a total");
    if have == 0 {
        first_server(owner).await;
        have = 1;
    }
    let next = Arc::new(AtomicUsize::new(have));
    let writers = (0..WRITERS).map(|_| {
        let (owner, next) = (owner.clone(), Arc::clone(&next));
        async move {
            while next.fetch_add(1, Ordering::Relaxed) < wanted {
                owner.post("/servers/1/duplicate").send().await.expect(201);
            }
        }
    });
    futures_util::future::join_all(writers).await;
    for id in (2..=wanted.min(400)).step_by(2) {
        admin.post(&format!("/servers/{id}/toggle")).send().await.expect(200);
    }
}

async fn first_server(owner: &Client) {
    let settings = json!({"description": "A server to be copied"});
    owner.post("/servers").json(json!({"name": "Original", "settings": settings})).send().await.expect(201);
    for n in 0..TOOLS {
        let tool = json!({"name": format!("tool_{n}"), "endpoint_url": "https://api.example.com/items/{id}",
            "input_schema": {"properties": {"id": {"type": "string"}}, "required": ["id"]}});
        owner.post("/servers/1/tools").json(tool).send().await.expect(201);
    }
}

/// Median times by operation.
async fn measure(admin: &Client, owner: &Client) -> Vec<(String, Duration)> {
    let mut rows = Vec::new();
    let seven = "/servers/7";
    rows.push(("get server".into(), median(ROUNDS, |_| owner.get(seven).send()).await));
    rows.push(("get tool".into(), median(ROUNDS, |_| owner.get("/tools/5").send()).await));
    rows.push(("list tools of a server".into(), median(ROUNDS, |_| owner.get("/servers/7/tools").send()).await));
    rows.push(("toggle server".into(), median(ROUNDS, |_| owner.post("/servers/7/toggle").send()).await));
    for (who, client) in [("admin", admin), ("owner", owner)] {
        for orderby in ["id", "name", "slug", "status", "created_at", "updated_at"] {
            for order in ["asc", "desc"] {
                for status in ["", "active", "paused", "draft"] {
                    let path = format!("/servers?per_page=5&orderby={orderby}&order={order}&status={status}");
                    let time = median(21, |_| client.get(&path).send()).await;
                    rows.push((format!("list {who} {orderby} {order} {status}"), time));
                }
            }
        }
    }
    let new = |n: usize| json!({"name": format!("Fresh {n}")});
    rows.push(("create server".into(), median(ROUNDS, |n| admin.post("/servers").json(new(n)).send()).await));
    let clean = owner.get("/servers/8/tools").send().await.expect(200).json();
    for tool in clean.as_array().into_iter().flatten().skip(TOOLS) {
        owner.delete(&format!("/tools/{}", tool["id"])).send().await.expect(200);
    }
    let tool = |n: usize| json!({"name": format!("fresh_{n}"), "endpoint_url": "https://api.example.com/"});
    rows.push(("create tool".into(), median(ROUNDS, |n| owner.post("/servers/8/tools").json(tool(n)).send()).await));
    rows
}

async fn searches(client: &Client, full: usize) -> Vec<(String, Duration)> {
    let last = full / 20;
    let mut rows = Vec::new();
    for (what, path) in [
        ("search, all match".to_owned(), "/servers?search=original".to_owned()),
        ("search, few match".to_owned(), "/servers?search=copy-777".to_owned()),
        ("search, none match".to_owned(), "/servers?search=nothing-like-it".to_owned()),
        (format!("page {last} by creation"), format!("/servers?page={last}")),
        (format!("page {last} by name"), format!("/servers?orderby=name&page={last}")),
        (format!("page {} by slug", last / 2), format!("/servers?orderby=slug&page={}", last / 2)),
    ] {
        rows.push((what, median(21, |_| client.get(&path).send()).await));
    }
    rows
}

/// The median of some rounds, each of which must succeed.
async fn median<F: Future<Output = testkit::http::Reply>>(rounds: usize, request: impl Fn(usize) -> F) -> Duration {
    let mut times = Vec::with_capacity(rounds);
    for round in 0..rounds {
        let started = Instant::now();
        let reply = request(round).await;
        times.push(started.elapsed());
        assert!(reply.status < 300, "{}", reply.text());
    }
    times.sort();
    times[rounds / 2]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn print_table(small: &[(String, Duration)], large: &[(String, Duration)], full: usize) {
    println!("{:44} {:>11} {:>11} {:>6}", "median", format!("{SMALL} servers"), format!("{full}"), "ratio");
    let mut lists = Vec::new();
    for ((what, before), (_, after)) in small.iter().zip(large) {
        let ratio = after.as_secs_f64() / before.as_secs_f64();
        let row = format!("{what:44} {:>8.2} ms {:>8.2} ms {ratio:>6.2}", millis(*before), millis(*after));
        if what.starts_with("list admin") || what.starts_with("list owner") {
            lists.push((ratio, row));
        } else {
            println!("{row}");
        }
    }
    lists.sort_by(|a, b| a.0.total_cmp(&b.0));
    let middle = lists.get(lists.len() / 2).map_or(0.0, |(ratio, _)| *ratio);
    println!(
        "first page of servers, {} combinations of caller, sort and filter: median ratio {middle:.2}; the worst:",
        lists.len()
    );
    for (_, row) in lists.iter().rev().take(8) {
        println!("  {row}");
    }
}
