//! Arguments of a request: their declaration, their encoding, and their typed values.

mod arg;
mod args;
mod arguments;
mod body;
mod body_format;
mod coerce;
mod document_body;
mod ignored;
mod input;
mod items;
mod multipart;
mod nested;
mod pairs;
mod suggestion;
pub(crate) mod typed_arg;

pub(crate) use arg::{Arg, ArgKind, ArgLocation, Items};
pub(crate) use args::Args;
pub(crate) use arguments::{Arguments, arguments, patch_field};
pub(crate) use body::{Inputs, read_body};
pub(crate) use body_format::{BODY_MAX, BodyFormat};
pub(crate) use ignored::IgnoredFields;
pub(crate) use items::{integers, strings};
pub(crate) use nested::{read_create_arguments, read_update_arguments};
