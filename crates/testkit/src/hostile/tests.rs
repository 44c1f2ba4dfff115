//! Hostile answers, asked for over real sockets.

use std::time::Duration;

use super::*;
use crate::http::{Client, SendError};
use crate::raw;
use crate::upstream::Upstream;
use crate::{Answer, Reply};

const A_MOMENT: Duration = Duration::from_millis(300);
const GET: &[u8] = b"GET / HTTP/1.1\r\n\r\n";

async fn ask(answer: Answer) -> Result<Reply, SendError> {
    let upstream = Upstream::answering(move |_| answer.clone());
    Client::new("http://127.0.0.1:1", None).get(&upstream.url("/")).patience(A_MOMENT).try_send().await
}

#[tokio::test]
async fn a_reset_is_an_error_and_an_end_is_not() {
    for (answer, is_closed) in [(broken::nothing(), true), (broken::reset(), false)] {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let upstream = Upstream::answering(move |_| answer.clone());
        let mut stream = tokio::net::TcpStream::connect(upstream.address()).await.unwrap();
        stream.write_all(GET).await.unwrap();
        assert_eq!(stream.read(&mut [0]).await.is_ok(), is_closed);
    }
}

#[tokio::test]
async fn what_never_ends_ends_when_its_client_leaves() {
    let all =
        [slow::black_hole(), slow::head_in_drops(), slow::body_in_drops(), large::endless_body(), interim::flood(102)];
    for answer in all {
        let upstream = Upstream::answering(move |_| answer.clone());
        let reply = raw::exchange(&upstream.address().to_string(), GET, A_MOMENT).await;
        assert!(!reply.is_closed);
        upstream.wait_for_abandoned(1).await;
    }
}

#[tokio::test]
async fn drops_keep_coming() {
    let upstream = Upstream::answering(|_| slow::head_in_drops());
    let reply = raw::exchange(&upstream.address().to_string(), GET, A_MOMENT).await;
    assert!(reply.text().ends_with("xx"), "{}", reply.text());
}

#[tokio::test]
async fn cut_answers_are_no_answers_to_a_library_either() {
    for answer in [broken::length_too_long(), broken::reset_in_body(), broken::cut_chunks(), broken::cut_in_chunk()] {
        let outcome = ask(answer.clone()).await;
        assert!(matches!(outcome, Err(SendError::Body(_))), "{answer:?}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_bomb_is_small_as_it_is_sent() {
    let reply = ask(large::gzip_bomb(100 << 20)).await.unwrap();
    assert!(reply.body.len() < 1 << 20, "{} bytes", reply.body.len());
    assert_eq!(reply.header("content-encoding"), Some("gzip"));
}

#[tokio::test]
async fn nobody_gets_a_connection_to_the_deaf() {
    let deaf = deaf::Deaf::start();
    assert!(deaf.waiting() > 0);
    let connecting = tokio::net::TcpStream::connect(deaf.address());
    assert!(tokio::time::timeout(A_MOMENT, connecting).await.is_err());
}
