//! Files of found journals that cannot be read, or not to their end: nobody knows how many calls are behind that. They
//! are kept beside the journals for whoever wants to look into them, the newest of them, so that they take no more than
//! a part of the journals' room.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const ENDING: &str = ".damaged";

/// A file that cannot be read to its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Damaged {
    pub(super) path: PathBuf,
    /// How many bytes of it make no sense.
    pub(super) bytes: u64,
}

/// Keeps damaged files of the journal in a folder, and says what happened.
pub(crate) fn set_aside(folder: &Path, damaged: &[Damaged], max_bytes: u64) {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for Damaged { path, bytes } in damaged {
        let kept = folder.with_file_name(format!("{}-{}{ENDING}", name(folder), name(path)));
        let kept = keep(path, &kept).then(|| kept.display().to_string());
        tracing::error!(
            path = %path.display(),
            bytes,
            kept,
            "a file of the journal of calls is damaged: calls are lost for analytics, and nobody knows how many"
        );
    }
    if !damaged.is_empty()
        && let Some(journals) = folder.parent()
        && let Err(error) = make_room(journals, max_bytes)
    {
        tracing::warn!(%error, "cannot remove damaged files of journals of calls");
    }
}

/// A second name for a file: the first goes when the rest of its journal has been moved.
fn keep(path: &Path, kept: &Path) -> bool {
    let has_content = fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
    has_content && (kept.exists() || fs::hard_link(path, kept).is_ok() || fs::copy(path, kept).is_ok())
}

/// Removes the oldest of them until the others take no more than this.
fn make_room(journals: &Path, max_bytes: u64) -> io::Result<()> {
    let mut all: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in fs::read_dir(journals)? {
        let entry = entry?;
        let found = entry.metadata()?;
        if found.is_file() && entry.file_name().to_string_lossy().ends_with(ENDING) {
            all.push((found.modified()?, found.len(), entry.path()));
        }
    }
    all.sort_unstable();
    let mut bytes: u64 = all.iter().map(|(_, bytes, _)| bytes).sum();
    for (_, length, path) in all {
        if bytes <= max_bytes {
            break;
        }
        fs::remove_file(path)?;
        bytes -= length;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_files_are_kept_as_far_as_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        let (journals, journal) = (folder.path(), folder.path().join("a"));
        fs::create_dir(&journal).unwrap();
        fs::write(journals.join("other"), [0; 500]).unwrap();
        for number in 1..=4_u64 {
            let path = journal.join(number.to_string());
            fs::write(&path, [7; 100]).unwrap();
            let written = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(number);
            fs::File::options().append(true).open(&path).unwrap().set_modified(written).unwrap();
            let damaged = [Damaged { path: path.clone(), bytes: 3 }];
            set_aside(&journal, &damaged, 250);
            set_aside(&journal, &damaged, 250);
            fs::remove_file(path).unwrap();
        }
        let mut names: Vec<_> = fs::read_dir(journals).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["a", "a-3.damaged", "a-4.damaged", "other"]);
        assert_eq!(fs::read(journals.join("a-4.damaged")).unwrap(), [7; 100]);
    }
}
