//! Upstreams that take all the time there is: nothing comes, or too little to ever come to an end.

use std::time::Duration;

use crate::Answer;

/// Often enough that a limit on silence would never end it.
const PAUSE: Duration = Duration::from_millis(20);

/// Takes the request and never says a word.
pub fn black_hole() -> Answer {
    Answer::raw("").then_silence()
}

/// Begins a head and does not end it.
pub fn head() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\nx-half: ").then_silence()
}

/// A head that grows by a byte now and then.
pub fn head_in_drops() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\nx-half: ").then_drip("x", PAUSE)
}

/// Begins a body and does not end it.
pub fn body() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nhalf").then_silence()
}

/// A body that grows by a byte now and then.
pub fn body_in_drops() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nhalf").then_drip("x", PAUSE)
}

/// The same in chunks.
pub fn chunks_in_drops() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n").then_drip("1\r\nx\r\n", PAUSE)
}

/// All of a body but the sign that it was all.
pub fn last_chunk() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n").then_silence()
}
