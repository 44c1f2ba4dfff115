//! Imports descriptions of HTTP requests as draft tools.
//!
//! All functions are pure: no input makes this crate run a command, expand a variable, read a file or open a
//! connection.
//!
//! An importer such as [`curl`] parses its text into requests of the model in `request`. [`draft`] turns a request into
//! the configuration of a tool as it is; [`infer`] merges the requests of one endpoint and also infers arguments from
//! the path (`path_pattern`), their types (`shape`), names and descriptions (`naming`), by word lists (`tables`). These
//! modules do not depend on an importer.
//!
//! [`api`] reads descriptions of whole APIs (OpenAPI, Swagger, Postman, HAR) as candidates for tools.

pub mod api;
pub mod curl;
pub mod draft;
pub mod infer;
mod naming;
mod path_pattern;
mod placeholder;
mod request;
mod sensitivity;
mod shape;
mod spelling;
mod tables;
mod warnings;
