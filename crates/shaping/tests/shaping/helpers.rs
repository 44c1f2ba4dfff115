//! Helpers of the tests: rules, JSON bodies, and the parts of a shaped response.

use toolgate_domain::json::JsonObject;
use toolgate_domain::shaping::Shaping;
use toolgate_shaping::{Part, ShapedText, ShapingInput, shape};

/// Maximum number of parts of a response in these tests. More mean that the sequence does not end.
const PARTS_MAX: usize = 20_000;

pub(crate) fn rules(text: &str) -> Shaping {
    Shaping::parse(&JsonObject::from_stored(text.to_owned())).unwrap()
}

pub(crate) fn json(body: &str) -> ShapingInput<'_> {
    ShapingInput { body, media_type: "application/json", reference: Some("r_7Kq2mDxYz0123456") }
}

/// The first part of the shaped response.
pub(crate) fn start(input: &ShapingInput<'_>, shaping: &Shaping) -> ShapedText {
    shape(input, shaping, Part::Start, None).unwrap()
}

/// The first part and all that follow it.
pub(crate) fn all_parts(input: &ShapingInput<'_>, shaping: &Shaping) -> Vec<ShapedText> {
    let mut parts = vec![start(input, shaping)];
    while let Some(next) = parts.last().and_then(|part| part.next.clone()) {
        parts.push(shape(input, shaping, Part::Rest(&next), None).unwrap());
        assert!(parts.len() < PARTS_MAX, "the parts do not end: {next:?}");
    }
    parts
}
