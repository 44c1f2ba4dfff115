//! Reads the requests that a browser recorded (HAR) as candidates: requests for one endpoint are examples of one tool.
//!
//! `choice` leaves out entries that are not calls of an API, `entry` reads a request, `session` separates the
//! credentials of the person who recorded it.

mod choice;
mod entry;
mod session;
#[cfg(test)]
mod tests;
mod tool;

use indexmap::IndexMap;
use serde_json::Value;

use crate::api::document::Document;
use crate::api::error::ApiError;
use crate::api::left_out::LeftOutReason;
use crate::api::options::ImportOptions;
use crate::api::pointer::Pointer;
use crate::api::report::{ApiImport, ApiInfo};
use crate::api::request_import::{self, RequestDocument};
use crate::api::request_tool::RequestTools;
use crate::infer;
use entry::HarRequest;
use session::RecordedSessions;

/// Maximum number of entries that are read.
const ENTRIES_MAX: usize = 5000;
/// Maximum number of requests from which one tool is made.
const EXAMPLES_MAX: usize = 1000;
/// Number of hosts whose requests are imported.
const HOSTS_MAX: usize = 3;

/// Reads the requests of a recording.
pub(super) fn read(document: Document, options: &ImportOptions, sha256: String) -> Result<ApiImport, ApiError> {
    let version = document.version();
    let Document { root, warnings, .. } = document;
    let text = |pointer: &str| root.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let about = RequestDocument {
        format: "har",
        version,
        info: ApiInfo::new(&text("/log/pages/0/title"), ""),
        sha256,
        warnings,
    };
    request_import::report(about, read_log(&root, options), options)
}

fn read_log(root: &Value, options: &ImportOptions) -> RequestTools {
    let mut read = RequestTools::default();
    let entries = root.pointer("/log/entries").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    read.operations = entries.len();
    read.left_out.add_many(LeftOutReason::EntryLimit, entries.len().saturating_sub(ENTRIES_MAX));
    let mut requests = read_entries(entries, &mut read);
    read.servers = busiest_hosts(&requests);
    let count = requests.len();
    requests.retain(|request| read.servers.contains(&request.origin));
    read.left_out.add_many(LeftOutReason::OtherHost, count - requests.len());
    add_tools(requests, options.base_url.as_deref(), &mut read);
    read
}

fn read_entries(entries: &[Value], read: &mut RequestTools) -> Vec<HarRequest> {
    let list = Pointer::root().member("log").member("entries");
    let mut requests = Vec::new();
    for (index, entry) in entries.iter().take(ENTRIES_MAX).enumerate() {
        if let Some(reason) = choice::reason_to_leave_out(entry) {
            read.left_out.add(reason);
            continue;
        }
        match HarRequest::read(entry, index) {
            Ok(request) => requests.push(request),
            Err(error) => read.problems.push(error.into_problem(&list.item(index))),
        }
    }
    requests
}

/// The origins with the most requests, in order of their number.
fn busiest_hosts(requests: &[HarRequest]) -> Vec<String> {
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for request in requests {
        *counts.entry(&request.origin).or_default() += 1;
    }
    // The sort is stable: origins with equal counts stay in the order of the document.
    counts.sort_by(|_, one, _, other| other.cmp(one));
    counts.into_keys().take(HOSTS_MAX).map(str::to_owned).collect()
}

/// Adds a tool for each endpoint. `base_url` replaces the hosts.
fn add_tools(requests: Vec<HarRequest>, base_url: Option<&str>, read: &mut RequestTools) {
    let has_several_hosts = read.servers.len() > 1;
    let sessions =
        RecordedSessions::collect(requests.iter().map(|request| (request.origin.as_str(), request.session())));
    let (sources, examples): (Vec<_>, Vec<_>) = requests.into_iter().map(HarRequest::split).unzip();
    for group in infer::infer_groups(examples, EXAMPLES_MAX) {
        read.left_out.add_many(LeftOutReason::ExampleLimit, group.ignored);
        if let Some(source) = sources.get(group.first) {
            let mut tool = tool::from_group(group.tool, source, &sessions, &mut read.credentials);
            if has_several_hosts {
                tool.tags.push(source.host().to_owned());
            }
            tool::set_base_url(&mut tool, base_url);
            read.tools.push(tool);
        }
    }
}
