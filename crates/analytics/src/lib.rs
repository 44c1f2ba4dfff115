//! Recording of tool calls, and reports on them.

mod access_counters;
mod call_counters;
mod call_export;
mod event;
mod ingest;
mod ingest_counters;
mod journal;
mod recorder;
mod recording_state;
mod reports;
mod retention;
#[cfg(test)]
mod sample;
mod tool_counters;
mod wake_signal;

pub use access_counters::{AccessCounters, KeyLastUse, RefusalCounts};
pub use call_counters::CallTotals;
pub use call_export::{CallExport, ExportedCall};
pub use event::{ActivityEvent, ClientConnected};
pub use recorder::{Recorder, RecorderConfig, RecorderOpenError};
pub use recording_state::{RecordingState, RecordingStats};
pub use reports::{
    ClientUsage, Interval, KEY_ROLLUPS_MAX, KeysQuery, Overview, POINTS_MAX, Point, ROLLUPS_MAX, SERVER_DAYS_MAX,
    SERVERS_MAX, ServerUsage, TOOLS_MAX, TimeseriesQuery, TooManyPoints, ToolsQuery, client_breakdown, keys, overview,
    servers, timeseries, tools,
};
pub use tool_counters::{OTHER_TOOLS, ToolCallTotals, ToolCalls, ToolCounters};
