//! Pasted curl commands, from outside: what a tool made of one sends, beside what curl itself sends.
//!
//! The commands are in `tests/curl`, one file for each subject; adding one there is all it takes to test it.

mod compared;
mod corpus;
mod multipart;
mod real_curl;
mod round_trip;
mod tolerated;
