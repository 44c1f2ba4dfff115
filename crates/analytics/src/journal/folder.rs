//! The folders of journals: made for this start, found from earlier ones, removed once all they held has been moved.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use toolgate_storage::JournalId;

use super::aside::Damaged;
use super::segment::{self, Opened, Segment};

const LOCK: &str = "lock";
/// Ending of the file that says where a journal ended.
const END: &str = ".end";

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

/// Makes a journal's folder again, with its lock.
pub(super) fn restore(folder: &Path, id: &JournalId) -> io::Result<File> {
    let journals = folder.parent().ok_or(io::ErrorKind::NotFound)?;
    create(journals, id).map(|(_, lock)| lock)
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
    for name in names(journals)? {
        let folder = journals.join(&name);
        if name.strip_prefix('.').is_some_and(is_journal) {
            remove_unnamed(&folder);
        } else if is_journal(&name)
            && !is_known(&name)
            && let Some(lock) = try_lock(&folder)
        {
            let written = written(&folder).unwrap_or(SystemTime::UNIX_EPOCH);
            found.push(Orphan { id: JournalId(name), folder, written, _lock: lock });
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
    /// Segments, and the number after the last record; and what is damaged of them in a way that hides how much is lost.
    Segments(Vec<Segment>, u64, Vec<Damaged>),
    /// Segments of a newer version of this program.
    Newer,
}

/// Looks into the folder of an orphan.
pub(crate) fn load(folder: &Path) -> io::Result<Loaded> {
    let (files, marked_end) = (segment_files(folder)?, marked_end(folder)?);
    if files.is_empty() && marked_end.is_none() {
        return Ok(Loaded::Empty);
    }
    let (mut segments, mut damaged) = (Vec::new(), Vec::new());
    for number in files {
        let path = segment::path(folder, number);
        let bytes = fs::symlink_metadata(&path).map_err(|error| segment::named(&path, &error))?.len();
        match segment::open(&path, bytes)? {
            Opened::At(first, _) => segments.push(Segment { number, first, end: first, bytes }),
            Opened::Torn => damaged.push(Damaged { path, bytes }),
            Opened::Newer => return Ok(Loaded::Newer),
        }
    }
    let end = set_ends(folder, &mut segments, &mut damaged)?;
    Ok(Loaded::Segments(segments, end.max(marked_end.unwrap_or(0)), damaged))
}

/// A segment ends where the next one begins; only the last one has to be read for it.
fn set_ends(folder: &Path, segments: &mut [Segment], damaged: &mut Vec<Damaged>) -> io::Result<u64> {
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

fn count_frames(folder: &Path, segment: &Segment, damaged: &mut Vec<Damaged>) -> io::Result<u64> {
    let path = segment.path(folder);
    let Opened::At(_, mut frames) = segment::open(&path, segment.bytes)? else { return Ok(0) };
    let mut count = 0;
    while frames.next()?.is_some() {
        count += 1;
    }
    let bytes = segment.bytes - frames.offset();
    damaged.extend((bytes > 0).then_some(Damaged { path, bytes }));
    Ok(count)
}

/// Leaves word that the records before this number were there. An empty file, for the disk may be full.
pub(super) fn mark_end(folder: &Path, end: u64) -> io::Result<()> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(folder.join(format!("{end}{END}")))?;
    Ok(())
}

fn marked_end(folder: &Path) -> io::Result<Option<u64>> {
    Ok(names(folder)?.iter().filter_map(|name| name.strip_suffix(END)?.parse().ok()).max())
}

/// Removes all that a journal holds.
pub(crate) fn remove_segments(folder: &Path) -> io::Result<()> {
    for name in names(folder)? {
        if segment::number_of(&name).is_some() || name.ends_with(END) {
            remove_entry(&folder.join(name))?;
        }
    }
    Ok(())
}

fn remove_entry(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

/// Removes a journal's folder; the lock is the last to go, so that nobody else finds what is being removed.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() != LOCK {
            remove_entry(&entry.path())?;
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
    let mut numbers: Vec<u64> = names(folder)?.iter().filter_map(|name| segment::number_of(name)).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Names in a folder; none where it is gone.
fn names(folder: &Path) -> io::Result<Vec<String>> {
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
