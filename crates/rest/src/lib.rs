//! The management API, in the manner of WordPress's REST API.
//!
//! One table of routes says everything about a route: path, method, rights, arguments, reply. The
//! dispatcher reads it to route, authenticate and check; `OPTIONS`, the namespace index and the OpenAPI
//! document are printed from it. So what is documented is what is done.

mod aside;
mod base_url;
mod call;
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
mod lasting;
mod openapi;
mod params;
mod reply;
mod room;
mod route;
mod router;
mod routes;
mod wire;

pub use base_url::{BaseUrl, Peer};
pub use config::Config;
pub use demo::{Added, Demo, DemoError, DemoMarker};
pub use router::{Parts, router};
