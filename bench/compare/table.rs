//! What was measured, as a table and as JSON. Ratios are taken inside each round, and their median is what is said.

use serde_json::{Value, json};

use crate::target::Measurement;

/// All figures of one number of connections: by round, then by cell.
pub(crate) struct ComparisonTable<'a> {
    pub(crate) connections: u64,
    pub(crate) names: Vec<&'a str>,
    pub(crate) rounds: Vec<Vec<Measurement>>,
}

/// By which cell a cell is measured.
const REFERENCES: [(&str, &str); 2] = [("minimal", "minimal, list"), ("nginx", "nginx, list as a file")];

impl ComparisonTable<'_> {
    pub(crate) fn print(&self) {
        let connections = self.connections;
        println!("\n{connections} connections: medians of {} rounds; ratios inside each round", self.rounds.len());
        println!(
            "{:34} {:>9} {:>12} {:>9} {:>9} | {:>9} {:>9} {:>9} {:>9}",
            "", "req/s", "CPU-s/1000", "p50 us", "p99 us", "CPU/min.", "CPU/ngx.", "rps/min.", "p99/min."
        );
        for (index, name) in self.names.iter().enumerate() {
            let [requests, cpu, p50, p99] = self.medians(index);
            let ratios = self.ratios(index).map(|ratio| ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")));
            let [minimal, nginx, speed, slowest] = ratios;
            println!(
                "{name:34} {requests:>9.0} {cpu:>12.4} {p50:>9.0} {p99:>9.0} | {minimal:>9} {nginx:>9} {speed:>9} {slowest:>9}"
            );
        }
    }

    pub(crate) fn json(&self) -> Value {
        let targets = self.names.iter().enumerate().map(|(index, name)| {
            let [cpu_to_minimal, cpu_to_nginx, speed, p99] = self.ratios(index);
            json!({
                "name": name,
                "rounds": self.rounds.iter().map(|round| round[index]).collect::<Vec<_>>(),
                "cpu_to_minimal": cpu_to_minimal,
                "cpu_to_nginx": cpu_to_nginx,
                "requests_per_second_to_minimal": speed,
                "p99_to_minimal": p99,
            })
        });
        json!({"connections": self.connections, "cells": targets.collect::<Vec<_>>()})
    }

    fn medians(&self, index: usize) -> [f64; 4] {
        let of =
            |figure: fn(&Measurement) -> f64| median(self.rounds.iter().map(|round| figure(&round[index])).collect());
        [of(|f| f.requests_per_second), of(|f| f.cpu_per_1000), of(|f| f.p50_us), of(|f| f.p99_us)]
    }

    /// CPU beside the minimal program's and nginx's, requests a second and the slowest hundredth beside the minimal
    /// program's.
    fn ratios(&self, index: usize) -> [Option<f64>; 4] {
        let is_list = self.names[index].contains("list") || self.names[index].contains("cached");
        let [minimal, nginx] = REFERENCES.map(|(call, list)| if is_list { list } else { call });
        let to = |reference: &str, figure: fn(&Measurement) -> f64| {
            let reference = self.names.iter().position(|name| *name == reference)?;
            let ratio = |round: &Vec<Measurement>| figure(&round[index]) / figure(&round[reference]);
            Some(median(self.rounds.iter().map(ratio).collect()))
        };
        [
            to(minimal, |f| f.cpu_per_1000),
            to(nginx, |f| f.cpu_per_1000),
            to(minimal, |f| f.requests_per_second),
            to(minimal, |f| f.p99_us),
        ]
    }
}

/// The middle one.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
