//! What happened: recording calls and reporting on them.

mod overview;
mod recorder;

pub use overview::{Overview, overview};
pub use recorder::Recorder;
