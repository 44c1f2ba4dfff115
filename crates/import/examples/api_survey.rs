//! Reads documents and prints the result of each as one line of JSON: the import report or the error, and the time.
//!
//! `cargo run --profile quick -p toolgate-import --example api_survey FILE...`

#![expect(clippy::print_stdout, reason = "a command-line program")]

use std::time::Instant;

use serde_json::json;
use toolgate_import::api::options::ImportOptions;
use toolgate_import::api::read;

fn main() -> std::io::Result<()> {
    let options = ImportOptions {
        document_url: Some("https://host.example/openapi.json".to_owned()),
        ..ImportOptions::default()
    };
    for file in std::env::args().skip(1) {
        let bytes = std::fs::read(&file)?;
        let started = Instant::now();
        let result = read(&bytes, &options);
        let millis = started.elapsed().as_millis();
        let line = match result {
            Ok(reply) => json!({"file": file, "ms": millis.to_string(), "reply": reply}),
            Err(error) => json!({"file": file, "ms": millis.to_string(), "error": error.to_string()}),
        };
        println!("{line}");
    }
    Ok(())
}
