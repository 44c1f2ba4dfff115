//! Codes and refresh tokens at the end of their lifetimes.

use toolgate_domain::time::DAY_MS;

use crate::fixture::IssuerFixture;

const SECOND_MS: i64 = 1000;

on_both_databases! {
    for IssuerFixture;

    async fn a_code_is_valid_for_a_minute(fixture) {
        fixture.allow("tgc_1").await;
        fixture.allow("tgc_2").await;
        fixture.clock.advance(59 * SECOND_MS);
        assert_eq!(fixture.exchange("tgc_1").await.0, 200);
        fixture.clock.advance(SECOND_MS);
        let (status, body) = fixture.exchange("tgc_2").await;
        assert_eq!((status.as_u16(), body["error"].as_str()), (400, Some("invalid_grant")));
        // A clock that is set back must not bring a used code back.
        fixture.clock.advance(-30 * SECOND_MS);
        assert_eq!(fixture.exchange("tgc_1").await.0, 400);
    }

    async fn a_used_refresh_token_can_be_used_again_for_two_minutes(fixture) {
        let token = fixture.first_refresh_token().await;
        fixture.refresh(&token).await.unwrap();
        fixture.clock.advance(119 * SECOND_MS);
        fixture.refresh(&token).await.unwrap();
        fixture.clock.advance(2 * SECOND_MS);
        assert_eq!(fixture.refresh(&token).await.unwrap_err(), "invalid_grant");
        assert_eq!(fixture.grant_count().await, 0, "the grant has ended");
    }

    async fn a_used_refresh_token_cannot_be_used_again_once_its_successor_was_used(fixture) {
        let token = fixture.first_refresh_token().await;
        let (one, other) = (fixture.refresh(&token).await.unwrap(), fixture.refresh(&token).await.unwrap());
        fixture.refresh(&other).await.unwrap();
        assert_eq!(fixture.refresh(&token).await.unwrap_err(), "invalid_grant");
        assert_eq!(fixture.refresh(&one).await.unwrap_err(), "invalid_grant", "the grant has ended");
    }

    async fn a_refresh_token_is_valid_for_30_days_and_a_grant_for_180(fixture) {
        let mut token = fixture.first_refresh_token().await;
        for _ in 0..6 {
            fixture.clock.advance(30 * DAY_MS - SECOND_MS);
            token = fixture.refresh(&token).await.unwrap();
        }
        fixture.clock.advance(6 * SECOND_MS);
        assert_eq!(fixture.refresh(&token).await.unwrap_err(), "invalid_grant", "after 180 days");
        fixture.allow("tgc_2").await;
        let (_, body) = fixture.exchange("tgc_2").await;
        fixture.clock.advance(30 * DAY_MS);
        assert_eq!(fixture.refresh(body["refresh_token"].as_str().unwrap()).await.unwrap_err(), "invalid_grant");
    }
}
