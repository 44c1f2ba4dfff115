//! A series as a table and as JSON: medians of its rounds, and ratios to its first step within each round.

use serde_json::{Value, json};

use super::{GrowthStep, StepMeasurement};
use crate::load::as_f64;
use crate::table::median;
use crate::target::Measurement;

/// All figures of a series: by round, then by step.
pub(super) struct GrowthTable<'a> {
    pub(super) connections: u64,
    pub(super) steps: &'a [GrowthStep],
    pub(super) rounds: Vec<Vec<StepMeasurement>>,
}

impl GrowthTable<'_> {
    pub(super) fn print(&self) {
        let connections = self.connections;
        println!("\n{connections} connections: medians of {} rounds; ratios within each round", self.rounds.len());
        println!(
            "{:58} {:>10} {:>15} {:>9} {:>9} | {:>25} {:>25} | {:>13} | {:>14} {:>14}",
            "",
            "requests/s",
            "CPU-s per 1,000",
            "p50 us",
            "p99 us",
            "CPU relative to first row",
            "p50 relative to first row",
            "memory, MiB",
            "CPU-ms per MiB",
            "CPU to minimal"
        );
        for (index, step) in self.steps.iter().enumerate() {
            self.print_row(index, step);
        }
    }

    fn print_row(&self, index: usize, step: &GrowthStep) {
        let median = |figure: fn(&Measurement) -> f64| self.median(index, |measurement| figure(&measurement.figures));
        let [cpu, p50] = self.ratios_to_first(index);
        let goal = step.goal_mib.map_or_else(String::new, |goal| format!(" (< {goal})"));
        let memory = format!("{:.1}{goal}", as_f64(self.rss_kib(index)) / 1024.0);
        let format_ratio = |ratio: Option<f64>| ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let (by_size, to_minimal) =
            (format_ratio(self.cpu_ms_per_mib(index)), format_ratio(self.cpu_to_minimal(index)));
        print!(
            "{:58} {:>10.0} {:>15.4} {:>9.0} {:>9.0} | ",
            step.target.name,
            median(|f| f.requests_per_second),
            median(|f| f.cpu_per_1000),
            median(|f| f.p50_us),
            median(|f| f.p99_us),
        );
        println!("{cpu:>25.2} {p50:>25.2} | {memory:>13} | {by_size:>14} {to_minimal:>14}");
        let closed = self.closed(index);
        if closed > 0 {
            println!("    {closed} idle connections were closed before the end of a round");
        }
    }

    pub(super) fn json(&self) -> Value {
        let steps = self.steps.iter().enumerate().map(|(index, step)| {
            let [cpu, p50] = self.ratios_to_first(index);
            let minimal = self.measurements_of(index).filter_map(|measurement| measurement.minimal);
            json!({
                "name": step.target.name,
                "rounds": self.measurements_of(index).map(|measurement| measurement.figures).collect::<Vec<_>>(),
                "minimal": minimal.collect::<Vec<_>>(),
                "cpu_to_first": cpu,
                "p50_to_first": p50,
                "rss_kib": self.rss_kib(index),
                "rss_goal_mib": step.goal_mib,
                "cpu_ms_per_mib": self.cpu_ms_per_mib(index),
                "cpu_to_minimal": self.cpu_to_minimal(index),
                "idle_closed": self.closed(index),
            })
        });
        json!({"connections": self.connections, "steps": steps.collect::<Vec<_>>()})
    }

    fn measurements_of(&self, index: usize) -> impl Iterator<Item = &StepMeasurement> {
        self.rounds.iter().filter_map(move |round| round.get(index))
    }

    fn median(&self, index: usize, figure: impl Fn(&StepMeasurement) -> f64) -> f64 {
        median(self.measurements_of(index).map(figure).collect())
    }

    /// Ratios of CPU and median latency to the first step.
    fn ratios_to_first(&self, index: usize) -> [f64; 2] {
        let figures: [fn(&Measurement) -> f64; 2] = [|f| f.cpu_per_1000, |f| f.p50_us];
        figures.map(|figure| {
            let pairs = self.measurements_of(index).zip(self.measurements_of(0));
            median(pairs.map(|(measurement, first)| figure(&measurement.figures) / figure(&first.figures)).collect())
        })
    }

    /// Resident memory of the service: the maximum of all rounds.
    fn rss_kib(&self, index: usize) -> u64 {
        self.measurements_of(index).map(|measurement| measurement.rss_kib).max().unwrap_or_default()
    }

    /// Number of idle connections that the service closed: the maximum of all rounds.
    fn closed(&self, index: usize) -> usize {
        self.measurements_of(index).map(|measurement| measurement.closed).max().unwrap_or_default()
    }

    /// CPU milliseconds for each MiB of response body; `None` in other series.
    fn cpu_ms_per_mib(&self, index: usize) -> Option<f64> {
        let bytes = self.steps.get(index)?.body.as_ref()?.bytes;
        // Seconds for 1,000 requests equal milliseconds for one.
        Some(self.median(index, |measurement| measurement.figures.cpu_per_1000) / (as_f64(bytes) / 1_048_576.0))
    }

    /// Ratio of CPU to the minimal gateway; `None` in series without it.
    fn cpu_to_minimal(&self, index: usize) -> Option<f64> {
        let ratio =
            |measurement: &StepMeasurement| Some(measurement.figures.cpu_per_1000 / measurement.minimal?.cpu_per_1000);
        let ratios: Vec<f64> = self.measurements_of(index).filter_map(ratio).collect();
        (!ratios.is_empty()).then(|| median(ratios))
    }
}
