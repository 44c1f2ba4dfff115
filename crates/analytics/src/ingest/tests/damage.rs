//! Damaged files: the open segment of the running process, and segments of leftover journals.

use std::fs::{self, File};

use super::*;

/// Ways to damage the open segment.
const DAMAGES: [fn(&Path); 4] = [
    |file| fs::remove_file(file).unwrap(),
    |file| File::options().write(true).open(file).unwrap().set_len(0).unwrap(),
    |file| fs::write(file, "overwritten").unwrap(),
    |file| {
        fs::remove_file(file).unwrap();
        fs::create_dir(file).unwrap();
    },
];

#[tokio::test(flavor = "multi_thread")]
async fn only_records_written_to_a_damaged_open_segment_before_its_detection_are_lost() {
    for damage in DAMAGES {
        let fixture = IngestFixture::new().await;
        let recorder = fixture.recorder(1).await;
        record_all(&recorder, &records(5));
        flush_all(&recorder).await;
        damage(&fixture.journals().join("0000000000000001/00000001.calls"));
        recorder.record(&record(5));
        flush_all(&recorder).await;
        record_all(&recorder, &records(50)[6..]);
        flush_all(&recorder).await;
        assert_stored(&fixture.stored_request_ids().await, &[&records(5)[..], &records(50)[6..]].concat());
        assert_eq!((recorder.state().pending, fixture.storage.lost_calls().await.unwrap()), (0, 1));
        recorder.close(TEST_TIMEOUT).await;
        assert_eq!(fixture.journal_entries(), [""; 0]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_is_detected_although_the_database_is_unreachable() {
    let mut fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    record_all(&recorder, &records(5));
    flush_all(&recorder).await;
    fixture.storage.close().await;
    fs::remove_file(fixture.journals().join("0000000000000001/00000001.calls")).unwrap();
    recorder.record(&record(5));
    // A flush lasts long enough for an attempt to ingest, which detects the damage.
    recorder.flush().await;
    record_all(&recorder, &records(50)[6..]);
    recorder.close(Duration::ZERO).await;
    drop(recorder);

    fixture.reopen().await;
    fixture.recorder(2).await.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &[&records(5)[..], &records(50)[6..]].concat());
    assert_eq!(fixture.storage.lost_calls().await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn recording_continues_after_all_journals_are_removed() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    record_all(&recorder, &records(5));
    flush_all(&recorder).await;
    fs::remove_dir_all(fixture.journals()).unwrap();
    recorder.record(&record(5));
    flush_all(&recorder).await;
    record_all(&recorder, &records(50)[6..]);
    assert_eq!(fixture.journal_entries(), ["0000000000000001"]);
    recorder.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &[&records(5)[..], &records(50)[6..]].concat());
    assert_eq!(fixture.storage.lost_calls().await.unwrap(), 1);
    assert_eq!(fixture.journal_entries(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_journals_do_not_block_a_stop() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    record_all(&recorder, &records(5));
    flush_all(&recorder).await;
    fs::remove_dir_all(fixture.journals()).unwrap();
    recorder.close(TEST_TIMEOUT).await;
    let position = fixture.storage.journal_position(&JournalId("0000000000000001".to_owned())).await;
    assert_eq!(position.unwrap(), None, "the journal is no longer registered");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_leftover_file_is_quarantined() {
    // Four records are readable if the damage is in the middle, and none if it is in the header.
    for readable in [4, 0] {
        let fixture = IngestFixture::new().await;
        let id = fixture.leftover_journal(1, &records(10)).await;
        let file = fixture.journals().join(&id.0).join("00000001.calls");
        let mut bytes = fs::read(&file).unwrap();
        // All records have the same size; the header has 24 bytes.
        let record_size = (bytes.len() - 24) / 10;
        bytes[if readable == 0 { 3 } else { 24 + readable * record_size }] ^= 1;
        fs::remove_file(&file).unwrap();
        fs::write(&file, &bytes).unwrap();
        fixture.recorder(2).await.close(TEST_TIMEOUT).await;
        assert_stored(&fixture.stored_request_ids().await, &records(readable));
        let quarantined = "0000000000000001-00000001.calls.damaged";
        assert_eq!(fixture.journal_entries(), [quarantined]);
        assert_eq!(fs::read(fixture.journals().join(quarantined)).unwrap(), bytes);
    }
}
