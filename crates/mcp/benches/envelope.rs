//! Benchmark of message parsing: a bare call, a modern call, and a call with long arguments.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use toolgate_mcp::envelope;

const BARE: &str = r#"{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"tool_7","arguments":{"id":"17","q":"word17"}}}"#;
const MODERN: &str = r#"{"jsonrpc":"2.0","id":"a-17","method":"tools/call","params":{"name":"tool_7","arguments":{"id":"17","q":"word17"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#;

fn main() {
    divan::main();
}

/// The bare call with about 22 KB of arguments.
fn long_call() -> String {
    let words: Vec<String> = (0..1200).map(|number| format!("\"word \\u00e9 {number}\"")).collect();
    BARE.replace("\"word17\"", &format!("[{}]", words.join(",")))
}

#[divan::bench(args = ["bare", "modern", "long"])]
fn read(bencher: Bencher<'_, '_>, name: &str) {
    let body = match name {
        "bare" => BARE.to_owned(),
        "modern" => MODERN.to_owned(),
        _ => long_call(),
    };
    assert_eq!(envelope::method(body.as_bytes()).as_deref(), Some("tools/call"), "{body}");
    let bencher = bencher.counter(BytesCount::new(body.len()));
    bencher.bench(|| envelope::method(black_box(body.as_bytes())));
}
