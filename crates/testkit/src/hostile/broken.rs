//! Answers that are none: cut off, badly framed, or not there at all. Whatever of a body they do send is `half`, so
//! that a test can look for it.

use crate::Answer;

/// Closes the connection instead of an answer.
pub fn nothing() -> Answer {
    Answer::raw("")
}

/// Breaks the connection off instead of an answer.
pub fn reset() -> Answer {
    Answer::raw("").then_reset()
}

/// Closes the connection within the head.
pub fn cut_head() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ncontent-le")
}

/// `Content-Length` promises more than comes.
pub fn length_too_long() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")
}

/// The connection breaks off within the body.
pub fn reset_in_body() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf").then_reset()
}

/// Chunks without their end.
pub fn cut_chunks() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n")
}

/// The connection ends within a chunk.
pub fn cut_in_chunk() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhalf")
}

/// A chunk whose length is no number.
pub fn bad_chunk_length() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhalf\r\n0\r\n\r\n")
}

/// A chunk that is longer than any number.
pub fn huge_chunk_length() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nhalf\r\n0\r\n\r\n")
}

/// Two lengths, of which nobody knows which holds.
pub fn two_lengths() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nhalf.")
}

/// A length that is none.
pub fn negative_length() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: -4\r\n\r\nhalf")
}

/// A length and chunks: whoever goes by the other one reads another answer.
pub fn length_and_chunks() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: 14\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n\r\n")
}

/// `Content-Length` promises less than comes; what comes after it looks like an answer to somebody's next request.
pub fn length_too_short() -> Answer {
    let surplus = "HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\npoisoned";
    Answer::raw(format!("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwhole{surplus}")).then_stay()
}

/// Another protocol.
pub fn no_http() -> Answer {
    Answer::raw("SSH-2.0-OpenSSH_9.6\r\n\r\n")
}

/// Says that it is compressed, and is not.
pub fn no_gzip() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nhalf")
}

/// Compressed in a way that nobody asked for.
pub fn unknown_coding() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 4\r\n\r\nhalf")
}
