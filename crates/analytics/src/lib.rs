//! What happened: recording calls and reporting on them.

mod event;
mod overview;
mod recorder;

pub use event::{ClientConnected, Event};
pub use overview::{Overview, overview};
pub use recorder::{Config, OpenError, Recorder, RecordingState};
