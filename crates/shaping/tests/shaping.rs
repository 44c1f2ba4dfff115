//! Tests of shaping through the public API of the crate.

#![expect(clippy::unwrap_used, reason = "a failed step fails its test")]

#[path = "shaping/helpers.rs"]
mod helpers;
#[path = "shaping/hostile.rs"]
mod hostile;
#[path = "shaping/properties.rs"]
mod properties;
#[path = "shaping/reductions.rs"]
mod reductions;
#[path = "../../../bench/model/responses.rs"]
mod responses;
#[path = "shaping/schemas.rs"]
mod schemas;
