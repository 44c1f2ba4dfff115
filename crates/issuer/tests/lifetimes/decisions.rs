//! How long a person may take to decide, and how long the copy of a metadata document is used.

use toolgate_domain::oauth::client::{ClientKind, NewOAuthClient};
use toolgate_domain::time::{Clock as _, DAY_MS};

use crate::browser::SignedInBrowser;
use crate::fixture::{CLIENT_ID, IssuerFixture, new_client};

const MINUTE_MS: i64 = 60_000;
/// The egress guard refuses this address without a connection, because the service is not on loopback.
const DOCUMENT: &str = "https://127.0.0.1/client.json";

on_both_databases! {
    for IssuerFixture;

    async fn a_person_may_take_ten_minutes_to_decide(fixture) {
        let browser = SignedInBrowser::open(fixture).await;
        let (page, other) = (browser.authorize(CLIENT_ID).await, browser.authorize(CLIENT_ID).await);
        fixture.clock.advance(10 * MINUTE_MS);
        let allowed = browser.allow(&page).await;
        assert!(allowed.location().contains("code=tgc_"), "{}", allowed.text);
        fixture.clock.advance(1);
        let late = browser.allow(&other).await;
        assert!(late.location().contains("error=access_denied"), "{}", late.location());
        assert!(!late.location().contains("code="), "{}", late.location());
        assert_eq!(fixture.grant_count().await, 1);
    }

    async fn a_document_that_cannot_be_fetched_is_used_for_seven_days(fixture) {
        let client = NewOAuthClient { kind: ClientKind::MetadataDocument, ..new_client(DOCUMENT) };
        fixture.storage.save_client_document(client, fixture.clock.now()).await.unwrap();
        fixture.clock.advance(7 * DAY_MS - 1);
        let browser = SignedInBrowser::open(fixture).await;
        let page = browser.authorize(DOCUMENT).await;
        assert_eq!(page.status, 200, "{}", page.text);
        fixture.clock.advance(1);
        let page = browser.authorize(DOCUMENT).await;
        assert_eq!((page.status.as_u16(), page.location()), (400, ""), "{}", page.text);
    }
}
