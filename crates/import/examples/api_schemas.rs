//! Reads API descriptions and reports how many schemas they have, how long the conversion took and the peak memory use.
//!
//! ```sh
//! cargo run --release -p toolgate-import --example api_schemas -- [--full] FILE...
//! ```
#![expect(clippy::print_stdout, reason = "the report is the output of the program")]

use std::collections::BTreeMap;
use std::time::Instant;
use std::{env, fs};

use toolgate_import::api::inspection::{Inspection, inspect};
use toolgate_import::api::schema::SchemaDetail;

fn main() {
    let detail =
        if env::args().any(|argument| argument == "--full") { SchemaDetail::Full } else { SchemaDetail::Compact };
    for path in env::args().skip(1).filter(|argument| argument != "--full") {
        let Ok(bytes) = fs::read(&path) else {
            println!("{path}: cannot be read");
            continue;
        };
        let start = Instant::now();
        let result = inspect(&bytes, detail);
        let millis = start.elapsed().as_millis();
        match result {
            Ok(inspection) => report(&path, bytes.len(), millis, &inspection),
            Err(error) => println!("{path}: {error}"),
        }
    }
}

fn report(path: &str, bytes: usize, millis: u128, inspection: &Inspection) {
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    for (code, _) in &inspection.warnings {
        *codes.entry(code).or_default() += 1;
    }
    let schema_bytes: usize = inspection.schemas.iter().map(|schema| schema.as_str().len()).sum();
    println!(
        "{path}: {} KB, version {}, {} operations, {} KB of schemas ({} KB in full), {} broken references, {} too large, \
         {millis} ms, peak {} MB, warnings {codes:?}",
        bytes >> 10,
        inspection.version,
        inspection.operations,
        schema_bytes >> 10,
        inspection.full_bytes >> 10,
        inspection.broken_references,
        inspection.too_large,
        peak_kilobytes() >> 10,
    );
}

/// The peak of resident memory of this process; 0 where `/proc` does not exist.
fn peak_kilobytes() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
