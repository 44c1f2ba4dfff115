//! Interim answers (1xx), which a client has to pass over: as many as it takes.

use crate::Answer;

/// Interim answers of this status without end, as fast as they are read.
pub fn flood(status: u16) -> Answer {
    Answer::raw("").then_forever(format!("HTTP/1.1 {status} Wait\r\n\r\n").repeat(500))
}

/// Interim answers with much to say, without end.
pub fn flood_with_headers() -> Answer {
    let hints = "link: </style.css>; rel=preload\r\n".repeat(100);
    Answer::raw("").then_forever(format!("HTTP/1.1 103 Early Hints\r\n{hints}\r\n"))
}

/// Wants to speak another protocol, which nobody asked for.
pub fn switch() -> Answer {
    Answer::raw("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n").then_silence()
}
