//! Speed of shaping: 300 KB of issues from the API of a code host, with different rules, and an HTML page.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use toolgate_domain::json::JsonObject;
use toolgate_domain::shaping::{NEW_TOOL_SHAPING, Shaping};
use toolgate_domain::tokens;
use toolgate_shaping::{Part, ShapingInput, shape};

#[expect(dead_code, reason = "only the issues are measured")]
#[path = "../../../bench/model/responses.rs"]
mod responses;

const BODY_BYTES: usize = 300_000;

/// Name and rules of each benchmark.
const RULES: [(&str, &str); 5] = [
    ("new tool", NEW_TOOL_SHAPING),
    ("projection", r#"{"fields":["number","title","user.login","labels[].name"],"max_tokens":8000}"#),
    ("omit", r#"{"omit":["*_url","node_id"],"max_tokens":8000}"#),
    ("tables", r#"{"fields":["number","title","user.login","state"],"tables":true,"max_tokens":8000}"#),
    ("no budget", r#"{"drop_empty":true}"#),
];

fn main() {
    divan::main();
}

#[divan::bench(args = ["new tool", "projection", "omit", "tables", "no budget"])]
fn issues(bencher: Bencher<'_, '_>, name: &str) {
    let text = RULES.into_iter().find_map(|(other, text)| (other == name).then_some(text)).unwrap_or_default();
    let shaping = Shaping::parse(&JsonObject::from_stored(text.to_owned())).unwrap_or_default();
    let body = responses::issues(BODY_BYTES);
    let input = ShapingInput { body: &body, media_type: "application/json", reference: Some("r_7Kq2mDxYz0123456") };
    bencher
        .counter(BytesCount::of_str(&body))
        .bench(|| shape(black_box(&input), black_box(&shaping), Part::Start, None));
}

/// Conversion of an HTML page to Markdown.
#[divan::bench]
fn html(bencher: Bencher<'_, '_>) {
    let shaping = Shaping::parse(&JsonObject::from_stored(NEW_TOOL_SHAPING.to_owned())).unwrap_or_default();
    let pages = responses::generated_responses();
    let page = pages.iter().find(|page| page.name == "html").map(|page| page.body.as_str()).unwrap_or_default();
    let input = ShapingInput { body: page, media_type: "text/html", reference: None };
    bencher
        .counter(BytesCount::of_str(page))
        .bench(|| shape(black_box(&input), black_box(&shaping), Part::Start, None));
}

/// For comparison: the token estimate of the whole body, without shaping.
#[divan::bench]
fn estimate(bencher: Bencher<'_, '_>) {
    let body = responses::issues(BODY_BYTES);
    bencher.counter(BytesCount::of_str(&body)).bench(|| tokens::estimate(black_box(&body)));
}
