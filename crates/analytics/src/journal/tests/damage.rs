//! Files that are damaged (by a power loss or a faulty disk) or written by another version.

use std::fs;

use toolgate_domain::call::{CallOrigin, FailureReason};
use toolgate_domain::time::Timestamp;

use super::*;

/// The only file of a journal.
fn only_file(folder: &Path) -> PathBuf {
    segment::path(folder, 1)
}

/// Replaces a file by a new one: truncating and refilling a file is slow on some file systems.
fn rewrite(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Appends a frame with a payload that this version would not write.
fn append_frame(journal: &Journal, frame: &mut [u8]) {
    segment::write_frame_header(frame);
    lock(&journal.writer)
        .append(Frame { bytes: frame, at: Timestamp::from_millis(0) }, &journal.segments, &journal.disk_budget)
        .unwrap();
}

#[test]
fn a_truncated_file_yields_its_first_records() {
    let fixture = JournalFixture::new();
    let folder = fixture.leftover_journal(&records(8));
    let original = fs::read(only_file(&folder)).unwrap();
    let mut counts = Vec::new();
    for length in 0..=original.len() {
        rewrite(&only_file(&folder), &original[..length]);
        let read = JournalContent::from_folder(&folder);
        assert_eq!(read, JournalContent::expected(&records(read.records.len())), "cut at {length}");
        counts.push(read.records.len());
    }
    assert!(counts.is_sorted());
    counts.dedup();
    assert_eq!(counts, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn a_changed_byte_yields_the_records_before_it_and_never_a_wrong_one() {
    let fixture = JournalFixture::new();
    let folder = fixture.leftover_journal(&records(5));
    let original = fs::read(only_file(&folder)).unwrap();
    let frame_len = (original.len() - segment::HEADER_LEN) / 5;
    for index in 0..original.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = original.clone();
            bytes[index] ^= flip;
            rewrite(&only_file(&folder), bytes);
            // A changed version byte is not taken for another version: the checksum of the header does not match.
            let intact = index.checked_sub(segment::HEADER_LEN).map_or(0, |index| index / frame_len);
            assert_eq!(
                JournalContent::from_folder(&folder),
                JournalContent::expected(&records(intact)),
                "byte {index}"
            );
        }
    }
}

#[test]
fn zeros_and_garbage_after_the_last_record_are_ignored() {
    let fixture = JournalFixture::new();
    let folder = fixture.leftover_journal(&records(3));
    let original = fs::read(only_file(&folder)).unwrap();
    for tail in [vec![0; 4096], vec![0xff; 4096], b"tg-calls".repeat(20)] {
        rewrite(&only_file(&folder), [&*original, &tail].concat());
        assert_eq!(JournalContent::from_folder(&folder), JournalContent::expected(&records(3)));
    }
    rewrite(&only_file(&folder), vec![0; 8192]);
    assert_eq!(JournalContent::from_folder(&folder), JournalContent::default(), "a file of zeros has no records");
}

#[test]
fn the_rest_of_a_damaged_file_is_counted_as_lost_and_reading_continues_with_the_next() {
    let fixture = JournalFixture::new();
    let journal = fixture.journal();
    append_all(&journal, &records(40));
    let (folder, segments) = (journal.segments.folder.clone(), journal.segment_list().segments);
    drop(journal);
    let second = segments[1];
    let mut bytes = fs::read(second.path(&folder)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    rewrite(&second.path(&folder), bytes);

    let read = JournalContent::from_folder(&folder);
    assert_eq!(read.records.len() as u64 + read.lost, 40);
    assert!(
        (1..second.end - second.first).contains(&read.lost),
        "{} lost; expected some records of the second file, but not all",
        read.lost
    );
    let mut expected = JournalContent::expected(&records(40)).records;
    expected.retain(|(number, _)| *number < second.end - read.lost || *number >= second.end);
    assert_eq!(read.records, expected);
}

/// A frame whose header is not filled in yet.
fn frame_with_blank_header(record: &CallRecord) -> Vec<u8> {
    let mut frame = Vec::new();
    let end = entry::encode(record, &mut frame, segment::FRAME_HEADER_LEN).unwrap();
    frame.truncate(end);
    frame
}

#[test]
fn a_record_that_cannot_be_decoded_is_the_only_one_lost() {
    let fixture = JournalFixture::new();
    let journal = fixture.journal();
    let append_undecodable = || {
        let mut frame = frame_with_blank_header(&record(1));
        frame.pop();
        append_frame(&journal, &mut frame);
    };
    append_undecodable();
    append(&journal, &record(2));
    append_undecodable();
    append_undecodable();
    append(&journal, &record(5));
    append_undecodable();
    let read = JournalContent::from_journal(&journal);
    assert_eq!(read, JournalContent { records: vec![(2, record(2)), (5, record(5))], lost: 4 });
}

#[test]
fn an_unknown_failure_reason_reads_as_internal() {
    let fixture = JournalFixture::new();
    let journal = fixture.journal();
    let failed = |reason| CallRecord { failure: Some(reason), ..record(0) };
    let mut frame = frame_with_blank_header(&failed(FailureReason::Timeout));
    let name = frame.windows(7).position(|window| window == b"timeout").unwrap();
    frame[name..name + 7].copy_from_slice(b"unknown");
    append_frame(&journal, &mut frame);
    assert_eq!(JournalContent::from_journal(&journal), JournalContent::expected(&[failed(FailureReason::Internal)]));
}

#[test]
fn a_record_of_an_earlier_version_has_no_origin() {
    let fixture = JournalFixture::new();
    let journal = fixture.journal();
    let mut frame = frame_with_blank_header(&record(0));
    // Endpoint key 5 and the IPv4 address 203.0.113.9, as in the sample record.
    let origin = [1, 10, 1, 0, 203, 0, 113, 9];
    assert!(frame.ends_with(&origin), "{frame:?}");
    frame.truncate(frame.len() - origin.len());
    append_frame(&journal, &mut frame);
    let expected = CallRecord { origin: CallOrigin::default(), ..record(0) };
    assert_eq!(JournalContent::from_journal(&journal), JournalContent::expected(&[expected]));
}

#[test]
fn a_segment_of_a_newer_version_does_not_count_as_damaged() {
    let fixture = JournalFixture::new();
    let folder = fixture.leftover_journal(&records(3));
    let mut bytes = fs::read(only_file(&folder)).unwrap();
    // The version is at byte 8, the checksum of the header at byte 20.
    bytes[8] = 2;
    let checksum = crc32fast::hash(&bytes[..20]);
    bytes[20..24].copy_from_slice(&checksum.to_le_bytes());
    rewrite(&only_file(&folder), bytes);
    assert!(matches!(load(&folder).unwrap(), LoadedJournal::NewerVersion));
}
