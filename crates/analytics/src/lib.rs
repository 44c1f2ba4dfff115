//! What happened: recording calls and reporting on them.

mod overview;

pub use overview::{Overview, overview};
