//! What happened: recording calls and reporting on them.

mod event;
mod journal;
mod mover;
mod recorder;
mod reports;
mod retention;
#[cfg(test)]
mod sample;

pub use event::{ClientConnected, Event};
pub use recorder::{Config, OpenError, Recorder, RecordingState};
pub use reports::{
    ClientUsage, Interval, Overview, POINTS_MAX, Point, SERVER_DAYS_MAX, SERVERS_MAX, SUMS_MAX, Series, ServerUsage,
    TOOLS_MAX, TooManyPoints, ToolsQuery, client_breakdown, overview, servers, timeseries, tools,
};
