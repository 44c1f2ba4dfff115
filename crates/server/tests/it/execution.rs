//! One tool call from outside, from its arguments to its result: the real binary between a caller and an upstream,
//! each over real sockets.

mod setup;

mod bodies;
mod cache;
mod content;
mod credentials;
mod cross_talk;
mod described;
mod disconnect;
mod failures;
mod hanging;
mod headers;
mod hostile;
mod mapping;
mod mcp_results;
mod names;
mod oauth2;
mod path_values;
mod questions;
mod rate_limit;
mod records;
mod retries;
mod secrecy;
mod ssrf;
mod structured;
mod test_credentials;
mod test_runs;
