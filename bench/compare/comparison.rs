//! Cost of a call compared with a request without a gateway, through nginx, and through the minimal gateway. The
//! targets receive requests in turn, in rounds.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_testkit::process::{peak_rss_kib, rss_kib};

use crate::gateways::{Baseline, MANY_TOOLS, MinimalGatewayProcess, RecordingMode, TOOLS, Toolgate, list_tools};
use crate::load::RequestGenerator;
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::requests::{BenchClient, FileRequests, ItemRequests, ToolCallRequests, ToolListRequests};
use crate::table::{ComparisonTable, MINIMAL, MINIMAL_LIST, NGINX, NGINX_LIST};
use crate::target::BenchTarget;

const CONNECTIONS: [u64; 3] = [1, 16, 64];
/// Number of distinct items with cached responses.
const CACHED_ITEMS: u64 = 500;

/// The beginnings of the names of rows of this build and of the other one.
const TOOLGATE: &str = "Toolgate";
const BASELINE: &str = "baseline";

/// The rows of the minimal program whose binary `MINIMAL` names: `make bench PACKAGED=1` gives it the layout of the
/// packaged binary.
const OTHER_MINIMAL: [&str; 2] = ["minimal, packaged", "minimal, packaged, tools/list"];

type TargetFactory = fn(&str, &BenchSetup) -> BenchTarget;

/// The measured targets, by name.
const TARGETS: [(&str, TargetFactory); 16] = [
    ("direct", |name, setup| {
        nginx_target(name, &setup.upstream, ItemRequests { host: setup.upstream.address().to_owned() })
    }),
    (NGINX, |name, setup| nginx_target(name, &setup.proxy, ItemRequests { host: setup.proxy.address().to_owned() })),
    (MINIMAL, |name, setup| BenchTarget::from_minimal_gateway(name, &setup.minimal, tool_call(setup.minimal.client()))),
    ("Toolgate, tools/call", |name, setup| {
        toolgate_target(name, &setup.recording, tool_call(setup.recording.plain.bare(&setup.recording.app)))
    }),
    ("Toolgate, tools/call, legacy client", |name, setup| {
        toolgate_target(name, &setup.recording, tool_call(setup.recording.plain.legacy(&setup.recording.app)))
    }),
    ("Toolgate, tools/call, modern client", |name, setup| {
        toolgate_target(name, &setup.recording, tool_call(setup.recording.plain.modern(&setup.recording.app)))
    }),
    ("Toolgate, tools/call, nothing recorded", |name, setup| {
        toolgate_target(name, &setup.not_recording, tool_call(setup.not_recording.plain.bare(&setup.not_recording.app)))
    }),
    ("Toolgate, tools/call, masked credential", |name, setup| {
        let client = setup.recording.with_credential.bare(&setup.recording.app);
        toolgate_target(name, &setup.recording, tool_call(client))
    }),
    ("Toolgate, tools/call, shaped response", |name, setup| {
        let client = setup.recording.shaped.bare(&setup.recording.app);
        toolgate_target(name, &setup.recording, tool_call(client))
    }),
    (NGINX_LIST, |name, setup| {
        nginx_target(name, &setup.file, FileRequests { host: setup.file.address().to_owned(), bytes: setup.list_bytes })
    }),
    (MINIMAL_LIST, |name, setup| {
        BenchTarget::from_minimal_gateway(name, &setup.minimal, tool_list(setup.minimal.client(), TOOLS))
    }),
    ("Toolgate, tools/call, cached response", |name, setup| {
        toolgate_target(name, &setup.recording, cached_call(setup.recording.cached.bare(&setup.recording.app)))
    }),
    ("Toolgate, tools/list of 50", |name, setup| {
        toolgate_target(name, &setup.recording, tool_list(setup.recording.plain.bare(&setup.recording.app), TOOLS))
    }),
    ("Toolgate, tools/list of 50, legacy client", |name, setup| {
        toolgate_target(name, &setup.recording, tool_list(setup.recording.plain.legacy(&setup.recording.app), TOOLS))
    }),
    ("Toolgate, tools/list of 50, modern client", |name, setup| {
        toolgate_target(name, &setup.recording, tool_list(setup.recording.plain.modern(&setup.recording.app), TOOLS))
    }),
    ("Toolgate, tools/list of 1,000", |name, setup| {
        let client = setup.recording.large.bare(&setup.recording.app);
        toolgate_target(name, &setup.recording, tool_list(client, MANY_TOOLS))
    }),
];

/// Measures the targets that the plan includes and prints their tables. Returns the figures as JSON; `None` if the plan
/// includes no target.
pub(crate) async fn run(plan: &Plan) -> Option<Value> {
    let included: Vec<_> = TARGETS.into_iter().filter(|(name, _)| plan.includes(name)).collect();
    let has_other_minimal = plan.minimal.is_some() && OTHER_MINIMAL.iter().any(|name| plan.includes(name));
    if included.is_empty() && !has_other_minimal {
        return None;
    }
    let mut setup = BenchSetup::start(plan).await;
    let included_names: Vec<&str> = included.iter().map(|(name, _)| *name).collect();
    let mut targets: Vec<BenchTarget> =
        included.into_iter().map(|(name, make_target)| make_target(name, &setup)).collect();
    let other_minimal = setup.other_minimal.iter().flat_map(other_minimal_targets);
    targets.extend(other_minimal.filter(|target| plan.includes(&target.name)));
    let baseline = match &plan.baseline {
        Some(program) => Some(Baseline::start(program, &setup.upstream).await),
        None => None,
    };
    // Of the other build, the rows of the included targets.
    let has_counterpart = |target: &BenchTarget| {
        let name = target.name.replacen(BASELINE, TOOLGATE, 1);
        included_names.contains(&name.as_str())
    };
    targets.extend(baseline.iter().flat_map(baseline_targets).filter(has_counterpart));
    let idle_kib = rss_kib(setup.recording.app.pid());
    let tables = measure(plan, &targets).await;
    tables.iter().for_each(ComparisonTable::print);
    let peak_kib = peak_rss_kib(setup.recording.app.pid());
    println!("\nmemory of Toolgate: {} MiB before the load, {} MiB at the peak", idle_kib / 1024, peak_kib / 1024);
    setup.terminate_services();
    Some(json!({
        "tables": tables.iter().map(ComparisonTable::json).collect::<Vec<_>>(),
        "rss_kib": {"idle": idle_kib, "peak": peak_kib},
    }))
}

/// The same requests to another build of the minimal program.
fn other_minimal_targets(minimal: &MinimalGatewayProcess) -> [BenchTarget; 2] {
    let [call, list] = OTHER_MINIMAL;
    [
        BenchTarget::from_minimal_gateway(call, minimal, tool_call(minimal.client())),
        BenchTarget::from_minimal_gateway(list, minimal, tool_list(minimal.client(), TOOLS)),
    ]
}

/// The same requests to another build.
fn baseline_targets(baseline: &Baseline) -> [BenchTarget; 5] {
    let Baseline { app, plain, cached } = baseline;
    [
        BenchTarget::from_service("baseline, tools/call", app, tool_call(plain.bare(app))),
        BenchTarget::from_service("baseline, tools/call, legacy client", app, tool_call(plain.legacy(app))),
        BenchTarget::from_service("baseline, tools/call, modern client", app, tool_call(plain.modern(app))),
        BenchTarget::from_service("baseline, tools/call, cached response", app, cached_call(cached.bare(app))),
        BenchTarget::from_service("baseline, tools/list of 50", app, tool_list(plain.bare(app), TOOLS)),
    ]
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
                figures.push(target.measure(table.connections, plan.time, plan.reserve_numbers()).await);
            }
            table.rounds.push(figures);
        }
    }
    tables.into()
}

/// The measured processes.
struct BenchSetup {
    upstream: Nginx,
    proxy: Nginx,
    /// Serves the list of tools as a file.
    file: Nginx,
    /// Size of the file that `file` serves.
    list_bytes: usize,
    minimal: MinimalGatewayProcess,
    /// Another build of the minimal program.
    other_minimal: Option<MinimalGatewayProcess>,
    /// Toolgate with recording on.
    recording: Toolgate,
    /// Toolgate with recording off.
    not_recording: Toolgate,
}

impl BenchSetup {
    async fn start(plan: &Plan) -> Self {
        let upstream = Nginx::upstream();
        let recording = Toolgate::start(RecordingMode::On, &upstream).await;
        let not_recording = Toolgate::start(RecordingMode::Off, &upstream).await;
        let list = list_tools(&recording.plain, TOOLS).await;
        // Verifies that the large list is on one page; the result is not used.
        list_tools(&recording.large, MANY_TOOLS).await;
        let list_text = list.to_string();
        let file = Nginx::file(list_text.as_bytes());
        let minimal = MinimalGatewayProcess::start(&upstream.origin(), &list);
        let other_minimal = plan
            .minimal
            .as_deref()
            .map(|program| MinimalGatewayProcess::start_program(program, &upstream.origin(), &list));
        let list_bytes = list_text.len();
        let proxy = Nginx::proxy(&upstream);
        Self { upstream, proxy, file, list_bytes, minimal, other_minimal, recording, not_recording }
    }

    /// Stops the services as an operator does: an instrumented binary writes its profile when it exits.
    fn terminate_services(&mut self) {
        for toolgate in [&mut self.recording, &mut self.not_recording] {
            let status = toolgate.app.terminate();
            assert!(status.success(), "the service stopped with {status}");
        }
    }
}

fn nginx_target(name: &str, nginx: &Nginx, generator: impl RequestGenerator + 'static) -> BenchTarget {
    let address = nginx.address().to_owned();
    BenchTarget {
        name: name.to_owned(),
        address,
        pid: nginx.pid(),
        generator: Arc::new(generator),
        recording_api: None,
    }
}

fn toolgate_target(name: &str, toolgate: &Toolgate, generator: impl RequestGenerator + 'static) -> BenchTarget {
    BenchTarget::from_service(name, &toolgate.app, generator)
}

fn tool_call(client: BenchClient) -> ToolCallRequests {
    ToolCallRequests::new(client, TOOLS)
}

fn cached_call(client: BenchClient) -> ToolCallRequests {
    ToolCallRequests { items: Some(CACHED_ITEMS), ..tool_call(client) }
}

fn tool_list(client: BenchClient, tools: u64) -> ToolListRequests {
    ToolListRequests { client, tools }
}
