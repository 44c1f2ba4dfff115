//! The MCP endpoint from outside: what it promises, topic by topic, then the official conformance suite and the
//! clients that people use, against the real binary, with an upstream behind it.
//!
//! Suite and clients are installed by `scripts/mcp-clients`, which names their folder; without it their tests are
//! left out with a word on stderr, except under `CI=true`.

mod batches;
mod bodies;
mod completion;
mod conformance;
mod doors;
mod endpoint;
mod eras;
mod following;
mod freshness;
mod inspector;
mod installed;
mod keys;
mod listening;
mod messages;
mod modern_checks;
mod notice;
mod origins;
mod owner;
mod param_headers;
mod prompts;
mod real_clients;
mod resource_sources;
mod resources;
mod results;
mod rust_client;
mod seed;
mod session_streams;
mod sessions;
mod stream_ends;
mod tool_names;
mod weather;
