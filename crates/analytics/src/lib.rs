//! What happened: recording calls and reporting on them.

mod event;
mod journal;
mod mover;
mod overview;
mod recorder;
mod retention;
#[cfg(test)]
mod sample;

pub use event::{ClientConnected, Event};
pub use overview::{Overview, overview};
pub use recorder::{Config, OpenError, Recorder, RecordingState};
