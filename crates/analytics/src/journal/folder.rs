//! Journal folders: created at start, found after earlier starts, removed after ingest.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use toolgate_domain::time::Timestamp;
use toolgate_storage::JournalId;

use super::quarantine::DamagedFile;
use super::segment::{self, JournalSegment, OpenedSegment};

/// Name of the lock file.
const LOCK_FILE: &str = "lock";
/// Suffix of the file that marks the end of a journal.
const END_SUFFIX: &str = ".end";

/// The name of a journal and its folder. The number of the first journal of a start is random, those of the others
/// follow it.
pub(super) fn name(journal_number: u64) -> String {
    format!("{journal_number:016x}")
}

/// Creates the folder of a journal and locks it.
pub(super) fn create(journals: &Path, id: &JournalId) -> io::Result<(PathBuf, File)> {
    match try_create(journals, id) {
        // Another process took the folder for a leftover one before it was locked, and removed it. Creating a folder
        // that exists, but is removed before the standard library looks at it, fails with `AlreadyExists`.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists) => {
            try_create(journals, id)
        }
        created => created,
    }
}

/// Creates the missing folder of a journal again, and locks it.
pub(super) fn restore(folder: &Path, id: &JournalId) -> io::Result<File> {
    let journals = folder.parent().ok_or(io::ErrorKind::NotFound)?;
    create(journals, id).map(|(_, lock)| lock)
}

fn try_create(journals: &Path, id: &JournalId) -> io::Result<(PathBuf, File)> {
    let folder = journals.join(&id.0);
    // Created under a temporary name and renamed when it is locked: otherwise another process might take it for a
    // leftover journal.
    let temporary = journals.join(format!(".{}", id.0));
    DirBuilder::new().recursive(true).mode(0o700).create(&temporary)?;
    let lock = open_lock(&temporary)?;
    match lock.lock() {
        // Some network file systems have no locks; there the operator must run one process at a time.
        Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
        _ => {}
    }
    fs::rename(&temporary, &folder)?;
    Ok((folder, lock))
}

fn open_lock(folder: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(folder.join(LOCK_FILE))
}

/// The journal of a process that has ended; locked by this process.
#[derive(Debug)]
pub(crate) struct LeftoverJournal {
    /// Its id.
    pub(crate) id: JournalId,
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// Modification time of its first segment.
    pub(crate) modified_at: SystemTime,
    /// Prevents other processes from ingesting it.
    _lock: File,
}

/// The journals that [`find_leftover_journals`] found.
#[derive(Debug, Default)]
pub(crate) struct FoundJournals {
    /// Journals of processes that have ended.
    pub(crate) leftovers: Vec<LeftoverJournal>,
    /// The names of journals that cannot be locked, each with the cause.
    pub(crate) inaccessible: Vec<(String, io::Error)>,
}

/// Journals of processes that have ended, except those for which `is_known` returns true. Removes folders that were
/// never renamed from their temporary names.
pub(crate) fn find_leftover_journals(journals: &Path, is_known: impl Fn(&str) -> bool) -> io::Result<FoundJournals> {
    let mut found = FoundJournals::default();
    for name in entry_names(journals)? {
        let folder = journals.join(&name);
        if name.strip_prefix('.').is_some_and(is_journal_name) {
            remove_temporary(&folder);
        } else if is_journal_name(&name) && !is_known(&name) {
            match try_lock(&folder) {
                Ok(Some(lock)) => {
                    let modified_at = first_segment_modified_at(&folder).unwrap_or(SystemTime::UNIX_EPOCH);
                    found.leftovers.push(LeftoverJournal { id: JournalId(name), folder, modified_at, _lock: lock });
                }
                Ok(None) => {}
                Err(error) => found.inaccessible.push((name, error)),
            }
        }
    }
    Ok(found)
}

/// Modification time of the first segment in a folder.
fn first_segment_modified_at(folder: &Path) -> Option<SystemTime> {
    let first = *segment_files(folder).ok()?.first()?;
    fs::metadata(segment::path(folder, first)).ok()?.modified().ok()
}

/// Removes the folder of a process that was killed while creating it.
fn remove_temporary(folder: &Path) {
    if let Ok(Some(_lock)) = try_lock(folder)
        && let Err(error) = remove_folder(folder)
    {
        tracing::warn!(folder = %folder.display(), %error, "cannot remove a folder of the call journal");
    }
}

/// Whether a folder has a name that [`name`] returns.
fn is_journal_name(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Locks a folder; `None` if another process holds the lock or has removed the folder. On file systems without locks it
/// always succeeds. Creates the lock file if an interrupted removal has deleted it.
fn try_lock(folder: &Path) -> io::Result<Option<File>> {
    let lock = match open_lock(folder) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        opened => opened?,
    };
    match lock.try_lock() {
        // The previous holder may have removed the folder.
        Ok(()) => Ok(folder.join(LOCK_FILE).exists().then_some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Some(lock)),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The files of a leftover journal.
#[derive(Debug)]
pub(crate) enum LoadedJournal {
    /// No segments.
    Empty,
    /// Segments, the number of the record after the last one, and damaged files with an unknown number of records.
    Readable(Vec<JournalSegment>, u64, Vec<DamagedFile>),
    /// Segments written by a newer version of Toolgate.
    NewerVersion,
}

/// Reads the folder of a leftover journal.
pub(crate) fn load(folder: &Path) -> io::Result<LoadedJournal> {
    let (files, marked_end) = (segment_files(folder)?, marked_end(folder)?);
    if files.is_empty() && marked_end.is_none() {
        return Ok(LoadedJournal::Empty);
    }
    let (mut segments, mut damaged) = (Vec::new(), Vec::new());
    for number in files {
        let path = segment::path(folder, number);
        let metadata = fs::symlink_metadata(&path).map_err(|error| segment::with_path(&path, &error))?;
        let (bytes, written_at) = (metadata.len(), modified_at(&metadata));
        match segment::open(&path, bytes)? {
            OpenedSegment::Readable(first, _) => {
                segments.push(JournalSegment { number, first, end: first, bytes, written_at });
            }
            OpenedSegment::Corrupt => damaged.push(DamagedFile { path, bytes }),
            OpenedSegment::NewerVersion => return Ok(LoadedJournal::NewerVersion),
        }
    }
    let end = set_ends(folder, &mut segments, &mut damaged)?;
    Ok(LoadedJournal::Readable(segments, end.max(marked_end.unwrap_or(0)), damaged))
}

fn modified_at(metadata: &Metadata) -> Timestamp {
    let since_epoch = metadata.modified().ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    Timestamp::from_millis(since_epoch.map_or(0, |time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX)))
}

/// Sets the end of each segment to the start of the next one; only the last segment must be read to find its end.
/// Returns the end of the journal.
fn set_ends(folder: &Path, segments: &mut [JournalSegment], damaged: &mut Vec<DamagedFile>) -> io::Result<u64> {
    let mut next = None;
    for segment in segments.iter_mut().rev() {
        segment.end = match next {
            Some(first) => first,
            None => segment.first + count_frames(folder, segment, damaged)?,
        };
        next = Some(segment.first);
    }
    Ok(segments.last().map_or(1, |segment| segment.end))
}

fn count_frames(folder: &Path, segment: &JournalSegment, damaged: &mut Vec<DamagedFile>) -> io::Result<u64> {
    let path = segment.path(folder);
    let OpenedSegment::Readable(_, mut frames) = segment::open(&path, segment.bytes)? else { return Ok(0) };
    let mut count = 0;
    while frames.next()?.is_some() {
        count += 1;
    }
    let bytes = segment.bytes - frames.offset();
    damaged.extend((bytes > 0).then_some(DamagedFile { path, bytes }));
    Ok(count)
}

/// Stores that the journal ends before record `end`. The number is in the name of an empty file, because the disk may
/// be full.
pub(super) fn mark_end(folder: &Path, end: u64) -> io::Result<()> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(folder.join(format!("{end}{END_SUFFIX}")))?;
    Ok(())
}

fn marked_end(folder: &Path) -> io::Result<Option<u64>> {
    Ok(entry_names(folder)?.iter().filter_map(|name| name.strip_suffix(END_SUFFIX)?.parse().ok()).max())
}

/// Removes all segments and end marks of a journal.
pub(crate) fn remove_segments(folder: &Path) -> io::Result<()> {
    for name in entry_names(folder)? {
        if segment::number_of(&name).is_some() || name.ends_with(END_SUFFIX) {
            remove_entry(&folder.join(name))?;
        }
    }
    Ok(())
}

fn remove_entry(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

/// Removes the folder of a journal. The lock file is removed last, so that no other process can lock the folder before
/// that.
pub(crate) fn remove_folder(folder: &Path) -> io::Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() != LOCK_FILE {
            remove_entry(&entry.path())?;
        }
    }
    fs::remove_file(folder.join(LOCK_FILE))?;
    match fs::remove_dir(folder) {
        // Another process has created a lock file since then; it removes the folder.
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        removed => removed,
    }
}

/// Numbers of the segments in a folder, in order.
fn segment_files(folder: &Path) -> io::Result<Vec<u64>> {
    let mut numbers: Vec<u64> = entry_names(folder)?.iter().filter_map(|name| segment::number_of(name)).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Names of the entries of a folder; empty if the folder does not exist.
fn entry_names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry?.file_name().into_string());
    }
    Ok(names)
}
