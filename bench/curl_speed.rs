//! Time to parse a pasted curl command, ordinary or adversarial, and how it grows with the length of the text.
//!
//! Each text is parsed at 32, 64, 128 and 256 KiB, with `import` and with `infer`; the figure is the fastest of several
//! rounds. Twice the text should take about twice the time. `!` marks a row whose longest text took more than 20 ms.
//!
//! `cargo run --release -p toolgate-import --example curl_speed [part of a name]`

#![expect(clippy::print_stdout, reason = "a command-line program run by hand")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use toolgate_import::curl;

const TEXT_SIZES: [usize; 4] = [32 * 1024, 64 * 1024, 128 * 1024, 256 * 1024];
const ROUNDS: usize = 9;
const TIME_GOAL: Duration = Duration::from_millis(20);

/// A family of texts of any length: a prefix, a repeated unit, a suffix.
#[derive(Clone, Copy)]
struct TextFamily {
    name: &'static str,
    prefix: &'static str,
    /// Returns the unit with this number.
    unit: fn(usize) -> String,
    suffix: &'static str,
    /// Repeated after the suffix to fill the second half of the text; empty if the units fill all of it.
    filling: &'static str,
}

const fn family(
    name: &'static str,
    prefix: &'static str,
    unit: fn(usize) -> String,
    suffix: &'static str,
) -> TextFamily {
    TextFamily { name, prefix, unit, suffix, filling: "" }
}

const URL: &str = "curl https://api.example.com/v1/items";

fn families() -> Vec<TextFamily> {
    [options(), bodies(), quotes(), shells(), several_commands()].into_iter().flatten().collect()
}

/// Many known and unknown options.
fn options() -> Vec<TextFamily> {
    vec![
        family("headers, each name once", URL, |n| format!(" \\\n  -H 'X-Header-{n}: value {n}'"), ""),
        family("headers, one name", URL, |n| format!(" -H 'Accept: text/{n}'"), ""),
        family("cookies", URL, |n| format!(" -b c{n}=v"), ""),
        family("switches", URL, |_| " -s".to_owned(), ""),
        family("one cluster of switches", "curl -", |_| "s".to_owned(), " https://a.example/"),
        family("clusters of a known and an unknown letter", URL, |_| " -s€".to_owned(), ""),
        family("long switches", URL, |_| " --silent".to_owned(), ""),
        family("abbreviated options", URL, |_| " --sil".to_owned(), ""),
        family("ambiguous abbreviations", URL, |_| " --s x".to_owned(), ""),
        family("unknown options", URL, |n| format!(" --unknown-{n}"), ""),
        family("unknown letters", URL, |_| " -€".to_owned(), ""),
        family("one unknown option", "curl https://a.example/ --unknown", |_| "-x".to_owned(), ""),
        family("ends of options (--)", URL, |_| " --".to_owned(), ""),
        family("next requests", URL, |_| " --next".to_owned(), ""),
        family("URLs", "curl", |n| format!(" https://a.example/{n}"), ""),
        family("one URL", "curl https://a.example/", |_| "a/".to_owned(), ""),
        family("one query", "curl 'https://a.example/?", |n| format!("p{n}=v&"), "'"),
        family("one query of API keys", "curl 'https://a.example/?", |_| "api_key=k&".to_owned(), "'"),
        family("placeholders", "curl 'https://a.example", |n| format!("/{{p{n}}}"), "'"),
        family("opening braces", "curl 'https://a.example/", |_| "{".to_owned(), "'"),
        family("opening double braces", "curl 'https://a.example/", |_| "{{a".to_owned(), "'"),
        family("at signs", "curl 'https://a", |_| "@".to_owned(), "'"),
        family("query options", URL, |n| format!(" --url-query q{n}=v"), ""),
        family("users", URL, |_| " -u a:b".to_owned(), ""),
        family("methods", URL, |_| " -X PUT".to_owned(), ""),
    ]
}

/// Large bodies.
fn bodies() -> Vec<TextFamily> {
    vec![
        family("data, each name once", URL, |n| format!(" -d f{n}=v"), ""),
        family("data, one name", URL, |_| " -d f=v".to_owned(), ""),
        family("data to encode", URL, |n| format!(" --data-urlencode 'f{n}=a b&c'"), ""),
        family("data for the query", "curl -G https://a.example/", |n| format!(" -d f{n}=v"), ""),
        family("data from files", URL, |_| " -d @f".to_owned(), ""),
        family("one form", "curl https://a.example/ -d '", |n| format!("f{n}=v&"), "'"),
        family("one form of escapes", "curl https://a.example/ -d 'a=", |_| "%41+".to_owned(), "'"),
        family("one form of ampersands", "curl https://a.example/ -d '", |_| "&".to_owned(), "'"),
        family(
            "one JSON object",
            "curl https://a.example/ -d '{",
            |n| format!("\"f{n}\": {{\"a\": [1, \"x\"]}},"),
            "\"z\":0}'",
        ),
        family("one JSON array", "curl https://a.example/ -d '[", |_| "{\"a\": 1},".to_owned(), "0]'"),
        family("one JSON string", "curl https://a.example/ -d '{\"a\":\"", |_| "text \\\" ".to_owned(), "\"}'"),
        family("equal JSON keys", "curl https://a.example/ -d '{", |_| "\"a\":1,".to_owned(), "\"a\":1}'"),
        family("unterminated JSON", "curl https://a.example/ -d '", |_| "{\"a\":".to_owned(), "'"),
        family("deep JSON", "curl https://a.example/ -d '", |_| "[".to_owned(), "'"),
        family("parts of --json", URL, |n| format!(" --json '{{\"f{n}\":1}}'"), ""),
        family("fields of -F", URL, |n| format!(" -F f{n}=v"), ""),
        family("types in one -F", "curl https://a.example/ -F 'a=b", |_| ";type=text/plain".to_owned(), "'"),
        family("semicolons in one -F", "curl https://a.example/ -F 'a=b", |_| ";".to_owned(), "'"),
        family("quotes in one -F", "curl https://a.example/ -F 'a=", |_| "\"\\".to_owned(), "'"),
        family(
            "multipart as text",
            MULTIPART,
            |n| format!("--x\\r\\nContent-Disposition: form-data; name=\"f{n}\"\\r\\n\\r\\nv\\r\\n"),
            "--x--\\r\\n'",
        ),
        family("multipart of boundaries", MULTIPART, |_| "--x\\r\\n".to_owned(), "'"),
        family("multipart of one part", MULTIPART, |_| "\\r\\n-".to_owned(), "'"),
        family("XML", "curl https://a.example/ -d '", |n| format!("<a>{n}</a>\n"), "'"),
    ]
}

/// Matching and unmatched quotes, for each shell.
fn quotes() -> Vec<TextFamily> {
    vec![
        family("words", URL, |_| " a".to_owned(), ""),
        family("single quotes", URL, |_| " 'a'".to_owned(), ""),
        family("apostrophes", URL, |_| "'\\''".to_owned(), ""),
        family("double quotes", URL, |_| " \"a\"".to_owned(), ""),
        family("alternating quotes", URL, |_| "'\"".to_owned(), ""),
        family("typographic quotes", URL, |_| " “a” ‘b’".to_owned(), ""),
        family("opening typographic quotes", URL, |_| " „".to_owned(), ""),
        family("two kinds of typographic quotes", URL, |_| " „ ‘".to_owned(), ""),
        family("ANSI-C quotes", URL, |_| " $'\\u0041'".to_owned(), ""),
        family("opening ANSI-C quotes", URL, |_| "$'\\'".to_owned(), ""),
        family("lone surrogates", "curl $'", |_| "\\ud83d".to_owned(), "'"),
        family("one open quote", "curl 'https://a.example/", |_| "a ".to_owned(), ""),
        family("one open double quote", "curl \"", |_| "\\\"".to_owned(), ""),
        family("open quotes on lines", URL, |_| "\ncurl 'a\"".to_owned(), ""),
        family("backslashes", URL, |_| "\\".to_owned(), ""),
        family("backslashes in double quotes", "curl \"", |_| "\\".to_owned(), "\""),
        family("backslashes and blanks", URL, |_| "\\ ".to_owned(), ""),
        family("one backslash and blanks", "curl \\", |_| " ".to_owned(), "x"),
        family("blanks", "curl", |_| " ".to_owned(), "https://a.example/"),
        family("carets", "curl ^\"", |_| "^".to_owned(), ""),
        family("escaped words in cmd", "curl", |_| " ^\"a^\"".to_owned(), ""),
        family("escaped quotes in cmd", "curl ^\"", |_| "^\\^\"".to_owned(), "^\""),
        family("escaped line breaks in cmd", "curl ^\"", |_| "^\n\n".to_owned(), "^\""),
        family("escaped open quotes in cmd", "curl", |_| " ^\"".to_owned(), ""),
        family("cmd backslashes", "curl ^\n\"", |_| "\\".to_owned(), "\""),
        family("cmd quotes", "curl ^\n\"", |_| "\\\"".to_owned(), ""),
        family("cmd doubled quotes", "curl ^\n\"", |_| "\"\"".to_owned(), ""),
        family("backticks in PowerShell", "curl `\n", |_| "`".to_owned(), ""),
        family("PowerShell quotes", "curl `\n", |_| " 'a''b'".to_owned(), ""),
        family("PowerShell double quotes", "curl `\n\"", |_| "`\"\"\"".to_owned(), ""),
        family("PowerShell here-strings", "curl `\n", |_| " @'\n".to_owned(), ""),
        family("JSON in PowerShell 5", "curl `\n -d '{", |n| format!("\\\"f{n}\\\": 1,"), "\\\"z\\\": 0}'"),
        family("words that are almost JSON", "curl `\n", |_| " '{\\\"a\\\": 1'".to_owned(), ""),
    ]
}

/// Substitutions, redirections, comments, and the text around a command.
fn shells() -> Vec<TextFamily> {
    vec![
        family("variables", URL, |n| format!(" $V{n}"), ""),
        family("dollars", URL, |_| "$".to_owned(), ""),
        family("substitutions", URL, |_| " $(a)".to_owned(), ""),
        family("open substitutions", URL, |_| "$(".to_owned(), ""),
        family("open substitutions and quotes", URL, |_| " \"$(\"".to_owned(), ""),
        family("closed and open substitutions", URL, |_| "$(a)$(".to_owned(), ""),
        family("open braces", URL, |_| "${a".to_owned(), ""),
        family("backticks", URL, |_| "`".to_owned(), ""),
        family("backticks on lines", URL, |_| "`\n".to_owned(), ""),
        family("a here-document", "curl https://a.example/ -d @- <<EOF\n", |n| format!("line {n} \\$x\n"), "EOF\n"),
        family("here-documents", URL, |_| " <<EOF".to_owned(), "\na\nEOF\n"),
        family("open here-documents", URL, |n| format!(" <<E{n}"), "\na"),
        family("here-documents one by one", URL, |_| " -d @- <<EOF\na\nEOF\ncurl a.example".to_owned(), ""),
        TextFamily {
            filling: "line\n",
            ..family("one here-document read often", URL, |_| " -d @-".to_owned(), " <<EOF\n")
        },
        TextFamily {
            filling: "line\n",
            ..family("one here-document read encoded", URL, |_| " --data-urlencode a@-".to_owned(), " <<EOF\n")
        },
        TextFamily {
            filling: "line\n",
            ..family("one here-document read by fields", URL, |_| " -F a=@-".to_owned(), " <<EOF\n")
        },
        TextFamily {
            filling: "line\n",
            ..family("one here-document read by requests", URL, |_| " --next a.example -d @-".to_owned(), " <<EOF\n")
        },
        family("here-strings", URL, |_| " <<<a".to_owned(), ""),
        family("redirections", URL, |_| " 2>&1 >f".to_owned(), ""),
        family("comments", "curl \\\n", |_| "# curl 'a\n".to_owned(), URL),
        family("semicolons", URL, |_| ";".to_owned(), ""),
        family("ampersands", "curl https://a.example/?a=b", |_| "&a".to_owned(), ""),
        family("missing line continuations", URL, |_| "\n -s".to_owned(), ""),
        family("line breaks", "curl", |_| "\n".to_owned(), URL),
        family("line breaks before an option", URL, |_| "\n".to_owned(), "-s"),
        family("line breaks in PowerShell", "curl.exe a.example `\n -s\n", |_| "\r\n".to_owned(), "x"),
        family(
            "line breaks in PowerShell before an option",
            "curl.exe a.example `\n -s\n",
            |_| "\r\n".to_owned(),
            "-s",
        ),
        family("line breaks in cmd", "curl a.example ^\n -s\n", |_| "\r\n".to_owned(), "x"),
        family("carets and line breaks", "curl a.example", |_| " ^\n\n".to_owned(), "x"),
        family("line breaks and spaces before an option", URL, |_| "\r\n ".to_owned(), "-s"),
        family("backslashes and line breaks", URL, |_| " \\ \n\n".to_owned(), "-s"),
        family("continued lines", "curl", |_| " \\\n".to_owned(), " https://a.example/"),
        family("carriage returns", "curl", |_| "\r".to_owned(), URL),
        family("fences", "```\n", |_| "```\ncurl https://a.example/\n```\n".to_owned(), ""),
        family("prompts", "", |_| "$ ".to_owned(), URL),
        family("lines with prompts", "$ curl https://a.example/ \\\n", |_| "> -s \\\n".to_owned(), ""),
        family("non-breaking spaces", "curl", |_| "\u{a0}".to_owned(), "https://a.example/"),
        family("byte order marks", "curl", |_| "\u{feff} ".to_owned(), "https://a.example/"),
        family("no command", "", |_| "text ".to_owned(), ""),
        family("no command on lines", "", |_| "echo 'curl'\n".to_owned(), ""),
        family("the word curl", "", |_| "curl ".to_owned(), ""),
        family("the word curl without spaces", "", |_| "curl".to_owned(), ""),
        family("assignments", "", |_| "A=b ".to_owned(), URL),
        family("wrappers", "", |_| "sudo env ".to_owned(), URL),
        family("emoji", "curl https://a.example/ -d '", |_| "😀".to_owned(), "'"),
    ]
}

/// Several commands in one text.
fn several_commands() -> Vec<TextFamily> {
    vec![
        family("commands for one endpoint", "", |n| format!("curl https://a.example/items/{n}\n"), ""),
        family(
            "commands for one endpoint with bodies",
            "",
            |n| format!("curl https://a.example/items -d '{{\"f{n}\": {n}}}'\n"),
            "",
        ),
        family(
            "commands for one endpoint with queries",
            "",
            |n| format!("curl 'https://a.example/items?f{n}=1'\n"),
            "",
        ),
        family("commands for many endpoints", "", |n| format!("curl https://a.example/e{n}/list\n"), ""),
        family("commands for many hosts", "", |n| format!("curl https://h{n}.example/\n"), ""),
        family("commands with many methods", "", |n| format!("curl -X M{n} https://a.example/\n"), ""),
        family("commands with deep paths", "", |n| format!("curl https://a.example/{}{n}\n", "a/".repeat(40)), ""),
        family("equal commands", "", |_| "curl https://a.example/items\n".to_owned(), ""),
        family("piped commands", "", |n| format!("curl https://a.example/e{n} | "), "jq"),
        family("commands without a URL", "", |_| "curl -s\n".to_owned(), ""),
        family("commands in cmd", "curl ^\n a.example\n", |n| format!("curl ^\"https://a.example/e{n}^\"\n"), ""),
        family(
            "commands in PowerShell",
            "curl `\n a.example\n",
            |n| format!("curl.exe 'https://a.example/e{n}'\n"),
            "",
        ),
    ]
}

/// The start of a command as Chrome copies it, up to its multipart body.
const MULTIPART: &str = "curl https://a.example/ -H 'content-type: multipart/form-data; boundary=x' --data-raw $'";

impl TextFamily {
    /// A text of at most `size` bytes.
    fn text(&self, size: usize) -> String {
        let mut text = self.prefix.to_owned();
        let units_end = if self.filling.is_empty() { size } else { size / 2 };
        for n in 0.. {
            let unit = (self.unit)(n);
            if text.len() + unit.len() + self.suffix.len() > units_end {
                break;
            }
            text += &unit;
        }
        text += self.suffix;
        let fillings = (size - text.len()).checked_div(self.filling.len());
        text + &self.filling.repeat(fillings.unwrap_or(0))
    }
}

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    println!("{:42} {:>38}   {:>38}", "milliseconds at 32, 64, 128, 256 KiB", "import", "infer");
    let mut slowest = (Duration::ZERO, "nothing");
    for family in families().into_iter().filter(|family| family.name.contains(&filter)) {
        let texts = TEXT_SIZES.map(|size| family.text(size));
        let imported = texts.each_ref().map(|text| fastest_run(|| drop(black_box(curl::import(black_box(text))))));
        let inferred = texts.each_ref().map(|text| fastest_run(|| drop(black_box(curl::infer(black_box(text))))));
        let longest_text_time = imported[3].max(inferred[3]);
        slowest = slowest.max((longest_text_time, family.name));
        let mark = if longest_text_time > TIME_GOAL { " !" } else { "" };
        println!("{:42} {}   {}{mark}", family.name, row(&imported), row(&inferred));
    }
    println!("slowest: {} in {:.1} ms", slowest.1, millis(slowest.0));
}

/// Time of the fastest of several runs. A very slow function runs only once.
fn fastest_run(mut run: impl FnMut()) -> Duration {
    let mut fastest = Duration::MAX;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        run();
        fastest = fastest.min(started.elapsed());
        if fastest > TIME_GOAL * 10 {
            break;
        }
    }
    fastest
}

/// The times in milliseconds, and the ratio of the last to the one before it.
fn row(times: &[Duration; 4]) -> String {
    let [a, b, c, d] = times.map(millis);
    format!("{a:7.2} {b:7.2} {c:7.2} {d:7.2} ({:4.1})", d / c)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
