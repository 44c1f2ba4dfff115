//! The results of the comparison, as a table and as JSON. Ratios are computed within each round, and their median is
//! shown.

use serde_json::{Value, json};

use crate::target::Measurement;

/// All figures for one number of connections: by round, then by target.
pub(crate) struct ComparisonTable<'a> {
    pub(crate) connections: u64,
    pub(crate) names: Vec<&'a str>,
    pub(crate) rounds: Vec<Vec<Measurement>>,
}

pub(crate) const MINIMAL: &str = "minimal";
pub(crate) const MINIMAL_LIST: &str = "minimal, tools/list";
pub(crate) const NGINX: &str = "nginx, reverse proxy";
pub(crate) const NGINX_LIST: &str = "nginx, the list of 50 tools as a static file";

/// The targets that the others are compared with, in pairs: one for calls, one for responses that need no upstream.
const REFERENCES: [(&str, &str); 2] = [(MINIMAL, MINIMAL_LIST), (NGINX, NGINX_LIST)];

impl ComparisonTable<'_> {
    pub(crate) fn print(&self) {
        let connections = self.connections;
        println!("\n{connections} connections: medians of {} rounds; ratios within each round", self.rounds.len());
        println!(
            "{:44} {:>10} {:>15} {:>9} {:>9} | {:>14} {:>12} {:>21} {:>14}",
            "",
            "requests/s",
            "CPU-s per 1,000",
            "p50 us",
            "p99 us",
            "CPU to minimal",
            "CPU to nginx",
            "requests/s to minimal",
            "p99 to minimal"
        );
        for (index, name) in self.names.iter().enumerate() {
            let [requests, cpu, p50, p99] = self.medians(index);
            let ratios = self.ratios(index).map(|ratio| ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")));
            let [minimal, nginx, throughput, p99_ratio] = ratios;
            print!("{name:44} {requests:>10.0} {cpu:>15.4} {p50:>9.0} {p99:>9.0} | ");
            println!("{minimal:>14} {nginx:>12} {throughput:>21} {p99_ratio:>14}");
        }
    }

    pub(crate) fn json(&self) -> Value {
        let targets = self.names.iter().enumerate().map(|(index, name)| {
            let [cpu_to_minimal, cpu_to_nginx, throughput, p99] = self.ratios(index);
            json!({
                "name": name,
                "rounds": self.rounds.iter().map(|round| round[index]).collect::<Vec<_>>(),
                "cpu_to_minimal": cpu_to_minimal,
                "cpu_to_nginx": cpu_to_nginx,
                "requests_per_second_to_minimal": throughput,
                "p99_to_minimal": p99,
            })
        });
        json!({"connections": self.connections, "cells": targets.collect::<Vec<_>>()})
    }

    /// Medians of requests/s, CPU, p50 and p99 of the target at `index`.
    fn medians(&self, index: usize) -> [f64; 4] {
        let median_figure =
            |figure: fn(&Measurement) -> f64| median(self.rounds.iter().map(|round| figure(&round[index])).collect());
        let figures: [fn(&Measurement) -> f64; 4] =
            [|f| f.requests_per_second, |f| f.cpu_per_1000, |f| f.p50_us, |f| f.p99_us];
        figures.map(median_figure)
    }

    /// Ratios of CPU to the minimal program and to nginx, and of requests/s and p99 to the minimal program; `None` if
    /// the reference was not measured.
    fn ratios(&self, index: usize) -> [Option<f64>; 4] {
        let needs_no_upstream = self.names[index].contains("list") || self.names[index].contains("cached");
        let [minimal, nginx] = REFERENCES.map(|(call, list)| if needs_no_upstream { list } else { call });
        let ratio_to = |reference: &str, figure: fn(&Measurement) -> f64| {
            let reference_index = self.names.iter().position(|name| *name == reference)?;
            let ratio = |round: &Vec<Measurement>| figure(&round[index]) / figure(&round[reference_index]);
            Some(median(self.rounds.iter().map(ratio).collect()))
        };
        [
            ratio_to(minimal, |f| f.cpu_per_1000),
            ratio_to(nginx, |f| f.cpu_per_1000),
            ratio_to(minimal, |f| f.requests_per_second),
            ratio_to(minimal, |f| f.p99_us),
        ]
    }
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Formats a number with thousands separators: 10,000.
pub(crate) fn with_separators(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", with_separators(number / 1000), number % 1000),
    }
}
