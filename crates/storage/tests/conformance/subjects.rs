//! Users whose tokens come from an external OAuth issuer.

use toolgate_domain::ids::SubjectId;
use toolgate_domain::oauth::subject::SeenSubject;
use toolgate_domain::time::Timestamp;
use toolgate_storage::AccessStore as _;

fn seen(id: i64, name: Option<&str>, at: i64) -> SeenSubject {
    SeenSubject {
        id: SubjectId(id),
        issuer: "https://login.example/".to_owned(),
        subject: format!("subject-{id}"),
        name: name.map(str::to_owned),
        seen_at: Timestamp::from_millis(at),
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn people_are_stored_with_their_newest_name_and_deleted_when_last_seen_before_the_cutoff(fixture) {
        let storage = &fixture.storage;
        storage.store_subjects(&[seen(2, None, 10), seen(1, Some("Ada"), 10)]).await.unwrap();
        storage.store_subjects(&[seen(1, Some("Ada L."), 30), seen(2, None, 20)]).await.unwrap();
        storage.store_subjects(&[seen(1, Some("old"), 15)]).await.unwrap();
        let rows = "SELECT subject || ' ' || COALESCE(name, '-') || ' ' || first_seen || ' ' || last_seen \
                    FROM oauth_subjects ORDER BY id";
        assert_eq!(fixture.raw.texts(rows).await, ["subject-1 Ada L. 10 30", "subject-2 - 10 20"]);
        storage.delete_subjects_before(Timestamp::from_millis(30)).await.unwrap();
        assert_eq!(fixture.raw.texts(rows).await, ["subject-1 Ada L. 10 30"]);
    }
}
