//! Black-box tests of the management API: the real binary over real sockets, on both databases.

mod assertions;

mod addresses;
mod analytics;
mod bodies;
mod cors;
mod errors;
mod ids;
mod import_api;
mod import_curl;
mod import_curl_inert;
mod import_patterns;
mod lists;
mod manifests;
mod methods;
mod openapi;
mod python_client;
mod races;
mod replies;
mod round_trips;
mod schemathesis;
mod server_copies;
mod server_fields;
mod server_settings;
mod server_toggle;
mod servers;
mod service;
mod tool_copies;
mod tool_credentials;
mod tool_documents;
mod tool_fields;
mod tool_headers;
mod tool_lists;
mod tool_order;
mod tools;
mod unknown_fields;
