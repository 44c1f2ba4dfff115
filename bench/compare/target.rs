//! Measurement of one target under load.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use toolgate_testkit::RunningService;
use toolgate_testkit::http::Client;
use toolgate_testkit::process::CpuTime;

use crate::gateways::Minimal;
use crate::load::{self, BenchRequest, as_f64};

/// A process and the requests it receives.
pub(crate) struct BenchTarget {
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) pid: u32,
    pub(crate) request: Arc<dyn BenchRequest>,
    /// Client of the management API, if the target records calls after it has responded.
    pub(crate) recording: Option<Client>,
}

/// Figures of one target in one round.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Measurement {
    pub(crate) requests_per_second: f64,
    /// CPU time of the process and its children: seconds for 1,000 requests, which equals milliseconds for one.
    pub(crate) cpu_per_1000: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
}

impl BenchTarget {
    pub(crate) fn from_service(name: &str, app: &RunningService, request: impl BenchRequest + 'static) -> Self {
        let (name, address) = (name.to_owned(), app.address().to_owned());
        Self { name, address, pid: app.pid(), request: Arc::new(request), recording: Some(app.client()) }
    }

    pub(crate) fn from_minimal(name: &str, minimal: &Minimal, request: impl BenchRequest + 'static) -> Self {
        let (name, address) = (name.to_owned(), minimal.address.clone());
        Self { name, address, pid: minimal.process.id(), request: Arc::new(request), recording: None }
    }

    pub(crate) async fn measure(&self, connections: u64, time: Duration, first_number: u64) -> Measurement {
        self.wait_until_recorded().await;
        let before = CpuTime::measure(self.pid);
        let (address, request) = (self.address.clone(), Arc::clone(&self.request));
        let load_task =
            tokio::task::spawn_blocking(move || load::run(&address, &request, connections, time, first_number));
        let result = load_task.await.expect("every response is correct");
        self.wait_until_recorded().await;
        Measurement {
            requests_per_second: result.per_second(),
            cpu_per_1000: CpuTime::measure(self.pid).us_since(&before) / as_f64(result.requests) / 1000.0,
            p50_us: result.latency(50),
            p99_us: result.latency(99),
        }
    }

    /// Waits until every call is ingested, because ingest is part of the cost of a call.
    async fn wait_until_recorded(&self) {
        let Some(api) = &self.recording else { return };
        let began = Instant::now();
        while api.get("/settings").send().await.expect(200).json()["recording"]["pending_calls"] != 0 {
            assert!(began.elapsed() < Duration::from_mins(1), "calls are not recorded");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
