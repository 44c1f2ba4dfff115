//! Runs every command of the corpus with the real curl, imports it, saves it as a tool and calls the tool. The upstream
//! must receive the same request from both.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use toolgate_testkit::upstream::ReceivedRequest;

use super::accepted_differences::TRANSPORT_HEADERS;
use super::comparison::differences;
use super::corpus::{self, CurlCase};
use super::import_worker::{ImportWorker, body_kind};
use super::real_curl;
use crate::toolgate;

/// Guards against a corpus that is not found or only partly parsed.
const CASES_MIN: usize = 500;
/// Number of concurrent workers.
const WORKERS: usize = 4;

/// Checks the cases; returns the failures.
async fn check_all(worker: &ImportWorker, cases: impl Iterator<Item = &CurlCase>) -> Vec<String> {
    let mut failures = Vec::new();
    for case in cases {
        if let Err(reason) = check(worker, case).await {
            failures.push(format!("{case}\n{}\n  {reason}\n", case.pasted_text(&worker.address())));
        }
    }
    failures
}

/// Fails unless the two requests differ exactly as the case declares.
async fn check(worker: &ImportWorker, case: &CurlCase) -> Result<(), String> {
    let curl_requests = run_curl(worker, case).await?;
    let draft = worker.import(&case.pasted_text(&worker.address())).await?;
    let tool_request = worker.call_tool(&draft).await?;
    let mut actual = differences(&curl_requests[0], &tool_request, body_kind(&draft));
    if curl_requests.len() > 1 {
        actual.insert("requests".to_owned());
    }
    let expected: BTreeSet<String> = case.accepted_differences.keys().cloned().collect();
    let (unexpected, missing) = (actual.difference(&expected), expected.difference(&actual));
    let (unexpected, missing): (Vec<_>, Vec<_>) = (unexpected.collect(), missing.collect());
    if unexpected.is_empty() && missing.is_empty() {
        return Ok(());
    }
    let requests = format!("  curl: {:?}\n  tool: {tool_request:?}", curl_requests[0]);
    Err(format!("unexpected differences: {unexpected:?}; missing differences: {missing:?}\n{requests}"))
}

/// The requests that the real curl sends.
async fn run_curl(worker: &ImportWorker, case: &CurlCase) -> Result<Vec<ReceivedRequest>, String> {
    let hits = worker.upstream.request_count();
    let output = real_curl::run(case, &worker.address()).await;
    let requests = worker.requests_since(hits);
    let reason = || format!("curl sent nothing: {}", String::from_utf8_lossy(&output.stderr));
    if requests.is_empty() { Err(reason()) } else { Ok(requests) }
}

#[tokio::test]
async fn a_tool_sends_what_its_curl_command_sends() {
    if !real_curl::is_installed().await {
        return;
    }
    let app = toolgate().start();
    let workers = join_all((0..WORKERS).map(|_| ImportWorker::new(&app))).await;
    let cases = corpus::cases();
    let share = |first: usize| cases.iter().skip(first).step_by(WORKERS);
    let failures =
        join_all(workers.iter().enumerate().map(|(first, worker)| check_all(worker, share(first)))).await.concat();
    assert!(failures.is_empty(), "{} of {} commands failed:\n\n{}", failures.len(), cases.len(), failures.join("\n"));
    let sent: Vec<ReceivedRequest> = workers.iter().flat_map(|worker| worker.upstream.requests()).collect();
    for name in TRANSPORT_HEADERS {
        let is_sent = sent.iter().any(|request| !request.header_values(name).is_empty());
        assert!(is_sent, "no request has the header {name}, so it need not be tolerated");
    }
    assert!(cases.len() >= CASES_MIN, "only {} commands were run", cases.len());
}
