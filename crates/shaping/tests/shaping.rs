//! Tests of shaping from outside.

#![expect(clippy::unwrap_used, reason = "a failed step fails its test")]

#[path = "../../../bench/model/answers.rs"]
mod answers;
#[path = "shaping/hostile.rs"]
mod hostile;
#[path = "shaping/parts.rs"]
mod parts;
#[path = "shaping/properties.rs"]
mod properties;
#[path = "shaping/reductions.rs"]
mod reductions;
#[path = "shaping/schemas.rs"]
mod schemas;
