//! Floods of interim responses (1xx), which a client has to skip.

use crate::upstream::MockResponse;

/// Endless interim responses of this status, as fast as they are read.
pub fn flood(status: u16) -> MockResponse {
    MockResponse::raw("").then_repeat(format!("HTTP/1.1 {status} Wait\r\n\r\n").repeat(500))
}

/// Endless interim responses with many headers.
pub fn flood_with_headers() -> MockResponse {
    let hints = "link: </style.css>; rel=preload\r\n".repeat(100);
    MockResponse::raw("").then_repeat(format!("HTTP/1.1 103 Early Hints\r\n{hints}\r\n"))
}

/// Switches to a protocol that the client did not offer.
pub fn switching_protocols() -> MockResponse {
    MockResponse::raw("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n").then_hang()
}
