//! The folders of journals: made for this start, found from earlier ones, removed once all they held has been moved.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use storage::JournalId;

use super::segment::{self, Opened, Segment};

const LOCK: &str = "lock";

/// The name of a start's journal and of its folder.
pub(super) fn name(boot: u64) -> String {
    format!("{boot:016x}")
}

/// Makes a journal's folder and locks it.
pub(super) fn create(journals: &Path, id: &JournalId) -> io::Result<(PathBuf, File)> {
    match try_create(journals, id) {
        // A process that looks for orphans took it for one before it was locked.
        Err(error) if error.kind() == io::ErrorKind::NotFound => try_create(journals, id),
        created => created,
    }
}

fn try_create(journals: &Path, id: &JournalId) -> io::Result<(PathBuf, File)> {
    let folder = journals.join(&id.0);
    // It gets its name once it is locked: else another process that looks for orphans might take it for one.
    let unnamed = journals.join(format!(".{}", id.0));
    DirBuilder::new().recursive(true).mode(0o700).create(&unnamed)?;
    let lock = open_lock(&unnamed)?;
    match lock.lock() {
        // Some network file systems have no locks; there one process at a time is the owner's care.
        Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
        _ => {}
    }
    fs::rename(&unnamed, &folder)?;
    Ok((folder, lock))
}

fn open_lock(folder: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(folder.join(LOCK))
}

/// The journal of a process that ended; ours as long as the lock is held.
#[derive(Debug)]
pub(crate) struct Orphan {
    /// Its name.
    pub(crate) id: JournalId,
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// When the oldest of its files was last written.
    pub(crate) written: SystemTime,
    /// Keeps it from others.
    _lock: File,
}

/// Journals of processes that ended, without those that `is_known` names. Folders that never got their names are removed.
pub(crate) fn orphans(journals: &Path, is_known: impl Fn(&str) -> bool) -> io::Result<Vec<Orphan>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(journals)? {
        let name = entry?.file_name();
        let Some(name) = name.to_str() else { continue };
        let folder = journals.join(name);
        if name.strip_prefix('.').is_some_and(is_journal) {
            remove_unnamed(&folder);
        } else if is_journal(name)
            && !is_known(name)
            && let Some(lock) = try_lock(&folder)
        {
            let written = written(&folder).unwrap_or(SystemTime::UNIX_EPOCH);
            found.push(Orphan { id: JournalId(name.to_owned()), folder, written, _lock: lock });
        }
    }
    Ok(found)
}

/// When the first segment in a folder was last written.
fn written(folder: &Path) -> Option<SystemTime> {
    let first = *segment_files(folder).ok()?.first()?;
    fs::metadata(segment::path(folder, first)).ok()?.modified().ok()
}

/// Removes the folder of a process that was killed while it made it.
fn remove_unnamed(folder: &Path) {
    if let Some(_lock) = try_lock(folder)
        && let Err(error) = remove(folder)
    {
        tracing::warn!(folder = %folder.display(), %error, "cannot remove a folder of the journal of calls");
    }
}

fn is_journal(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The lock, unless somebody holds it. What cannot be locked for another reason is left alone as well; where there are
/// no locks, nobody else is supposed to be there. A folder without the file is one whose removal was cut short.
fn try_lock(folder: &Path) -> Option<File> {
    let lock = open_lock(folder).ok()?;
    match lock.try_lock() {
        // Whoever held it until now may have removed the folder.
        Ok(()) => folder.join(LOCK).exists().then_some(lock),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Some(lock),
        Err(_) => None,
    }
}

/// What is in the folder of an orphan.
#[derive(Debug)]
pub(crate) enum Loaded {
    /// Not one segment.
    Empty,
    /// Segments, and the number after the last record.
    Segments(Vec<Segment>, u64),
    /// Segments of a newer version of this program.
    Newer,
}

/// Looks into the folder of an orphan.
pub(crate) fn load(folder: &Path) -> io::Result<Loaded> {
    let files = segment_files(folder)?;
    if files.is_empty() {
        return Ok(Loaded::Empty);
    }
    let mut segments: Vec<Segment> = Vec::new();
    for number in files {
        let path = segment::path(folder, number);
        let bytes = fs::metadata(&path)?.len();
        match segment::open(&path, bytes)? {
            Opened::At(first, _) => segments.push(Segment { number, first, end: first, bytes }),
            Opened::Torn => {
                tracing::warn!(path = %path.display(), bytes, "a file of the journal of calls is unreadable");
            }
            Opened::Newer => return Ok(Loaded::Newer),
        }
    }
    let end = set_ends(folder, &mut segments)?;
    Ok(Loaded::Segments(segments, end))
}

/// A segment ends where the next one begins; only the last one has to be read for it.
fn set_ends(folder: &Path, segments: &mut [Segment]) -> io::Result<u64> {
    let mut next = None;
    for segment in segments.iter_mut().rev() {
        segment.end = match next {
            Some(first) => first,
            None => segment.first + count_frames(folder, segment)?,
        };
        next = Some(segment.first);
    }
    Ok(segments.last().map_or(1, |segment| segment.end))
}

fn count_frames(folder: &Path, segment: &Segment) -> io::Result<u64> {
    let path = segment.path(folder);
    let Opened::At(_, mut frames) = segment::open(&path, segment.bytes)? else { return Ok(0) };
    let mut count = 0;
    while frames.next()?.is_some() {
        count += 1;
    }
    let torn = segment.bytes - frames.offset();
    if torn > 0 {
        tracing::warn!(path = %path.display(), bytes = torn, "the journal of calls ends in bytes that are no record");
    }
    Ok(count)
}

/// Removes all segments of a journal.
pub(crate) fn remove_segments(folder: &Path) -> io::Result<()> {
    segment_files(folder)?.into_iter().try_for_each(|number| fs::remove_file(segment::path(folder, number)))
}

/// Removes a journal's folder; the lock is the last to go, so that nobody else finds what is being removed.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false if entry.file_name() != LOCK => fs::remove_file(entry.path())?,
            false => {}
        }
    }
    fs::remove_file(folder.join(LOCK))?;
    match fs::remove_dir(folder) {
        // Whoever found it without a lock has made one, and removes it.
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        removed => removed,
    }
}

/// Numbers of the segments in a folder, in order.
fn segment_files(folder: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder)? {
        numbers.extend(entry?.file_name().to_str().and_then(segment::number_of));
    }
    numbers.sort_unstable();
    Ok(numbers)
}
