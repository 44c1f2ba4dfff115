//! Removes the parts of a text that a model cannot use and must not get: stack traces, SQL statements, class names,
//! files and addresses.

use super::{ArgumentName, ErrorMessage};

/// How many lines of a text are read.
const LINES_MAX: usize = 20;

/// The first words of a stack trace, in lower case. The lines after it are not read.
const TRACE_STARTS: [&str; 7] =
    ["traceback (most", "file \"", "caused by", "stack trace", "stacktrace", "stack backtrace", "goroutine "];

/// The first words of the part of a line that repeats an SQL statement or a nested error.
const INNER_STARTS: [&str; 4] = ["; nested exception", "; SQL [", "SQLSTATE[", "[SQL:"];

/// The message in a plain text.
pub(super) fn read(text: &str, argument_name: ArgumentName<'_>) -> ErrorMessage {
    let mut message = ErrorMessage::default();
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES_MAX) {
        let lower = line.to_lowercase();
        if TRACE_STARTS.iter().any(|start| lower.starts_with(start)) || is_frame(line) {
            message.has_trace = true;
            // Python writes the error after the frames.
            if lower.starts_with("traceback")
                && let Some(last) = text.lines().rev().map(str::trim).find(|line| !line.is_empty())
            {
                let last = sentence(last, argument_name);
                lines.extend(Some(last).filter(|text| !text.is_empty()));
            }
            break;
        }
        lines.extend(Some(sentence(line, argument_name)).filter(|text| !text.is_empty()));
    }
    message.text = lines.join(" ");
    message
}

/// A frame such as `#0 /var/www/index.php(12)` or `at run (/srv/app.js:3:9)`.
fn is_frame(line: &str) -> bool {
    let is_numbered = line.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let place = line.strip_prefix("at ");
    let is_place = |place: &str| place.contains('(') && place.contains([':', '.']) || is_file(place);
    is_numbered || place.is_some_and(is_place)
}

/// One line without its noise.
pub(super) fn sentence(line: &str, argument_name: ArgumentName<'_>) -> String {
    let end = INNER_STARTS.iter().filter_map(|start| line.find(start)).min();
    let line = end.and_then(|end| line.get(..end)).unwrap_or(line);
    if is_statement(line) {
        return before_statement(line, argument_name);
    }
    let words = line.split_whitespace().filter(|word| !is_noise(word));
    let kept: Vec<String> = words.map(|word| rename(word, argument_name)).collect();
    let text: String = kept.join(" ").chars().filter(|c| !c.is_control()).collect();
    let text = strip_tags(&text);
    text.trim_matches([' ', ',', ';', ':']).to_owned()
}

/// The headline of a page without its noise, and without the preposition that a removed name leaves behind.
pub(super) fn headline(text: &str, argument_name: ArgumentName<'_>) -> String {
    let text = sentence(text, argument_name);
    let words: Vec<&str> = text.split(' ').collect();
    let end =
        words.iter().rposition(|word| !["at", "in", "on", "from", "of"].contains(word)).map_or(0, |last| last + 1);
    words.get(..end).unwrap_or_default().join(" ")
}

/// The sentences of a line before an SQL statement.
fn before_statement(line: &str, argument_name: ArgumentName<'_>) -> String {
    let sentences = line.split(". ").flat_map(|part| part.split(": ")).take_while(|part| !is_statement(part));
    let text: Vec<String> =
        sentences.map(|part| sentence(part, argument_name)).filter(|text| !text.is_empty()).collect();
    text.join(": ")
}

fn is_statement(text: &str) -> bool {
    let lower = text.to_lowercase();
    let has = |one: &str, other: &str| {
        lower.find(one).is_some_and(|at| lower.get(at..).is_some_and(|rest| rest.contains(other)))
    };
    has("select ", " from ") || has("insert into ", "values") || has("delete from ", " ") || has("update ", " set ")
}

/// Whether a word is an address, a file, or the name of a class.
fn is_noise(word: &str) -> bool {
    let word = word.trim_matches(|c: char| "()[]{}<>\"'`,;:.".contains(c));
    word.contains("://") || is_ip_address(word) || is_internal_host(word) || is_file(word) || is_class(word)
}

fn is_ip_address(word: &str) -> bool {
    let host = word.rsplit_once(':').map_or(word, |(host, _)| host);
    host.parse::<std::net::IpAddr>().is_ok() || host.trim_matches(['[', ']']).parse::<std::net::Ipv6Addr>().is_ok()
}

/// The name of a host in a private network, such as `db.internal:5432`.
fn is_internal_host(word: &str) -> bool {
    let host = word.split(':').next().unwrap_or(word);
    let suffix = host.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    host.eq_ignore_ascii_case("localhost") || ["internal", "local", "lan", "corp", "svc", "intranet"].contains(&suffix)
}

/// A path with several parts, or a source file such as `app.py:12`.
fn is_file(word: &str) -> bool {
    let is_path = word.matches('/').count() >= 2 && word.starts_with(['/', '.']);
    let is_windows_path = word.contains(":\\");
    let name = word.rsplit('/').next().unwrap_or(word);
    let extension = name.rsplit_once('.').map_or("", |(_, rest)| rest.split([':', '(']).next().unwrap_or_default());
    let is_source =
        ["py", "js", "mjs", "ts", "rb", "java", "kt", "go", "php", "rs", "cs", "cpp", "ex"].contains(&extension);
    is_path || is_windows_path || is_source
}

/// `java.lang.NullPointerException`, `App\Http\Handler`, `psycopg2.errors.UndefinedColumn`, `ValueError`.
fn is_class(word: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "_$".contains(c));
    let parts: Vec<&str> = word.split(['.', '\\']).flat_map(|part| part.split("::")).collect();
    let last = parts.last().copied().unwrap_or_default();
    let is_camel_case = last.starts_with(char::is_uppercase) && last.chars().any(char::is_lowercase);
    let is_qualified = parts.len() >= 3 && parts.iter().all(|part| is_name(part)) && is_camel_case;
    let is_error = is_camel_case
        && parts.iter().all(|part| is_name(part))
        && ["Exception", "Error"].iter().any(|end| last.ends_with(end) && last.len() > end.len());
    is_qualified || is_error
}

/// A word with the names of the upstream replaced. Punctuation around a name stays.
pub(super) fn rename(word: &str, argument_name: ArgumentName<'_>) -> String {
    let is_name = |c: char| c.is_alphanumeric() || "_-".contains(c);
    let core = word.trim_matches(|c: char| !is_name(c));
    match argument_name(core).filter(|_| !core.is_empty()) {
        Some(name) => word.replacen(core, &name, 1),
        None => word.to_owned(),
    }
}

/// Removes the tags of XML.
fn strip_tags(text: &str) -> String {
    let mut is_tag = false;
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '<' if chars.peek().is_some_and(|next| next.is_alphabetic() || "/!?".contains(*next)) => is_tag = true,
            '>' if is_tag => {
                is_tag = false;
                out.push(' ');
            }
            _ if is_tag => {}
            c => out.push(c),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}
