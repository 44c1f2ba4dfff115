//! All parts of a response.

use toolgate_domain::json::JsonObject;
use toolgate_domain::shaping::Shaping;
use toolgate_shaping::{Answer, Part, ShapedText, shape};

/// More parts mean that reading on does not end.
const PARTS_MAX: usize = 20_000;

pub(crate) fn rules(text: &str) -> Shaping {
    Shaping::parse(&JsonObject::from_stored(text.to_owned())).unwrap()
}

pub(crate) fn json(body: &str) -> Answer<'_> {
    Answer { body, media_type: "application/json", reference: Some("r_7Kq2mDxYz0123456") }
}

/// The first part.
pub(crate) fn start(answer: &Answer<'_>, shaping: &Shaping) -> ShapedText {
    shape(answer, shaping, Part::Start, None).unwrap()
}

/// The first part and all that follow it.
pub(crate) fn all_parts(answer: &Answer<'_>, shaping: &Shaping) -> Vec<ShapedText> {
    let mut parts = vec![start(answer, shaping)];
    while let Some(next) = parts.last().and_then(|part| part.next.clone()) {
        parts.push(shape(answer, shaping, Part::Rest(&next), None).unwrap());
        assert!(parts.len() < PARTS_MAX, "reading on does not end: {next:?}");
    }
    parts
}
