//! Time to parse a pasted curl command with `import` and `infer`. `bench/curl_speed.rs` measures how the time grows
//! with the length of the text.

use divan::{Bencher, black_box};
use toolgate_import::curl;

/// A command as in an API's documentation, and one as a browser's developer tools copy it.
const COMMANDS: [(&str, &str); 2] = [
    ("short", "curl https://api.example.com/v1/items/7?page=2"),
    (
        "browser",
        r#"curl 'https://api.example.com/v1/orders?expand=items&limit=50' \
  -X POST \
  -H 'accept: application/json, text/plain, */*' \
  -H 'accept-language: en-GB,en;q=0.9' \
  -H 'authorization: Bearer 0123456789abcdefghijklmnopqrstuvwxyz' \
  -H 'content-type: application/json' \
  -H 'origin: https://shop.example.com' \
  -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' \
  -b 'session=abc; theme=dark' \
  --data-raw $'{"customer":{"name":"Ann O\'Hara","email":"ann@example.com"},"items":[{"sku":"A-1","count":2},{"sku":"B-2","count":1}],"note":null}' \
  --compressed"#,
    ),
];

fn main() {
    divan::main();
}

fn command(name: &str) -> &'static str {
    COMMANDS.into_iter().find_map(|(other, text)| (other == name).then_some(text)).unwrap_or_default()
}

#[divan::bench(args = ["short", "browser"])]
fn import(bencher: Bencher<'_, '_>, name: &str) {
    let text = command(name);
    assert!(curl::import(text).is_ok(), "{text}");
    bencher.bench(|| curl::import(black_box(text)));
}

#[divan::bench(args = ["short", "browser"])]
fn infer(bencher: Bencher<'_, '_>, name: &str) {
    let text = command(name);
    assert!(curl::infer(text).is_ok(), "{text}");
    bencher.bench(|| curl::infer(black_box(text)));
}
