//! Tests of response heads that are too large, have too many lines, are not HTTP, or are missing.

use super::*;

#[tokio::test]
async fn heads_larger_than_allowed_are_refused() {
    let long = format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "x".repeat(2 * 1024 * 1024));
    assert_eq!(response_to(long.as_bytes()).await.unwrap_err(), EgressError::HeadTooLarge);
    for lines in [201, 20_000] {
        let many = format!("HTTP/1.1 200 OK\r\n{}content-length: 0\r\n\r\n", "a: b\r\n".repeat(lines));
        assert_eq!(response_to(many.as_bytes()).await.unwrap_err(), EgressError::HeadTooLarge, "{lines}");
    }
}

#[tokio::test]
async fn heads_within_the_limits_are_read() {
    let head = format!("HTTP/1.1 200 OK\r\n{}x: {}\r\n\r\n", "a: b\r\n".repeat(199), "x".repeat(100_000));
    assert_eq!(response_to(head.as_bytes()).await.unwrap().headers.len(), 200);
}

#[tokio::test]
async fn interim_responses_are_skipped() {
    let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n";
    let response =
        response_to(format!("{interim}HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n!").as_bytes()).await.unwrap();
    assert_eq!((response.status.as_u16(), &response.body[..], response.headers.len()), (200, &b"!"[..], 1));
}

#[tokio::test]
async fn a_reply_that_is_not_http_is_an_error() {
    let replies = [
        "SSH-2.0-OpenSSH_9.9\r\n",
        "HTTP/1.1 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 11\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
    ];
    for reply in replies {
        assert_eq!(response_to(reply.as_bytes()).await.unwrap_err(), broken(BrokenResponse::NotHttp), "{reply}");
    }
}

#[tokio::test]
async fn a_closed_connection_is_an_error() {
    for reply in ["", "HTTP/1.1 200 OK\r\ncontent-le"] {
        let error = response_to(reply.as_bytes()).await.unwrap_err();
        assert_eq!(error, broken(BrokenResponse::Missing), "{reply:?}");
        assert!(error.is_connection_error());
    }
}
