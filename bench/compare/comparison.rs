//! A call beside what it costs without a gateway, through nginx, and through the minimal program: all are asked in turn,
//! in rounds.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_testkit::process::{peak_rss_kib, rss_kib};

use crate::gateways::{MANY_TOOLS, Minimal, TOOLS, Toolgate, list_tools};
use crate::load::BenchRequest;
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::requests::{FileRequest, ItemRequest, McpCaller, ToolCallRequest, ToolListRequest};
use crate::table::ComparisonTable;
use crate::target::BenchTarget;

const CONNECTIONS: [u64; 3] = [1, 16, 64];
/// Number of distinct items with cached responses.
const CACHED_ITEMS: u64 = 500;

type MakeTarget = fn(&str, &BenchSetup) -> BenchTarget;

/// The measured targets, by name.
const TARGETS: [(&str, MakeTarget); 14] = [
    ("direct", |name, setup| {
        nginx_target(name, &setup.upstream, ItemRequest { host: setup.upstream.address().to_owned() })
    }),
    ("nginx", |name, setup| nginx_target(name, &setup.proxy, ItemRequest { host: setup.proxy.address().to_owned() })),
    ("minimal", |name, setup| BenchTarget::from_minimal(name, &setup.minimal, tool_call(setup.minimal.caller()))),
    ("toolgate", |name, setup| toolgate_target(name, &setup.recording, tool_call(setup.recording.bare()))),
    ("toolgate, legacy caller", |name, setup| {
        toolgate_target(name, &setup.recording, tool_call(setup.recording.legacy()))
    }),
    ("toolgate, modern caller", |name, setup| {
        toolgate_target(name, &setup.recording, tool_call(setup.recording.modern()))
    }),
    ("toolgate, nothing recorded", |name, setup| toolgate_target(name, &setup.silent, tool_call(setup.silent.bare()))),
    ("nginx, list as a file", |name, setup| {
        nginx_target(name, &setup.file, FileRequest { host: setup.file.address().to_owned(), bytes: setup.list_bytes })
    }),
    ("minimal, list", |name, setup| {
        BenchTarget::from_minimal(name, &setup.minimal, tool_list(setup.minimal.caller(), TOOLS))
    }),
    ("toolgate, cached call", |name, setup| {
        let caller = setup.recording.cached.bare(&setup.recording.app);
        toolgate_target(name, &setup.recording, ToolCallRequest { items: Some(CACHED_ITEMS), ..tool_call(caller) })
    }),
    ("toolgate, list of 50", |name, setup| {
        toolgate_target(name, &setup.recording, tool_list(setup.recording.bare(), TOOLS))
    }),
    ("toolgate, list of 50, legacy", |name, setup| {
        toolgate_target(name, &setup.recording, tool_list(setup.recording.legacy(), TOOLS))
    }),
    ("toolgate, list of 50, modern", |name, setup| {
        toolgate_target(name, &setup.recording, tool_list(setup.recording.modern(), TOOLS))
    }),
    ("toolgate, list of 1,000", |name, setup| {
        let caller = setup.recording.large.bare(&setup.recording.app);
        toolgate_target(name, &setup.recording, tool_list(caller, MANY_TOOLS))
    }),
];

/// Measures what the plan wants of it; nothing where it wants nothing.
pub(crate) async fn run(plan: &Plan) -> Option<Value> {
    let wanted: Vec<_> = TARGETS.into_iter().filter(|(name, _)| plan.includes(name)).collect();
    if wanted.is_empty() {
        return None;
    }
    let setup = BenchSetup::start().await;
    let targets: Vec<BenchTarget> = wanted.into_iter().map(|(name, target)| target(name, &setup)).collect();
    let idle = rss_kib(setup.recording.app.pid());
    let tables = measure(plan, &targets).await;
    tables.iter().for_each(ComparisonTable::print);
    let peak = peak_rss_kib(setup.recording.app.pid());
    println!("\nmemory of Toolgate: {} MiB before the load, {} MiB at most", idle / 1024, peak / 1024);
    Some(json!({
        "tables": tables.iter().map(ComparisonTable::json).collect::<Vec<_>>(),
        "rss_kib": {"idle": idle, "peak": peak},
    }))
}

async fn measure<'a>(plan: &Plan, targets: &'a [BenchTarget]) -> Vec<ComparisonTable<'a>> {
    let mut tables = CONNECTIONS.map(|connections| ComparisonTable {
        connections,
        names: targets.iter().map(|target| target.name.as_str()).collect(),
        rounds: Vec::new(),
    });
    for round in 1..=plan.rounds {
        println!("round {round} of {}", plan.rounds);
        for table in &mut tables {
            let mut figures = Vec::new();
            for target in targets {
                figures.push(target.measure(table.connections, plan.time, plan.next_first_number()).await);
            }
            table.rounds.push(figures);
        }
    }
    tables.into()
}

/// All measured processes.
struct BenchSetup {
    upstream: Nginx,
    proxy: Nginx,
    file: Nginx,
    list_bytes: usize,
    minimal: Minimal,
    recording: Toolgate,
    silent: Toolgate,
}

impl BenchSetup {
    async fn start() -> Self {
        let upstream = Nginx::upstream();
        let recording = Toolgate::start("on", &upstream).await;
        let silent = Toolgate::start("off", &upstream).await;
        let list = list_tools(&recording.plain, TOOLS).await;
        list_tools(&recording.large, MANY_TOOLS).await;
        let list_text = list.to_string();
        let file = Nginx::file(list_text.as_bytes());
        let minimal = Minimal::start(&upstream.origin(), &list);
        let list_bytes = list_text.len();
        Self { proxy: Nginx::proxy(&upstream), file, list_bytes, minimal, recording, silent, upstream }
    }
}

fn nginx_target(name: &str, nginx: &Nginx, request: impl BenchRequest + 'static) -> BenchTarget {
    let address = nginx.address().to_owned();
    BenchTarget { name: name.to_owned(), address, pid: nginx.pid(), request: Arc::new(request), recording: None }
}

fn toolgate_target(name: &str, toolgate: &Toolgate, request: impl BenchRequest + 'static) -> BenchTarget {
    BenchTarget::from_service(name, &toolgate.app, request)
}

fn tool_call(caller: McpCaller) -> ToolCallRequest {
    ToolCallRequest::new(caller, TOOLS)
}

fn tool_list(caller: McpCaller, tools: u64) -> ToolListRequest {
    ToolListRequest { caller, tools }
}
