//! Tool calls end to end: the real binary between a caller and an upstream, over real sockets.

mod setup;

mod api_key_locations;
mod bodies;
mod cache;
mod concurrency_limit;
mod constants;
mod content;
mod credentials;
mod cross_talk;
mod disconnect;
mod failures;
mod files;
mod headers;
mod host_names;
mod hostile;
mod input_required;
mod mapping;
mod mcp_results;
mod oauth2;
mod path_values;
mod rate_limit;
mod records;
mod retries;
mod secrecy;
mod server_credentials;
mod shaping;
mod ssrf;
mod structured;
mod test_credentials;
mod test_runs;
mod tool_listing;
