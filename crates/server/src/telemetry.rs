//! OpenTelemetry: spans of sampled requests, and log records of calls, for a collector that speaks OTLP over HTTP
//! (docs/decisions/015-traces.md).

mod collector;
mod export_queue;
mod export_thread;
mod log_signal;
mod otlp_values;
mod sampler;
mod trace_signal;
pub(crate) mod tracer;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use toolgate_analytics::CallExport;
use toolgate_domain::time::Clock;

use crate::exit::InvalidSettings;
use crate::settings::{Settings, Switch};
use collector::OtlpCollector;
use export_queue::ExportQueue;
pub(crate) use export_queue::ExportStats;
use export_thread::ExportThread;
use log_signal::LogSignal;
use otlp_values::ServiceIdentity;
use sampler::Sampler;
use trace_signal::TraceSignal;
pub(crate) use tracer::Tracer;

/// The export of traces and calls; without a collector it does nothing.
#[derive(Default)]
pub(crate) struct Telemetry {
    tracer: Option<Arc<Tracer>>,
    traces: Option<Arc<ExportQueue<TraceSignal>>>,
    /// `None` if calls are not exported.
    calls: Option<Arc<ExportQueue<LogSignal>>>,
    thread: Option<ExportThread>,
}

impl Telemetry {
    /// Starts the export if the settings name a collector.
    pub(crate) fn start(settings: &Settings, clock: &Arc<dyn Clock>) -> anyhow::Result<Self> {
        let Some(endpoint) = &settings.otlp_endpoint else {
            if settings.otlp_headers.is_none() && settings.otlp_logs == Switch::Off {
                return Ok(Self::default());
            }
            let problem = "--otlp-headers and --otlp-logs need the address of a collector: set --otlp-endpoint";
            return Err(InvalidSettings(anyhow!(problem)).into());
        };
        let collector = OtlpCollector::new(endpoint, settings.otlp_headers.clone().unwrap_or_default())?;
        let (queue, trace_worker) = ExportQueue::<TraceSignal>::new();
        let (calls, call_worker) = match settings.otlp_logs {
            Switch::On => Some(ExportQueue::<LogSignal>::new()).unzip(),
            Switch::Off => (None, None),
        };
        let identity = ServiceIdentity::new(&settings.node_name());
        let thread = ExportThread::start(collector, identity, trace_worker, call_worker);
        let thread = thread.context("cannot start the thread that exports traces")?;
        let sampler = Sampler::new(settings.trace_sample, settings.trace_parent_rate);
        let span_queue = Arc::<ExportQueue<TraceSignal>>::clone(&queue);
        let tracer = Some(Arc::new(Tracer::new(sampler, Arc::clone(clock), span_queue)));
        tracing::info!(endpoint = endpoint.as_str(), sample = settings.trace_sample, "traces are exported");
        Ok(Self { tracer, traces: Some(queue), calls, thread: Some(thread) })
    }

    /// Begins the traces of requests; `None` if there is no collector.
    pub(crate) fn tracer(&self) -> Option<Arc<Tracer>> {
        self.tracer.clone()
    }

    /// Receives recorded calls; `None` if calls are not exported.
    pub(crate) fn call_export(&self) -> Option<Arc<dyn CallExport>> {
        self.calls.clone().map(|calls| calls as Arc<dyn CallExport>)
    }

    /// The statistics of each signal, by its name.
    pub(crate) fn stats(&self) -> [(&'static str, ExportStats); 2] {
        let traces = self.traces.as_ref().map(|queue| queue.stats()).unwrap_or_default();
        let calls = self.calls.as_ref().map(|queue| queue.stats()).unwrap_or_default();
        [("traces", traces), ("logs", calls)]
    }

    /// Exports the queued items; those that are not exported after `timeout` are lost.
    pub(crate) async fn close(&self, timeout: Duration) {
        let Some(thread) = &self.thread else { return };
        if !thread.close(timeout).await {
            tracing::warn!("not all traces were exported: the collector did not accept them in time");
        }
    }
}
