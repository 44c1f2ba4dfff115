//! Arguments of a request: what routes declare, how they travel, and what a handler reads.

mod arg;
mod args;
mod body;
mod coerce;
mod pairs;

pub(crate) use arg::{Arg, Items, Kind, Place};
pub(crate) use args::Args;
pub(crate) use body::{BODY_MAX, Inputs, read_body};
