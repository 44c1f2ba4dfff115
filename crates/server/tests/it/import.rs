//! Pasted curl commands end to end: compares the request of the imported tool with the request of curl.
//!
//! The commands are in `tests/curl`, one file for each subject, and in the corpus of the crate `import`. All commands
//! in these folders are tested.

mod accepted_differences;
mod comparison;
mod corpus;
mod import_worker;
mod inferred_corpus;
mod multipart;
mod real_curl;
mod round_trip;
