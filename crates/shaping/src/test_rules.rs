//! Rules of shaping for tests.

use toolgate_domain::json::JsonObject;
use toolgate_domain::shaping::Shaping;

/// The rules of a JSON text.
pub(crate) fn rules(text: &str) -> Shaping {
    Shaping::parse(&JsonObject::from_stored(text.to_owned())).unwrap()
}
