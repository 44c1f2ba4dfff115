//! How long a token is used, and how many are fetched.

use std::future::pending;

use tokio::task::JoinSet;
use tokio::time::advance;

use super::*;

#[tokio::test(start_paused = true)]
async fn a_hundred_callers_fetch_one_token() {
    let (tokens, issuer) = (Arc::new(Tokens::new()), Issuer::default());
    let mut callers = JoinSet::new();
    for _ in 0..100 {
        let (tokens, issuer) = (Arc::clone(&tokens), issuer.clone());
        callers.spawn(async move { issuer.token(&tokens, &client()).await });
    }
    assert!(callers.join_all().await.iter().all(|token| token == "token-1"));
    assert_eq!(issuer.issued.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn a_token_is_renewed_shortly_before_it_expires() {
    for (members, secs) in [
        (r#","expires_in":3600"#, 3240),
        (r#","expires_in":"3600""#, 3240),
        (r#","expires_in":120.5"#, 90),
        (r#","expires_in":null"#, 270),
        ("", 270),
        (r#","expires_in":99999999999"#, 86_400),
        (r#","expires_in":1e300"#, 86_400),
        (r#","expires_in":18446744073709551615"#, 86_400),
        (r#","expires_in":"18446744073709551616""#, 86_400),
        (r#","expires_in":"inf""#, 86_400),
    ] {
        let (tokens, issuer) = (Tokens::new(), Issuer { members, ..Issuer::default() });
        assert_eq!(issuer.token(&tokens, &client()).await, "token-1");
        advance(Duration::from_secs(secs - 1)).await;
        assert_eq!(issuer.token(&tokens, &client()).await, "token-1", "{members}");
        advance(Duration::from_secs(2)).await;
        assert_eq!(issuer.token(&tokens, &client()).await, "token-2", "{members}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_that_lives_for_seconds_is_used_once() {
    for members in [r#","expires_in":20"#, r#","expires_in":0"#, r#","expires_in":-5"#] {
        let (tokens, issuer) = (Tokens::new(), Issuer { members, ..Issuer::default() });
        assert_eq!(issuer.token(&tokens, &client()).await, "token-1");
        assert_eq!(issuer.token(&tokens, &client()).await, "token-2");
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_token_is_fetched_anew_once() {
    let (tokens, issuer) = (Tokens::new(), Issuer::default());
    let first: SecretString = issuer.token(&tokens, &client()).await.into();
    tokens.refuse(&client(), &first);
    assert_eq!(issuer.token(&tokens, &client()).await, "token-2");
    tokens.refuse(&client(), &first);
    assert_eq!(issuer.token(&tokens, &client()).await, "token-2", "the refused one was replaced already");
}

#[tokio::test(start_paused = true)]
async fn every_field_of_the_client_tells_tokens_apart() {
    let (tokens, issuer) = (Tokens::new(), Issuer::default());
    let mut clients = vec![client(); 6];
    clients[1].token_url.push('x');
    clients[2].client_id.push('x');
    clients[3].client_secret = "other".into();
    clients[4].scope = None;
    clients[5].scope = Some(String::new());
    for (number, client) in clients.iter().enumerate() {
        assert_eq!(issuer.token(&tokens, client).await, format!("token-{}", number + 1));
    }
    assert_eq!(issuer.token(&tokens, &clients[0]).await, "token-1");
}

#[tokio::test(start_paused = true)]
async fn an_issuer_that_keeps_silent_is_given_up_after_its_time_for_all_who_wait() {
    let (tokens, client, begun) = (Tokens::new(), client(), Instant::now());
    let fetch = || tokens.token(&client, |_| pending());
    let (leader, waiter) = tokio::join!(fetch(), fetch());
    for failure in [leader.unwrap_err(), waiter.unwrap_err()] {
        assert_eq!(failure.reason, FailureReason::Timeout);
        assert_eq!(failure.message, "The token endpoint did not answer within 10 s.");
    }
    assert_eq!(begun.elapsed(), FETCH_MAX);
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_leaves_the_fetching_to_another() {
    let (tokens, issuer, client) = (Tokens::new(), Issuer::default(), client());
    let hasty = timeout(Duration::from_secs(1), tokens.token(&client, |_| pending()));
    let (left, token) = tokio::join!(hasty, issuer.token(&tokens, &client));
    assert!(left.is_err());
    assert_eq!(token, "token-1");
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_not_remembered() {
    let (tokens, issuer) = (Tokens::new(), Issuer::default());
    assert!(tokens.token(&client(), async |_| Ok(answer(500, ""))).await.is_err());
    assert_eq!(issuer.token(&tokens, &client()).await, "token-1");
}

#[tokio::test(start_paused = true)]
async fn tokens_of_more_clients_than_are_kept_push_out_the_oldest() {
    let tokens = Tokens::new();
    let token = |secs| Token { access_token: "t".into(), expires_in: Some(Duration::from_secs(secs)) };
    let key = |number: usize| Fingerprint::of([&number.to_le_bytes()[..]]);
    tokens.keep(key(0), &token(100), Instant::now());
    for number in 1..=MOST_KEPT {
        tokens.keep(key(number), &token(3_600), Instant::now());
    }
    assert_eq!(tokens.lock().len(), MOST_KEPT);
    assert!(tokens.in_use(&key(0)).is_none() && tokens.in_use(&key(1)).is_some());
    advance(Duration::from_hours(1)).await;
    tokens.keep(key(0), &token(100), Instant::now());
    assert_eq!(tokens.lock().len(), 1, "tokens that are over go first");
}
