//! Rules of shaping for tests.

use toolgate_domain::json::JsonObject;
use toolgate_domain::shaping::Shaping;

/// Parses shaping rules from JSON.
pub(crate) fn rules(text: &str) -> Shaping {
    Shaping::parse(&JsonObject::from_stored(text.to_owned())).unwrap()
}
