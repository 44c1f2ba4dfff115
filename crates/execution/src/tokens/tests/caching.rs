//! Tests of how long a token is cached, and how many tokens are fetched.

use std::future::pending;

use tokio::task::JoinSet;
use tokio::time::advance;

use super::*;

#[tokio::test(start_paused = true)]
async fn a_hundred_callers_fetch_one_token() {
    let (tokens, issuer) = (Arc::new(TokenCache::default()), Issuer::default());
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
    for (members, cached_secs) in [
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
        let (tokens, issuer) = (TokenCache::default(), Issuer { members, ..Issuer::default() });
        assert_eq!(issuer.token(&tokens, &client()).await, "token-1");
        advance(Duration::from_secs(cached_secs - 1)).await;
        assert_eq!(issuer.token(&tokens, &client()).await, "token-1", "{members}");
        advance(Duration::from_secs(2)).await;
        assert_eq!(issuer.token(&tokens, &client()).await, "token-2", "{members}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_that_lives_for_seconds_is_used_once() {
    for members in [r#","expires_in":20"#, r#","expires_in":0"#, r#","expires_in":-5"#] {
        let (tokens, issuer) = (TokenCache::default(), Issuer { members, ..Issuer::default() });
        assert_eq!(issuer.token(&tokens, &client()).await, "token-1");
        assert_eq!(issuer.token(&tokens, &client()).await, "token-2");
    }
}

#[tokio::test(start_paused = true)]
async fn a_rejected_token_is_replaced_once() {
    let (tokens, issuer) = (TokenCache::default(), Issuer::default());
    let first: SecretString = issuer.token(&tokens, &client()).await.into();
    tokens.invalidate(&client(), &first);
    assert_eq!(issuer.token(&tokens, &client()).await, "token-2");
    tokens.invalidate(&client(), &first);
    assert_eq!(issuer.token(&tokens, &client()).await, "token-2", "the rejected token was already replaced");
}

#[tokio::test(start_paused = true)]
async fn clients_that_differ_in_any_field_have_different_tokens() {
    let (tokens, issuer) = (TokenCache::default(), Issuer::default());
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
async fn an_unresponsive_issuer_times_out_for_all_waiting_calls() {
    let (tokens, client, started) = (TokenCache::default(), client(), Instant::now());
    let fetch = || tokens.token(&client, |_| pending());
    let (leader, waiter) = tokio::join!(fetch(), fetch());
    for failure in [leader.unwrap_err(), waiter.unwrap_err()] {
        assert_eq!(failure.reason, FailureReason::Timeout);
        assert_eq!(failure.for_owner.message, "The token endpoint did not respond within 10 s.");
    }
    assert_eq!(started.elapsed(), TOKEN_FETCH_TIMEOUT);
}

#[tokio::test(start_paused = true)]
async fn after_a_cancelled_caller_another_one_fetches() {
    let (tokens, issuer, client) = (TokenCache::default(), Issuer::default(), client());
    let cancelled_caller = timeout(Duration::from_secs(1), tokens.token(&client, |_| pending()));
    let (cancelled, token) = tokio::join!(cancelled_caller, issuer.token(&tokens, &client));
    assert!(cancelled.is_err());
    assert_eq!(token, "token-1");
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_not_cached() {
    let (tokens, issuer) = (TokenCache::default(), Issuer::default());
    assert!(tokens.token(&client(), async |_| Ok(response(500, ""))).await.is_err());
    assert_eq!(issuer.token(&tokens, &client()).await, "token-1");
}

#[tokio::test(start_paused = true)]
async fn a_full_cache_evicts_the_token_that_expires_next() {
    let tokens = TokenCache::default();
    let token = |secs| IssuedToken { access_token: "t".into(), expires_in: Some(Duration::from_secs(secs)) };
    let key = |number: usize| Fingerprint::from_parts([&number.to_le_bytes()[..]]);
    tokens.insert(key(0), &token(100), Instant::now());
    for number in 1..=TOKENS_MAX {
        tokens.insert(key(number), &token(3_600), Instant::now());
    }
    assert_eq!(lock(&tokens.tokens).len(), TOKENS_MAX);
    assert!(tokens.get(&key(0)).is_none() && tokens.get(&key(1)).is_some());
    advance(Duration::from_hours(1)).await;
    tokens.insert(key(0), &token(100), Instant::now());
    assert_eq!(lock(&tokens.tokens).len(), 1, "expired tokens are evicted first");
}
