//! Creates the call recorder from the settings.

use std::sync::Arc;

use anyhow::Context;
use toolgate_analytics::Recorder;
use toolgate_domain::time::Clock;
use toolgate_storage::Storage;

use crate::data_dir::DataDir;
use crate::settings::{Settings, Switch};
use crate::workers;

/// Opens the journals, and starts to ingest their calls into the database.
pub(crate) async fn open(
    settings: &Settings,
    storage: &Arc<dyn Storage>,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<Arc<Recorder>> {
    if settings.recording == Switch::Off {
        return Ok(Recorder::disabled());
    }
    let config = toolgate_analytics::RecorderConfig {
        folder: DataDir::new(&settings.data_dir).journal_dir(),
        journal_max_bytes: u64::from(settings.journal_max_mib) * 1024 * 1024,
        retention_days: settings.retention_days,
        storage: Arc::<dyn Storage>::clone(storage),
        clock: Arc::clone(clock),
        threads: workers::count(),
        journal_number: getrandom::u64().context("the operating system provided no random bytes")?,
    };
    Ok(Recorder::open(config).await?)
}
