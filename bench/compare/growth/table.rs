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
            "{:58} {:>10} {:>15} {:>9} {:>9} | {:>25} {:>25} | {:>13} | {:>13} {:>14}",
            "",
            "requests/s",
            "CPU-s per 1,000",
            "p50 us",
            "p99 us",
            "CPU relative to first row",
            "p50 relative to first row",
            "memory, MiB",
            "CPU-ms per MB",
            "CPU to minimal"
        );
        for (index, step) in self.steps.iter().enumerate() {
            self.print_row(index, step);
        }
    }

    fn print_row(&self, index: usize, step: &GrowthStep) {
        let median = |figure: fn(&Measurement) -> f64| self.median(index, |measurement| figure(&measurement.figures));
        let [cpu, p50] = self.to_first(index);
        let goal = step.goal_mib.map_or_else(String::new, |goal| format!(" (< {goal})"));
        let memory = format!("{:.1}{goal}", as_f64(self.rss_kib(index)) / 1024.0);
        let optional = |ratio: Option<f64>| ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let (by_size, to_minimal) = (optional(self.millis_per_mb(index)), optional(self.to_minimal(index)));
        print!(
            "{:58} {:>10.0} {:>15.4} {:>9.0} {:>9.0} | ",
            step.target.name,
            median(|f| f.requests_per_second),
            median(|f| f.cpu_per_1000),
            median(|f| f.p50_us),
            median(|f| f.p99_us),
        );
        println!("{cpu:>25.2} {p50:>25.2} | {memory:>13} | {by_size:>13} {to_minimal:>14}");
        let closed = self.closed(index);
        if closed > 0 {
            println!("    {closed} idle connections were closed before the end of a round");
        }
    }

    pub(super) fn json(&self) -> Value {
        let steps = self.steps.iter().enumerate().map(|(index, step)| {
            let [cpu, p50] = self.to_first(index);
            json!({
                "name": step.target.name,
                "rounds": self.of_step(index).map(|measurement| measurement.figures).collect::<Vec<_>>(),
                "minimal": self.of_step(index).filter_map(|measurement| measurement.minimal).collect::<Vec<_>>(),
                "cpu_to_first": cpu,
                "p50_to_first": p50,
                "rss_kib": self.rss_kib(index),
                "rss_goal_mib": step.goal_mib,
                "cpu_ms_per_mb": self.millis_per_mb(index),
                "cpu_to_minimal": self.to_minimal(index),
                "idle_closed": self.closed(index),
            })
        });
        json!({"connections": self.connections, "steps": steps.collect::<Vec<_>>()})
    }

    fn of_step(&self, index: usize) -> impl Iterator<Item = &StepMeasurement> {
        self.rounds.iter().filter_map(move |round| round.get(index))
    }

    fn median(&self, index: usize, figure: impl Fn(&StepMeasurement) -> f64) -> f64 {
        median(self.of_step(index).map(figure).collect())
    }

    /// Ratios of CPU and median latency to the first step.
    fn to_first(&self, index: usize) -> [f64; 2] {
        let figures: [fn(&Measurement) -> f64; 2] = [|f| f.cpu_per_1000, |f| f.p50_us];
        figures.map(|figure| {
            let pairs = self.of_step(index).zip(self.of_step(0));
            median(pairs.map(|(measurement, first)| figure(&measurement.figures) / figure(&first.figures)).collect())
        })
    }

    /// The maximum of all rounds.
    fn rss_kib(&self, index: usize) -> u64 {
        self.of_step(index).map(|measurement| measurement.rss_kib).max().unwrap_or_default()
    }

    fn closed(&self, index: usize) -> usize {
        self.of_step(index).map(|measurement| measurement.closed).max().unwrap_or_default()
    }

    /// CPU milliseconds for each megabyte of response body.
    fn millis_per_mb(&self, index: usize) -> Option<f64> {
        let bytes = self.steps.get(index)?.body.as_ref()?.bytes;
        Some(self.median(index, |measurement| measurement.figures.cpu_per_1000) / (as_f64(bytes) / 1_048_576.0))
    }

    fn to_minimal(&self, index: usize) -> Option<f64> {
        let ratio =
            |measurement: &StepMeasurement| Some(measurement.figures.cpu_per_1000 / measurement.minimal?.cpu_per_1000);
        let ratios: Vec<f64> = self.of_step(index).filter_map(ratio).collect();
        (!ratios.is_empty()).then(|| median(ratios))
    }
}
