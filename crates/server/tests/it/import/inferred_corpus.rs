//! Sends every command of the corpus of inferred tools (`crates/import/tests/corpus`) with the real curl, saves its
//! draft unchanged as a tool and calls the tool. The upstream must receive the same request from both.

use std::collections::BTreeSet;
use std::path::Path;

use futures_util::future::join_all;

use toolgate_testkit::upstream::ReceivedRequest;

use super::accepted_differences::decoded_path;
use super::comparison::differences;
use super::import_worker::{ImportWorker, Members, body_kind};
use super::real_curl;
use crate::toolgate;

/// Number of concurrent workers.
const WORKERS: usize = 4;
/// Guards against a corpus that is not found.
const COMMANDS_MIN: usize = 200;

/// Commands that curl cannot send here, with the reason. Their drafts are only saved.
const NOT_SENT: [(&str, &str); 16] = [
    ("chrome-cmd-messages", "quoted for cmd"),
    ("chrome-cmd-post", "quoted for cmd"),
    ("cloudinary-unsigned-upload", "bash reads <name> as a redirection"),
    ("example-placeholders", "bash reads <name> as a redirection"),
    ("fly-stop-machine", "a placeholder for the host"),
    ("github-get-user", "a prompt before the command"),
    ("google-calendar-list-events", "curl reads [name] as a range"),
    ("kubernetes-list-pods", "a variable for the host"),
    ("openai-transcription", "a file in another folder"),
    ("openweather-current", "curl refuses a space in braces"),
    ("powershell-create-ticket", "quoted for PowerShell"),
    ("s3-presigned-put", "a file in another folder"),
    ("supabase-read-rows", "a placeholder for the host"),
    ("telegram-get-updates", "bash reads <name> as a redirection"),
    ("telegram-send-photo", "a file in another folder"),
    ("zendesk-create-ticket", "a placeholder for the host"),
];

const NOISE: &str = "inference leaves it out";
const SCHEME: &str = "a tool sends the scheme as Bearer";
const SIGNED: &str = "curl computes it for each request";
const VARIABLE: &str = "a variable in the path is an argument named after it";

/// Accepted differences: command, difference, reason. docs/import-curl.md lists them.
const ACCEPTED_DIFFERENCES: [(&str, &str, &str); 25] = [
    ("chrome-form-only-tracking-cookies", "header cache-control", NOISE),
    ("chrome-form-only-tracking-cookies", "header cookie", NOISE),
    ("chrome-form-only-tracking-cookies", "header pragma", NOISE),
    ("chrome-get-products", "header cookie", NOISE),
    ("chrome-get-products", "query", NOISE),
    ("chrome-graphql", "header cookie", NOISE),
    ("chrome-post-comment", "header traceparent", NOISE),
    ("cloudflare-create-dns-record", "path", VARIABLE),
    ("digest-auth", "header authorization", "curl sends no credentials before the challenge"),
    ("firefox-search-flights", "header cache-control", NOISE),
    ("firefox-search-flights", "header cookie", NOISE),
    ("firefox-search-flights", "header pragma", NOISE),
    ("github-graphql-repository-issues", "header authorization", SCHEME),
    ("github-graphql-viewer", "header authorization", SCHEME),
    ("heroku-scale-formation", "path", VARIABLE),
    ("hetzner-power-off-server", "path", VARIABLE),
    ("microsoft-graph-list-messages", "path", VARIABLE),
    ("s3-aws-sigv4", "header authorization", SIGNED),
    ("s3-aws-sigv4", "header x-amz-date", SIGNED),
    ("safari-get-profile", "header x-request-id", NOISE),
    ("slack-files-upload", "parts", "a file is a plain field"),
    ("twilio-send-message", "path", VARIABLE),
    ("twilio-start-verification", "path", VARIABLE),
    ("upload-avatar-form", "parts", "a file is a plain field"),
    ("upload-put-file", "header content-type", "a tool sends one for every body"),
];

/// A command of the corpus.
struct DocumentedCommand {
    name: String,
    text: String,
}

impl DocumentedCommand {
    fn read_all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/corpus");
        let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut commands: Vec<Self> = paths
            .filter(|path| path.extension().is_some_and(|extension| extension == "curl"))
            .map(|path| Self {
                name: path.file_stem().unwrap().to_string_lossy().into_owned(),
                text: std::fs::read_to_string(&path).unwrap(),
            })
            .collect();
        commands.sort_by(|one, other| one.name.cmp(&other.name));
        commands
    }

    /// The command with `http` instead of `https` in the URL of its request, because the upstream is a proxy without
    /// TLS. The first URL with the host of the tool is the URL of the request.
    fn bash_command(&self, draft: &Members) -> String {
        let endpoint_url: String = serde_json::from_str(draft["endpoint_url"].get()).unwrap();
        let (_, rest) = endpoint_url.split_once("://").unwrap();
        let host = rest.split(['/', '?']).next().unwrap();
        let is_request = |after: &&str| {
            let authority = after.split(['/', '?', '"', '\'', ' ', '\n']).next().unwrap_or_default();
            authority.rsplit('@').next() == Some(host)
        };
        let url = self.text.split("https://").skip(1).find(is_request);
        url.map_or_else(
            || self.text.clone(),
            |url| self.text.replacen(&format!("https://{url}"), &format!("http://{url}"), 1),
        )
    }

    /// The shell variables of the command. Each has its own name as its value, as in an imported command.
    fn variables(&self) -> Vec<(String, String)> {
        let names = self.text.split('$').skip(1).map(|after| {
            let is_braced = after.starts_with('{');
            let is_part_of_name = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
            let name: String = after.trim_start_matches('{').chars().take_while(is_part_of_name).collect();
            let typed = if is_braced { format!("${{{name}}}") } else { format!("${name}") };
            (name, typed)
        });
        names.filter(|(name, _)| !name.is_empty()).collect()
    }

    /// The files that the command reads. Each has `@` and its own name as its content, as in an imported command.
    fn files(&self) -> Vec<(String, String)> {
        let words = self.text.split(['@', ' ', '"', '\'', '\n']).map(|word| word.split(';').next().unwrap_or_default());
        let is_file_name = |word: &&str| {
            word.contains('.')
                && word.starts_with(|c: char| c.is_ascii_alphanumeric())
                && word.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        };
        words.filter(is_file_name).map(|name| (name.to_owned(), format!("@{name}"))).collect()
    }

    fn accepted_differences(&self) -> BTreeSet<String> {
        ACCEPTED_DIFFERENCES
            .iter()
            .filter(|(name, ..)| *name == self.name)
            .map(|(_, difference, _)| (*difference).to_owned())
            .collect()
    }
}

/// Checks the commands; returns the failures.
async fn check_all(worker: &ImportWorker, commands: impl Iterator<Item = &DocumentedCommand>) -> Vec<String> {
    let mut failures = Vec::new();
    for command in commands {
        if let Err(reason) = check(worker, command).await {
            failures.push(format!("{}\n{}\n  {reason}\n", command.name, command.text));
        }
    }
    failures
}

/// Fails unless the two requests differ exactly as declared.
async fn check(worker: &ImportWorker, command: &DocumentedCommand) -> Result<(), String> {
    let draft = worker.import(&command.text).await?;
    if NOT_SENT.iter().any(|(name, _)| *name == command.name) {
        let is_invalid = draft.get("warnings").is_some_and(|warnings| warnings.get().contains("cannot be saved"));
        if !is_invalid {
            worker.delete(worker.save(&draft).await?).await;
        }
        return Ok(());
    }
    let curl = curl_request(worker, command, &draft).await?;
    let tool = worker.call_tool(&draft).await?;
    let mut actual = differences(&curl, &tool, body_kind(&draft));
    // A tool sends the host of the upstream; curl sends the second header to its proxy.
    actual.retain(|difference| difference != "header host" && difference != "header proxy-connection");
    // A tool escapes more characters of arguments than curl; the decoded paths must be equal.
    if decoded_path(curl.path()) == decoded_path(tool.path()) {
        actual.remove("path");
    }
    let expected = command.accepted_differences();
    if actual == expected {
        return Ok(());
    }
    Err(format!("differences: {actual:?}; expected: {expected:?}\n  curl: {curl:?}\n  tool: {tool:?}"))
}

/// The first request that the real curl sends.
async fn curl_request(
    worker: &ImportWorker,
    command: &DocumentedCommand,
    draft: &Members,
) -> Result<ReceivedRequest, String> {
    let hits = worker.upstream.request_count();
    let (text, files, variables) = (command.bash_command(draft), command.files(), command.variables());
    let output = real_curl::run_proxied(&text, &files, &variables, &worker.address()).await;
    let request = worker.requests_since(hits).into_iter().next();
    let mut request =
        request.ok_or_else(|| format!("curl sent nothing: {}", String::from_utf8_lossy(&output.stderr)))?;
    request.target = without_origin(&request.target).to_owned();
    Ok(request)
}

/// The path and query of a target for a proxy.
fn without_origin(target: &str) -> &str {
    let after_scheme = target.split_once("://").map_or(target, |(_, after)| after);
    after_scheme.find('/').and_then(|start| after_scheme.get(start..)).unwrap_or("/")
}

#[tokio::test]
async fn the_tool_of_a_documented_command_is_saved_unchanged_and_sends_what_the_command_sends() {
    if !real_curl::is_installed().await {
        return;
    }
    let app = toolgate().start();
    let workers = join_all((0..WORKERS).map(|_| ImportWorker::new(&app))).await;
    let commands = DocumentedCommand::read_all();
    assert!(commands.len() >= COMMANDS_MIN, "only {} commands were found", commands.len());
    let share = |first: usize| commands.iter().skip(first).step_by(WORKERS);
    let failures = join_all(workers.iter().enumerate().map(|(first, worker)| check_all(worker, share(first)))).await;
    let failures = failures.concat();
    assert!(
        failures.is_empty(),
        "{} of {} commands failed:\n\n{}",
        failures.len(),
        commands.len(),
        failures.join("\n")
    );
}
