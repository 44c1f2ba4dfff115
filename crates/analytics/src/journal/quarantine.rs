//! Quarantine for damaged files of leftover journals. How many calls they have lost is unknown, so they are stored next
//! to the journals for inspection; the oldest are removed to limit their size.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Suffix of quarantined files.
const SUFFIX: &str = ".damaged";

/// A file that cannot be read completely.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DamagedFile {
    pub(super) path: PathBuf,
    /// Number of unreadable bytes.
    pub(super) bytes: u64,
}

/// Quarantines damaged files of a journal, and logs them. All quarantined files together use at most `max_bytes`.
pub(crate) fn quarantine_files(folder: &Path, damaged: &[DamagedFile], max_bytes: u64) {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for DamagedFile { path, bytes } in damaged {
        let target = folder.with_file_name(format!("{}-{}{SUFFIX}", name(folder), name(path)));
        let quarantined = link_or_copy(path, &target).then(|| target.display().to_string());
        tracing::error!(
            path = %path.display(),
            bytes,
            quarantined,
            "a file of the call journal is damaged: an unknown number of calls is lost for analytics"
        );
    }
    if !damaged.is_empty()
        && let Some(journals) = folder.parent()
        && let Err(error) = remove_oldest(journals, max_bytes)
    {
        tracing::warn!(%error, "cannot remove quarantined files of call journals");
    }
}

/// Links a file under a new name, because its journal is removed after ingest; copies it where links are not supported.
/// Returns false for an empty or missing file, and on failure.
fn link_or_copy(path: &Path, target: &Path) -> bool {
    let has_content = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
    has_content && (target.exists() || fs::hard_link(path, target).is_ok() || fs::copy(path, target).is_ok())
}

/// Removes the oldest quarantined files until the rest use at most `max_bytes`.
fn remove_oldest(journals: &Path, max_bytes: u64) -> io::Result<()> {
    let mut quarantined: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in fs::read_dir(journals)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        if metadata.is_file() && entry.file_name().to_string_lossy().ends_with(SUFFIX) {
            quarantined.push((metadata.modified()?, metadata.len(), entry.path()));
        }
    }
    quarantined.sort_unstable();
    let mut bytes: u64 = quarantined.iter().map(|(_, bytes, _)| bytes).sum();
    for (_, file_bytes, path) in quarantined {
        if bytes <= max_bytes {
            break;
        }
        fs::remove_file(path)?;
        bytes -= file_bytes;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_files_are_removed_beyond_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let (journals, journal) = (folder.path(), folder.path().join("a"));
        fs::create_dir(&journal).unwrap();
        fs::write(journals.join("other"), [0; 500]).unwrap();
        for number in 1..=4_u64 {
            let path = journal.join(number.to_string());
            fs::write(&path, [7; 100]).unwrap();
            let modified_at = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(number);
            fs::File::options().append(true).open(&path).unwrap().set_modified(modified_at).unwrap();
            let damaged = [DamagedFile { path: path.clone(), bytes: 3 }];
            quarantine_files(&journal, &damaged, 250);
            quarantine_files(&journal, &damaged, 250);
            fs::remove_file(path).unwrap();
        }
        let mut names: Vec<_> = fs::read_dir(journals).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["a", "a-3.damaged", "a-4.damaged", "other"]);
        assert_eq!(fs::read(journals.join("a-4.damaged")).unwrap(), [7; 100]);
    }
}
