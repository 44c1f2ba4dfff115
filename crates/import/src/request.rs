//! The parts of an imported HTTP request.

pub(crate) mod body;
pub(crate) mod form_data;
pub(crate) mod path;
