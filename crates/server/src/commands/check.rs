//! `toolgate check`: checks the integrity of the database.

use anyhow::bail;
use toolgate_storage::Storage;

use super::print;
use crate::database;
use crate::settings::Settings;

/// Checks the whole database; prints a line for each problem and fails if there are any.
pub(crate) async fn check(settings: &Settings) -> anyhow::Result<()> {
    let storage = database::open_existing(settings).await?;
    let problems = storage.check().await?;
    storage.close().await;
    if problems.is_empty() {
        return print("The database has no errors.");
    }
    for problem in &problems {
        print(problem)?;
    }
    bail!("the database has {} problems; restore a backup, or report a bug", problems.len())
}
