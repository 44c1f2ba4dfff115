//! Arguments of a request: their declaration, their encoding, and their typed values.

mod arg;
mod args;
mod body;
mod coerce;
mod pairs;

pub(crate) use arg::{Arg, ArgKind, ArgLocation, Items};
pub(crate) use args::Args;
pub(crate) use body::{BODY_MAX, Inputs, read_body};
