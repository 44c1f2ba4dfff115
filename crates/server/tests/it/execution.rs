//! One tool call from outside, from its arguments to its result: the real binary between a caller and an upstream,
//! each over real sockets.

mod setup;

mod bodies;
mod content;
mod credentials;
mod failures;
mod headers;
mod mapping;
mod oauth2;
mod path_values;
mod secrecy;
mod structured;
