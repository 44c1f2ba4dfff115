//! Measurement of one target under load.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use toolgate_testkit::RunningService;
use toolgate_testkit::http::Client;
use toolgate_testkit::process::CpuTime;

use crate::gateways::MinimalGatewayProcess;
use crate::load::{self, RequestGenerator, as_f64};

/// A process and the requests it receives.
pub(crate) struct BenchTarget {
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) pid: u32,
    pub(crate) generator: Arc<dyn RequestGenerator>,
    /// Client of the management API, if the target stores calls after it has responded.
    pub(crate) recording_api: Option<Client>,
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
    pub(crate) fn from_service(name: &str, app: &RunningService, generator: impl RequestGenerator + 'static) -> Self {
        let (name, address) = (name.to_owned(), app.address().to_owned());
        Self { name, address, pid: app.pid(), generator: Arc::new(generator), recording_api: Some(app.client()) }
    }

    pub(crate) fn from_minimal_gateway(
        name: &str,
        minimal: &MinimalGatewayProcess,
        generator: impl RequestGenerator + 'static,
    ) -> Self {
        let (name, address) = (name.to_owned(), minimal.address.clone());
        Self { name, address, pid: minimal.process.pid(), generator: Arc::new(generator), recording_api: None }
    }

    /// Measures the target for `time`. The CPU time includes the work after the last response.
    pub(crate) async fn measure(&self, connections: u64, time: Duration, first_request_number: u64) -> Measurement {
        self.wait_until_ingested().await;
        let before = CpuTime::measure(self.pid);
        let (address, generator) = (self.address.clone(), Arc::clone(&self.generator));
        let load_task = tokio::task::spawn_blocking(move || {
            load::run(&address, &generator, connections, time, first_request_number)
        });
        let result = load_task.await.expect("every response is correct");
        self.wait_until_ingested().await;
        Measurement {
            requests_per_second: result.per_second(),
            cpu_per_1000: CpuTime::measure(self.pid).us_since(&before) / as_f64(result.requests) / 1000.0,
            p50_us: result.latency_us(50),
            p99_us: result.latency_us(99),
        }
    }

    /// Waits until every call is ingested, because ingest is part of the cost of a call.
    async fn wait_until_ingested(&self) {
        if let Some(api) = &self.recording_api {
            api.wait_until_ingested().await;
        }
    }
}
