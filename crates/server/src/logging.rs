//! Logging to stderr: stdout is for the banner and the output of commands.

mod node_writer;

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::Subscriber;

use crate::settings::{LogFormat, Settings};
use node_writer::NodeWriter;

/// Default levels of verbose libraries; the filter setting can override them.
const LIBRARY_LEVELS: &str = "sqlx=warn,hyper=warn,hyper_util=warn,h2=warn,tower=warn,rustls=warn";

/// Starts logging, and logs panics, which would otherwise bypass the log format.
pub(crate) fn start(settings: &Settings) {
    let filter = EnvFilter::new(format!("{LIBRARY_LEVELS},{}", settings.log));
    // A failed write to the log must not stop the service: by default tracing prints the error to stderr, and panics
    // if that fails too.
    let log = Subscriber::builder().with_env_filter(filter).log_internal_errors(false);
    let started = match settings.log_format {
        LogFormat::Text => log.with_writer(std::io::stderr).with_ansi(use_colors()).try_init(),
        LogFormat::Json => {
            let writer = NodeWriter::new(&settings.node_name());
            log.with_writer(writer).json().flatten_event(true).with_ansi(false).try_init()
        }
    };
    if started.is_ok() {
        std::panic::set_hook(Box::new(|panic| {
            let location = panic.location().map(ToString::to_string);
            let message = panic.payload_as_str().unwrap_or("no message");
            tracing::error!(location, "panicked: {message}");
        }));
    }
}

fn use_colors() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
