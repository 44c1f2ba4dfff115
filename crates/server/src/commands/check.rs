//! `toolgate check`: is the database sound?

use anyhow::bail;
use toolgate_storage::Storage;

use super::print;
use crate::database;
use crate::settings::Settings;

/// Looks through the whole database; fails, with a line for each problem, when it finds any.
pub(crate) async fn check(settings: &Settings) -> anyhow::Result<()> {
    let storage = database::open_existing(settings).await?;
    let problems = storage.check().await?;
    storage.close().await;
    if problems.is_empty() {
        return print("The database is sound.");
    }
    for problem in &problems {
        print(problem)?;
    }
    bail!("the database has {} problems; restore a backup, or report this", problems.len())
}
