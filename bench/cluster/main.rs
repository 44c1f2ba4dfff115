//! A cluster under faults: PostgreSQL, Redis or Valkey, three nodes and nginx on the loopback address, with calls at a
//! steady rate. A node is killed, PostgreSQL and Redis are stopped and suspended, the connections that receive changes
//! are dropped silently, the nodes are restarted one after the other, also with clocks ten minutes apart.
//!
//! The run fails if a call failed, if an acknowledged call is not in the call log exactly once, or if a rate limit was
//! exceeded. A call that ends with the killed node gets no response and is repeated by its client, because nginx does
//! not repeat calls; these calls are counted separately.
//!
//! `make cluster`; `STORE=valkey`, `SECONDS=15` (of each fault), `RATE=500` (calls a second), `ROUNDS=9` (of the
//! measurement of CPU time, 0 for none).

#![expect(clippy::print_stdout, clippy::expect_used, clippy::panic, reason = "a command-line program run by hand")]

mod balancer;
mod call_stats;
mod cluster;
mod connected_program;
mod cost;
mod faults;
mod plan;
mod propagation;
mod recorded_calls;
mod report;
mod traffic;
mod upstream_log;

// The load and the targets of `make bench`, of which this program uses a part.
#[path = "../compare/gateways.rs"]
#[expect(dead_code, reason = "used by bench/compare")]
mod gateways;
#[path = "../compare/load.rs"]
#[expect(dead_code, reason = "used by bench/compare")]
mod load;
#[path = "../compare/nginx.rs"]
#[expect(dead_code, reason = "used by bench/compare")]
mod nginx;
#[path = "../compare/process.rs"]
mod process;
#[path = "../compare/requests.rs"]
mod requests;
#[path = "../compare/target.rs"]
#[expect(dead_code, reason = "used by bench/compare")]
mod target;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use toolgate_testkit::process::CpuTime;

use call_stats::PhaseStats;
use cluster::{FaultCluster, LimitedServer, redis_operation_count};
use faults::{ClusterFault, FaultInjector};
use plan::ClusterPlan;
use propagation::PropagationDelays;
use report::{ClusterReport, SteadyCost};
use traffic::{Traffic, TrafficControl};

/// The phase in which servers are compiled and connection pools filled.
const WARM_UP: &str = "warm-up";
const LARGE_LIMIT_ONLY: &str = "no fault, large limit only";
const NO_FAULT: &str = "no fault";
const RECOVERED: &str = "no fault, all recovered";
const RECOVERED_CLOCKS_APART: &str = "no fault, clocks still apart";

#[tokio::main]
async fn main() -> ExitCode {
    let plan = ClusterPlan::from_env();
    let mut cluster = FaultCluster::start(&plan).await;
    let store = if plan.is_valkey { "Valkey" } else { "Redis" };
    println!("three nodes on PostgreSQL and {store} behind nginx, {} calls a second", plan.rate);
    let traffic = Traffic::start(&cluster, plan.rate, WARM_UP).await;
    let control = Arc::clone(&traffic.control);
    let mut phases = Vec::new();
    let steady = measure_steady(&cluster, &control, &plan, &mut phases).await;
    let mut delays = PropagationDelays::default();
    delays.measure(&cluster, &control, plan.fault_time).await;
    let (redis_outages, delays_after_cuts) = inject_faults(&mut cluster, &plan, &control, &mut phases).await;
    let last_phase = if plan.faketime.is_some() { RECOVERED_CLOCKS_APART } else { RECOVERED };
    phases.push(control.stats.begin_phase(last_phase));
    delays.measure(&cluster, &control, plan.fault_time).await;
    let control = traffic.stop().await;
    phases.push(control.stats.begin_phase(""));
    let log = recorded_calls::compare(&cluster, &control.stats.request_ids()).await;
    let limits = [LimitedServer::SmallLimit, LimitedServer::LeasedSlots]
        .map(|server| (server, cluster.upstream.busiest_minute(server, &redis_outages)));
    cluster.nodes.clear();
    let cost = cost::measure(&plan, &cluster.postgres, &cluster.redis).await;
    let repeated = cluster.upstream.repeated();
    let report =
        ClusterReport { phases, steady, delays, delays_after_cuts, limits: limits.into(), log, repeated, cost };
    report.print();
    if report.check() {
        return ExitCode::SUCCESS;
    }
    println!("\nlog of nginx:\n{}", cluster.balancer.log());
    ExitCode::FAILURE
}

/// Runs the warm-up and the first phase, adds both to `phases`, and begins the next phase.
async fn measure_steady(
    cluster: &FaultCluster,
    control: &TrafficControl,
    plan: &ClusterPlan,
    phases: &mut Vec<PhaseStats>,
) -> SteadyCost {
    tokio::time::sleep(plan.fault_time / 5).await;
    phases.push(control.stats.begin_phase(LARGE_LIMIT_ONLY));
    let (operations_before, cpu_before) = (count_redis_operations(cluster).await, measure_cpu(cluster));
    tokio::time::sleep(plan.fault_time).await;
    let phase = control.stats.begin_phase(NO_FAULT);
    control.is_large_limit_only.store(false, Ordering::Relaxed);
    let operations = count_redis_operations(cluster).await - operations_before;
    let cpu_us: f64 = measure_cpu(cluster).iter().zip(&cpu_before).map(|(now, before)| now.us_since(before)).sum();
    let calls = phase.calls_per_second() * phase.elapsed.as_secs_f64();
    let steady = SteadyCost {
        calls_per_second: phase.calls_per_second(),
        operations_per_call: operations / calls,
        cpu_us_per_call: cpu_us / calls,
    };
    phases.push(phase);
    steady
}

/// Injects all faults, each in a separate phase, and adds the phases. Returns the times at which outages of Redis
/// began, and the delays of changes after connections were cut silently.
async fn inject_faults(
    cluster: &mut FaultCluster,
    plan: &ClusterPlan,
    control: &Arc<TrafficControl>,
    phases: &mut Vec<PhaseStats>,
) -> (Vec<Instant>, PropagationDelays) {
    let mut injector = FaultInjector {
        cluster,
        plan,
        control: Arc::clone(control),
        redis_outages: Vec::new(),
        delays_after_cuts: PropagationDelays::default(),
    };
    for fault in ClusterFault::ALL {
        if fault == ClusterFault::ClocksApart && plan.faketime.is_none() {
            println!("{} is left out: scripts/require-faketime finds no library", fault.name());
            continue;
        }
        phases.push(control.stats.begin_phase(fault.name()));
        injector.inject(fault).await;
    }
    (injector.redis_outages, injector.delays_after_cuts)
}

async fn count_redis_operations(cluster: &FaultCluster) -> f64 {
    let mut operations = 0.0;
    for node in &cluster.nodes {
        operations += redis_operation_count(&node.address.to_string()).await;
    }
    operations
}

fn measure_cpu(cluster: &FaultCluster) -> Vec<CpuTime> {
    cluster.nodes.iter().map(|node| CpuTime::measure(node.app.pid())).collect()
}
