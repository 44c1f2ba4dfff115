//! Parses many mutated commands, and stops at the first one that panics or takes more than 50 ms.
//!
//! The program needs no special toolchain, and the same seed and number of threads give the same texts. Unlike `fuzz/`,
//! it is not guided by coverage.
//!
//! `cargo run --release -p toolgate-import --example curl_fuzz [texts] [seed] [threads]`

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a command-line program")]

#[path = "../tests/properties/fragments.rs"]
mod fragments;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use toolgate_import::curl::{self, Position};

use fragments::FRAGMENTS;

const PARSE_TIME_MAX: Duration = Duration::from_millis(50);
/// Length limit of most texts, in bytes; one in 5,000 has `RARE_LENGTH_MAX`.
const USUAL_LENGTH_MAX: usize = 400;
const RARE_LENGTH_MAX: usize = 40_000;

/// Commands to start from.
const SEED_COMMANDS: [&str; 26] = [
    "curl https://api.example.com/v1/items?limit=10&after=abc",
    "curl -X PATCH 'https://api.example.com/users/42' -H 'Content-Type: application/json' -d '{\"name\": \"Ann\", \"age\": 7}'",
    "curl -sSL --compressed \\\n  -u 'ann:s3cret' \\\n  https://api.example.com/me | jq .",
    "curl 'https://a.example/' -H $'x: \\u0021\\x41\\'' --data-raw $'{\"a\":\"\\ud83d\\ude00\\n\"}'",
    "curl ^\"https://a.example/?a=1^&b=^%^41^\" ^\n  -H ^\"accept: */*^\" ^\n  --data-raw ^\"^{^\\^\"a^\\^\":1^}^\"",
    "curl ^\n  -d \"{\\\"a\\\": \\\"C:\\\\\\\\\\\"}\" ^\n  \"https://a.example/\"",
    "curl.exe `\n  -H 'it''s: me' `\n  -d \"{`\"a`\": 1}\" `\n  https://a.example",
    "PS C:\\> curl.exe -d '{\\\"a\\\": [1, 2]}' `\r\n https://a.example",
    "curl https://a.example/upload -F 'file=@photo.jpg;type=image/jpeg' -F 'note=\"a;b\"' --form-string x=y",
    "curl -d @- https://a.example <<'EOF'\n{\"a\": \"$x\"}\nEOF\n",
    "curl -d @- https://a.example <<< \"a=$b\"",
    "curl -G https://a.example/search --data-urlencode 'q=a b&c' -d page=2 --url-query +raw=1",
    "$ curl -I user:pw@a.example:8080/{id}/{{name}}?api_key=k#frag",
    "```bash\n$ curl https://a.example \\\n> -H 'X-API-Key: k'\n```\n",
    "curl https://a.example/1\ncurl https://a.example/2 -X DELETE; curl b.example && curl c.example",
    "TOKEN=$(cat t) curl -H \"Authorization: Bearer $TOKEN\" \"https://a.example/${ID}\" # comment",
    "curl https://a.example -H 'content-type: multipart/form-data; boundary=x' --data-raw $'--x\\r\\nContent-Disposition: form-data; name=\"a\"\\r\\n\\r\\nv\\r\\n--x--\\r\\n'",
    "curl -T file.txt https://a.example/dir/ --oauth2-bearer t -m 2.5 -r 0-9 -e ';auto' -A agent -b 'a=b; c=d'",
    "curl --json '{\"a\":' --json '1}' https://a.example -H 'Authorization: Basic YTpi' --next https://b.example",
    "curl -d a=1 -d b[]=2 -d b[]=3 -d 'c=%zz%41+x' -H 'Accept;' -H 'User-Agent:' -H @file https://a.example",
    "curl https://a.example -H 'Authorization: Digest username=\"a\"' --digest -u a --aws-sigv4 aws:amz -k -x proxy -E cert",
    "curl -XPOST -HAccept:x -da=1 -uu:p -sSLkX PATCH --sil --request=PUT --no-progress-meter --expand-url a.example -- -x",
    "sudo env A=b time curl\ta.example > out.json 2>&1 < in.json &",
    "fetch(\"https://a.example/\", {method: \"POST\"})",
    "curl `cat url` $'\\c\\\\' \"$(echo \\\")\" ${a:-b} \\\r\n -d 'line\r\nline'",
    "curl\u{a0}-d\u{a0}'“é漢😀”'\u{2028}https://ex\u{e4}mple.example/\u{feff}",
];

/// A deterministic pseudo-random generator (`SplitMix64`).
struct FuzzRng(u64);

impl FuzzRng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count.max(1)).expect("a length fits into 64 bits");
        usize::try_from(self.next() % count).expect("the remainder is below a length")
    }

    fn one_of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items.get(self.below(items.len())).copied().unwrap_or_default()
    }
}

/// A seed command or an empty text, mutated a few times.
fn random_text(rng: &mut FuzzRng) -> String {
    let is_long = rng.below(5_000) == 0;
    let length_max = if is_long { RARE_LENGTH_MAX } else { USUAL_LENGTH_MAX };
    let mut text = match rng.below(8) {
        0 => "curl ".to_owned(),
        1 => String::new(),
        _ => rng.one_of(&SEED_COMMANDS).to_owned(),
    };
    for _ in 0..=rng.below(8) {
        mutate(&mut text, rng, is_long);
        if text.len() > length_max {
            text.truncate(text.floor_char_boundary(length_max));
        }
    }
    text
}

fn mutate(text: &mut String, rng: &mut FuzzRng, is_long: bool) {
    let at = text.floor_char_boundary(rng.below(text.len() + 1));
    let end = text.floor_char_boundary(at + rng.below(24)).max(at);
    match rng.below(7) {
        0 | 1 => text.insert_str(at, rng.one_of(FRAGMENTS)),
        2 => text.replace_range(at..end, rng.one_of(FRAGMENTS)),
        3 => text.replace_range(at..end, ""),
        4 => {
            let count = if is_long { 8_000 } else { 12 };
            let run = rng.one_of(FRAGMENTS).repeat(rng.below(count));
            text.insert_str(at, &run);
        }
        5 => {
            let other = rng.one_of(&SEED_COMMANDS);
            let cut = other.floor_char_boundary(rng.below(other.len()));
            text.insert_str(at, other.split_at(cut).1);
        }
        _ => {
            let c = u32::try_from(rng.below(0x250)).ok().and_then(char::from_u32).unwrap_or('a');
            text.insert(at, c);
        }
    }
}

/// The results of one thread.
#[derive(Default)]
struct FuzzOutcome {
    parsed: u64,
    rejected: u64,
    slowest: Duration,
    slowest_text: String,
}

/// Parses a text with `import` and `infer` and verifies the results. Returns whether `import` accepts the text.
fn parses(text: &str) -> bool {
    let imported = curl::import(text);
    let inferred = curl::infer(text);
    for position in
        [imported.as_ref().err(), inferred.as_ref().err()].into_iter().flatten().filter_map(|error| error.position)
    {
        assert!(contains_position(text, position), "{position:?} is not in the text");
    }
    if let Ok(draft) = &imported {
        serde_json::to_string(draft).expect("a draft is JSON");
    }
    if let Ok(tools) = &inferred {
        serde_json::to_string(tools).expect("drafts are JSON");
    }
    imported.is_ok()
}

fn contains_position(text: &str, Position { line, column }: Position) -> bool {
    let line = line.checked_sub(1).and_then(|index| text.split('\n').nth(index));
    line.is_some_and(|line| (1..=line.chars().count() + 1).contains(&column))
}

fn run(mut rng: FuzzRng, count: u64) -> FuzzOutcome {
    let mut outcome = FuzzOutcome::default();
    for _ in 0..count {
        let text = random_text(&mut rng);
        let (parses, elapsed) = best_time(&text);
        if elapsed > PARSE_TIME_MAX {
            report_and_exit(&format!("takes {elapsed:?}"), &text);
        }
        *(if parses { &mut outcome.parsed } else { &mut outcome.rejected }) += 1;
        if elapsed > outcome.slowest {
            (outcome.slowest, outcome.slowest_text) = (elapsed, text);
        }
    }
    outcome
}

/// Parses a text, up to five times if that is slow, because other load on the machine may be the cause. Returns whether
/// the text parses, and the shortest time.
fn best_time(text: &str) -> (bool, Duration) {
    let mut best = (false, Duration::MAX);
    for _ in 0..5 {
        let started = Instant::now();
        let Ok(parses) = catch_unwind(AssertUnwindSafe(|| parses(text))) else { report_and_exit("panics", text) };
        best = (parses, best.1.min(started.elapsed()));
        if best.1 < PARSE_TIME_MAX / 5 {
            break;
        }
    }
    best
}

fn report_and_exit(problem: &str, text: &str) -> ! {
    println!("this text {problem}: {text:?}");
    std::process::exit(1);
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>().expect("a number"));
    let count = arguments.next().unwrap_or(1_000_000);
    let seed = arguments.next().unwrap_or(1);
    let threads = arguments.next().unwrap_or(2).max(1);
    let started = Instant::now();
    let outcomes: Vec<FuzzOutcome> = std::thread::scope(|scope| {
        // Each thread has its own generator and a fixed share, so that the texts depend on seed and threads only.
        let start = |n| {
            let share = count / threads + u64::from(n < count % threads);
            scope.spawn(move || run(FuzzRng(seed.wrapping_mul(1_000_003).wrapping_add(n << 32)), share))
        };
        let handles: Vec<_> = (0..threads).map(start).collect();
        handles.into_iter().map(|thread| thread.join().expect("panics are caught")).collect()
    });
    let (parsed, rejected) = outcomes.iter().fold((0, 0), |sums, one| (sums.0 + one.parsed, sums.1 + one.rejected));
    let slowest = outcomes.iter().max_by_key(|outcome| outcome.slowest).expect("at least one thread");
    assert_eq!(parsed + rejected, count, "every text was parsed or rejected");
    println!("{count} texts in {:.0} s: {parsed} parsed, {rejected} rejected", started.elapsed().as_secs_f64());
    // Other threads affect this time, so the slowest text is measured again after they have ended.
    let alone = best_time(&slowest.slowest_text).1;
    println!("slowest: {:?} for {} bytes; alone {alone:?}", slowest.slowest, slowest.slowest_text.len());
}
