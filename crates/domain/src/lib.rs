//! The domain model of Toolgate: entities and their validation rules, without I/O and without async.
//!
//! Constructors of these types validate their input, so that the other crates handle only valid values.

pub mod api_document;
pub mod api_key;
pub mod audit;
pub mod call;
pub mod capture;
pub mod change;
pub mod client_profile;
pub mod client_type;
pub mod closed_set;
pub mod data_source;
pub mod discovery;
pub mod endpoint_url;
pub mod fault;
pub mod headers;
pub mod host;
pub mod ids;
pub mod json;
pub mod lenient;
pub mod media_type;
pub mod member;
pub mod overlay_edit;
mod owner_fields;
pub mod page;
pub mod parameters;
pub mod prompt;
pub mod prompt_template;
pub mod refusal;
pub mod resource;
pub mod secrets;
pub mod server;
pub mod server_credential;
pub mod settings;
pub mod shaping;
pub mod slug;
pub mod sync;
pub mod text;
pub mod time;
pub mod tokens;
pub mod tool;
pub mod tool_import;
pub mod upstream_auth;
pub mod uri_template;
pub mod usage;
pub mod user;
pub mod wp_query;
