//! Files that are not what they were: after a loss of power, a bad disk, another version.

use std::fs;

use toolgate_domain::call::FailureReason;

use super::*;

/// The only file of a journal.
fn file(folder: &Path) -> PathBuf {
    segment::path(folder, 1)
}

/// A new file: file systems take their time to empty one and fill it again.
fn rewrite(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Writes a frame whose payload is not what this version would write.
fn append_frame(journal: &Journal, frame: &mut [u8]) {
    segment::seal_frame(frame);
    journal.writer().append(frame, journal.segments(), journal.room()).unwrap();
}

#[test]
fn a_file_that_is_cut_off_anywhere_yields_its_first_records() {
    let bench = Bench::new();
    let folder = bench.orphan(&records(8));
    let whole = fs::read(file(&folder)).unwrap();
    let mut counts = Vec::new();
    for length in 0..=whole.len() {
        rewrite(&file(&folder), &whole[..length]);
        let read = Read::orphan(&folder);
        assert_eq!(read, Read::of(&records(read.records.len())), "cut at {length}");
        counts.push(read.records.len());
    }
    assert!(counts.is_sorted());
    counts.dedup();
    assert_eq!(counts, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn a_byte_that_changed_yields_the_records_before_it_and_never_a_wrong_one() {
    let bench = Bench::new();
    let folder = bench.orphan(&records(5));
    let whole = fs::read(file(&folder)).unwrap();
    let frame = (whole.len() - segment::HEADER) / 5;
    for index in 0..whole.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[index] ^= flip;
            rewrite(&file(&folder), bytes);
            // Another version is not damage, but a changed byte does not make it one: the header's sum would not fit.
            let before = index.checked_sub(segment::HEADER).map_or(0, |index| index / frame);
            assert_eq!(Read::orphan(&folder), Read::of(&records(before)), "byte {index}");
        }
    }
}

#[test]
fn zeros_and_garbage_behind_the_last_record_are_no_records() {
    let bench = Bench::new();
    let folder = bench.orphan(&records(3));
    let whole = fs::read(file(&folder)).unwrap();
    for tail in [vec![0; 4096], vec![0xff; 4096], b"tg-calls".repeat(20)] {
        rewrite(&file(&folder), [&*whole, &tail].concat());
        assert_eq!(Read::orphan(&folder), Read::of(&records(3)));
    }
    rewrite(&file(&folder), vec![0; 8192]);
    assert_eq!(Read::orphan(&folder), Read::default(), "nor is a file of zeros");
}

#[test]
fn the_rest_of_a_damaged_file_is_given_up_and_counted_and_reading_goes_on_with_the_next() {
    let bench = Bench::new();
    let journal = bench.journal();
    append_all(&journal, &records(40));
    let (folder, segments) = (journal.segments().folder().to_owned(), journal.contents().segments);
    drop(journal);
    let second = segments[1];
    let mut bytes = fs::read(second.path(&folder)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    rewrite(&second.path(&folder), bytes);

    let read = Read::orphan(&folder);
    assert_eq!(read.records.len() as u64 + read.lost, 40);
    assert!((1..second.end - second.first).contains(&read.lost), "some of the second file, not all: {}", read.lost);
    let mut expected = Read::of(&records(40)).records;
    expected.retain(|(number, _)| *number < second.end - read.lost || *number >= second.end);
    assert_eq!(read.records, expected);
}

/// A frame whose head is not filled in.
fn unsealed_frame(record: &CallRecord) -> Vec<u8> {
    let mut frame = Vec::new();
    let end = entry::encode(record, &mut frame, segment::FRAME_HEAD).unwrap();
    frame.truncate(end);
    frame
}

#[test]
fn a_record_that_is_not_understood_is_given_up_alone() {
    let bench = Bench::new();
    let journal = bench.journal();
    let strange = || {
        let mut frame = unsealed_frame(&record(1));
        frame.pop();
        append_frame(&journal, &mut frame);
    };
    strange();
    journal.append(&record(2));
    strange();
    strange();
    journal.append(&record(5));
    strange();
    let read = Read::live(&journal);
    assert_eq!(read, Read { records: vec![(2, record(2)), (5, record(5))], lost: 4 });
}

#[test]
fn a_call_that_failed_for_a_reason_of_another_version_is_a_call_all_the_same() {
    let bench = Bench::new();
    let journal = bench.journal();
    let failed = |reason| CallRecord { failure: Some(reason), ..record(0) };
    let mut frame = unsealed_frame(&failed(FailureReason::Timeout));
    let name = frame.windows(7).position(|window| window == b"timeout").unwrap();
    frame[name..name + 7].copy_from_slice(b"unknown");
    append_frame(&journal, &mut frame);
    assert_eq!(Read::live(&journal), Read::of(&[failed(FailureReason::Internal)]));
}

#[test]
fn what_a_newer_version_wrote_is_told_from_damage() {
    let bench = Bench::new();
    let folder = bench.orphan(&records(3));
    let mut bytes = fs::read(file(&folder)).unwrap();
    bytes[8] = 2;
    let sum = crc32fast::hash(&bytes[..20]);
    bytes[20..24].copy_from_slice(&sum.to_le_bytes());
    rewrite(&file(&folder), bytes);
    assert!(matches!(load(&folder).unwrap(), Loaded::Newer));
}
