//! Recording of tool calls, and reports on them.

mod access_counters;
mod event;
mod ingest;
mod journal;
mod recorder;
mod recording_state;
mod reports;
mod retention;
#[cfg(test)]
mod sample;
mod wake_signal;

pub use access_counters::{AccessCounters, KeyLastUse, RefusalCounts};
pub use event::{ActivityEvent, ClientConnected};
pub use recorder::{Recorder, RecorderConfig, RecorderOpenError};
pub use recording_state::RecordingState;
pub use reports::{
    ClientUsage, Interval, KEY_ROLLUPS_MAX, KeysQuery, Overview, POINTS_MAX, Point, ROLLUPS_MAX, SERVER_DAYS_MAX,
    SERVERS_MAX, ServerUsage, TOOLS_MAX, TimeseriesQuery, TooManyPoints, ToolsQuery, client_breakdown, keys, overview,
    servers, timeseries, tools,
};
