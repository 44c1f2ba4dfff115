//! What a call through Toolgate costs, beside what it costs without, through nginx, and through the least program that
//! could be called a gateway. All are started here, on one machine, and asked in turn, in rounds.
//!
//! `make bench`; `ROUNDS=9`, `SECONDS=2` (for each measurement), `ONLY=call` (names that contain it). The figures are also written
//! to `target/bench.json`.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a program for people, run by hand")]

mod asks;
mod cell;
mod gateways;
mod load;
mod nginx;
mod process;
mod table;

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use testkit::process::{built, peak_rss_kib, rss_kib};

use asks::{Call, Caller, File, Item, List};
use cell::Cell;
use gateways::{MANY_TOOLS, Minimal, TOOLS, Toolgate, tools_of};
use load::Ask;
use nginx::Nginx;
use table::Table;

const CONNECTIONS: [u64; 3] = [1, 16, 64];
/// Kept answers of the server whose tools keep them.
const KEPT: u64 = 500;

#[tokio::main]
async fn main() {
    let (rounds, seconds) = (number("ROUNDS", 5), number("SECONDS", 1));
    let scene = Scene::set().await;
    let only = std::env::var("ONLY").unwrap_or_default();
    let cells: Vec<Cell> = scene.cells().into_iter().filter(|cell| cell.name.contains(&only)).collect();
    let idle = rss_kib(scene.recording.app.pid());
    let mut tables = CONNECTIONS.map(|connections| Table {
        connections,
        names: cells.iter().map(|cell| cell.name).collect(),
        rounds: Vec::new(),
    });
    let mut first = 0;
    for round in 1..=rounds {
        println!("round {round} of {rounds}");
        for table in &mut tables {
            let mut figures = Vec::new();
            for cell in &cells {
                first += 1_000_000_000;
                figures.push(cell.measure(table.connections, Duration::from_secs(seconds), first).await);
            }
            table.rounds.push(figures);
        }
    }
    tables.iter().for_each(Table::print);
    let peak = peak_rss_kib(scene.recording.app.pid());
    println!("\nmemory of Toolgate: {} MiB before the load, {} MiB at most", idle / 1024, peak / 1024);
    let all = json!({
        "tables": tables.iter().map(Table::json).collect::<Vec<_>>(),
        "rss_kib": {"idle": idle, "peak": peak},
    });
    std::fs::write(built("../bench.json"), format!("{all:#}\n")).expect("the folder of what was built");
}

/// Everybody who is asked.
struct Scene {
    upstream: Nginx,
    proxy: Nginx,
    file: Nginx,
    list_bytes: usize,
    minimal: Minimal,
    recording: Toolgate,
    silent: Toolgate,
}

impl Scene {
    async fn set() -> Self {
        let upstream = Nginx::upstream();
        let recording = Toolgate::start("on", &upstream).await;
        let silent = Toolgate::start("off", &upstream).await;
        let list = tools_of(&recording.plain, TOOLS).await;
        tools_of(&recording.large, MANY_TOOLS).await;
        let list_text = list.to_string();
        let file = Nginx::file(list_text.as_bytes());
        let minimal = Minimal::start(&upstream, &list);
        let list_bytes = list_text.len();
        Self { proxy: Nginx::proxy(&upstream), file, list_bytes, minimal, recording, silent, upstream }
    }

    fn cells(&self) -> Vec<Cell> {
        let on = &self.recording;
        let mut cells = vec![
            of_nginx("direct", &self.upstream, Item { host: self.upstream.address().to_owned() }),
            of_nginx("nginx", &self.proxy, Item { host: self.proxy.address().to_owned() }),
            self.of_minimal("minimal", call(self.minimal.caller())),
            of_toolgate("toolgate", on, call(on.bare(&on.plain))),
            of_toolgate("toolgate, legacy caller", on, call(on.legacy(&on.plain))),
            of_toolgate("toolgate, modern caller", on, call(on.modern(&on.plain))),
            of_toolgate("toolgate, nothing recorded", &self.silent, call(self.silent.bare(&self.silent.plain))),
        ];
        let file = File { host: self.file.address().to_owned(), bytes: self.list_bytes };
        let list = |caller, tools| List { caller, tools };
        let kept = Call { items: Some(KEPT), ..call(on.bare(&on.cached)) };
        cells.extend([
            of_nginx("nginx, list as a file", &self.file, file),
            self.of_minimal("minimal, list", list(self.minimal.caller(), TOOLS)),
            of_toolgate("toolgate, cached call", on, kept),
            of_toolgate("toolgate, list of 50", on, list(on.bare(&on.plain), TOOLS)),
            of_toolgate("toolgate, list of 50, legacy", on, list(on.legacy(&on.plain), TOOLS)),
            of_toolgate("toolgate, list of 50, modern", on, list(on.modern(&on.plain), TOOLS)),
            of_toolgate("toolgate, list of 1,000", on, list(on.bare(&on.large), MANY_TOOLS)),
        ]);
        cells
    }

    fn of_minimal(&self, name: &'static str, ask: impl Ask + 'static) -> Cell {
        let (address, pid) = (self.minimal.address.clone(), self.minimal.process.id());
        Cell { name, address, pid, ask: Arc::new(ask), recording: None }
    }
}

fn of_nginx(name: &'static str, nginx: &Nginx, ask: impl Ask + 'static) -> Cell {
    Cell { name, address: nginx.address().to_owned(), pid: nginx.pid(), ask: Arc::new(ask), recording: None }
}

fn of_toolgate(name: &'static str, toolgate: &Toolgate, ask: impl Ask + 'static) -> Cell {
    let (address, pid) = (toolgate.app.address().to_owned(), toolgate.app.pid());
    Cell { name, address, pid, ask: Arc::new(ask), recording: Some(toolgate.api.clone()) }
}

fn call(caller: Caller) -> Call {
    Call { caller, tools: TOOLS, items: None }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}
