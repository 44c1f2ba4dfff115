//! The management API, modelled on WordPress's REST API.
//!
//! The route table holds everything about a route: path, method, access, arguments, reply. The dispatcher uses it to
//! route, authenticate and validate; `OPTIONS`, the namespace index and the OpenAPI document are generated from it, so
//! the documentation matches the behaviour.

mod access;
mod base_url;
mod blocking;
mod capitalize;
mod components;
mod concurrency_limit;
mod config;
mod context;
mod cors;
mod credential;
mod csv;
mod demo;
mod dispatch;
mod envelope;
mod error;
mod fields;
mod index;
mod key_changes;
mod key_revalidation;
mod openapi;
mod params;
mod reply;
mod reply_object;
mod request;
mod route;
mod router;
mod routes;
mod schema;
mod wire;

pub use base_url::BaseUrl;
pub use config::RestConfig;
pub use context::RestDependencies;
pub use demo::{Demo, DemoMarker, DemoServer};
pub use error::RestError;
pub use router::router;
