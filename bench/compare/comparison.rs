//! A call beside what it costs without a gateway, through nginx, and through the minimal program: all are asked in turn,
//! in rounds.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_testkit::process::{peak_rss_kib, rss_kib};

use crate::asks::{Call, Caller, File, Item, List};
use crate::cell::Cell;
use crate::gateways::{MANY_TOOLS, Minimal, TOOLS, Toolgate, tools_of};
use crate::load::Ask;
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::table::Table;

const CONNECTIONS: [u64; 3] = [1, 16, 64];
/// Kept answers of the server whose tools keep them.
const KEPT: u64 = 500;

type MakeCell = fn(&str, &Scene) -> Cell;

/// Whoever is asked for something, by name.
const CELLS: [(&str, MakeCell); 14] = [
    ("direct", |name, on| of_nginx(name, &on.upstream, Item { host: on.upstream.address().to_owned() })),
    ("nginx", |name, on| of_nginx(name, &on.proxy, Item { host: on.proxy.address().to_owned() })),
    ("minimal", |name, on| Cell::of_minimal(name, &on.minimal, call(on.minimal.caller()))),
    ("toolgate", |name, on| of_toolgate(name, &on.recording, call(on.recording.bare()))),
    ("toolgate, legacy caller", |name, on| of_toolgate(name, &on.recording, call(on.recording.legacy()))),
    ("toolgate, modern caller", |name, on| of_toolgate(name, &on.recording, call(on.recording.modern()))),
    ("toolgate, nothing recorded", |name, on| of_toolgate(name, &on.silent, call(on.silent.bare()))),
    ("nginx, list as a file", |name, on| {
        of_nginx(name, &on.file, File { host: on.file.address().to_owned(), bytes: on.list_bytes })
    }),
    ("minimal, list", |name, on| Cell::of_minimal(name, &on.minimal, list(on.minimal.caller(), TOOLS))),
    ("toolgate, cached call", |name, on| {
        let caller = on.recording.cached.bare(&on.recording.app);
        of_toolgate(name, &on.recording, Call { items: Some(KEPT), ..call(caller) })
    }),
    ("toolgate, list of 50", |name, on| of_toolgate(name, &on.recording, list(on.recording.bare(), TOOLS))),
    ("toolgate, list of 50, legacy", |name, on| of_toolgate(name, &on.recording, list(on.recording.legacy(), TOOLS))),
    ("toolgate, list of 50, modern", |name, on| of_toolgate(name, &on.recording, list(on.recording.modern(), TOOLS))),
    ("toolgate, list of 1,000", |name, on| {
        let caller = on.recording.large.bare(&on.recording.app);
        of_toolgate(name, &on.recording, list(caller, MANY_TOOLS))
    }),
];

/// Measures what the plan wants of it; nothing where it wants nothing.
pub(crate) async fn run(plan: &Plan) -> Option<Value> {
    let wanted: Vec<_> = CELLS.into_iter().filter(|(name, _)| plan.wants(name)).collect();
    if wanted.is_empty() {
        return None;
    }
    let scene = Scene::set().await;
    let cells: Vec<Cell> = wanted.into_iter().map(|(name, cell)| cell(name, &scene)).collect();
    let idle = rss_kib(scene.recording.app.pid());
    let tables = measure(plan, &cells).await;
    tables.iter().for_each(Table::print);
    let peak = peak_rss_kib(scene.recording.app.pid());
    println!("\nmemory of Toolgate: {} MiB before the load, {} MiB at most", idle / 1024, peak / 1024);
    Some(json!({
        "tables": tables.iter().map(Table::json).collect::<Vec<_>>(),
        "rss_kib": {"idle": idle, "peak": peak},
    }))
}

async fn measure<'a>(plan: &Plan, cells: &'a [Cell]) -> Vec<Table<'a>> {
    let mut tables = CONNECTIONS.map(|connections| Table {
        connections,
        names: cells.iter().map(|cell| cell.name.as_str()).collect(),
        rounds: Vec::new(),
    });
    for round in 1..=plan.rounds {
        println!("round {round} of {}", plan.rounds);
        for table in &mut tables {
            let mut figures = Vec::new();
            for cell in cells {
                figures.push(cell.measure(table.connections, plan.time, plan.next_numbers()).await);
            }
            table.rounds.push(figures);
        }
    }
    tables.into()
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
        let minimal = Minimal::start(&upstream.origin(), &list);
        let list_bytes = list_text.len();
        Self { proxy: Nginx::proxy(&upstream), file, list_bytes, minimal, recording, silent, upstream }
    }
}

fn of_nginx(name: &str, nginx: &Nginx, ask: impl Ask + 'static) -> Cell {
    let address = nginx.address().to_owned();
    Cell { name: name.to_owned(), address, pid: nginx.pid(), ask: Arc::new(ask), recording: None }
}

fn of_toolgate(name: &str, toolgate: &Toolgate, ask: impl Ask + 'static) -> Cell {
    Cell::of_app(name, &toolgate.app, ask)
}

fn call(caller: Caller) -> Call {
    Call::of(caller, TOOLS)
}

fn list(caller: Caller, tools: u64) -> List {
    List { caller, tools }
}
