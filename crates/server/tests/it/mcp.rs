//! Black-box tests of the MCP endpoint: its behaviour by topic, then the official conformance suite and common clients
//! against the real binary with an upstream.
//!
//! `scripts/mcp-clients` installs the suite and the clients and prints their folder. If `TOOLGATE_MCP_CLIENTS` does not
//! name that folder, their tests are skipped with a message on stderr; with `CI=true` they fail.

mod batches;
mod bodies;
mod call_progress;
mod client_profiles;
mod client_programs;
mod completion;
mod conformance;
mod document_clients;
mod eras;
mod error_texts;
mod external_issuer_clients;
mod freshness;
mod inspector;
mod inspector_sign_in;
mod key_limits;
mod keys;
mod management;
mod messages;
mod model_experience;
mod modern_checks;
mod notification_delay;
mod origins;
mod param_headers;
mod prompts;
mod real_clients;
mod resource_sources;
mod resources;
mod results;
mod running_program;
mod rust_client;
mod server_lookup;
mod session_streams;
mod sessions;
mod signed_in_clients;
mod specification;
mod stream_ends;
mod subscriptions;
mod tool_names;
mod tool_search;
mod weather;
