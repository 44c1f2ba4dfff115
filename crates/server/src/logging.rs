//! The log, on stderr: stdout belongs to the banner and to what commands print.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::Subscriber;

use crate::settings::{LogFormat, Settings};

/// Libraries that talk much; whoever wants to hear them names them in the filter.
const LIBRARY_LEVELS: &str = "sqlx=warn,hyper=warn,hyper_util=warn,h2=warn,tower=warn,rustls=warn";

/// Starts logging, panics included: those would otherwise be written past the log.
pub(crate) fn start(settings: &Settings) {
    let filter = EnvFilter::new(format!("{LIBRARY_LEVELS},{}", settings.log));
    // A log that cannot be written is no reason to stop: by default the failure itself would be printed, and panic.
    let log = Subscriber::builder().with_env_filter(filter).with_writer(std::io::stderr).log_internal_errors(false);
    let started = match settings.log_format {
        LogFormat::Text => log.with_ansi(use_colors()).try_init(),
        LogFormat::Json => log.json().flatten_event(true).with_ansi(false).try_init(),
    };
    if started.is_ok() {
        std::panic::set_hook(Box::new(|panic| {
            let place = panic.location().map(ToString::to_string);
            let message = panic.payload_as_str().unwrap_or("a panic without a message");
            tracing::error!(place, "panicked: {message}");
        }));
    }
}

fn use_colors() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
