//! Adapts tools to the restrictions of a client. Clients and the model APIs behind them refuse or drop tools with names
//! or schemas outside their subset; some refuse the whole list.
//!
//! Arguments are always validated with the stored schema; an adapted schema only contains fewer restrictions.

mod common;
mod fold;
mod gemini;
mod inline;
mod merge;
mod names;

#[cfg(test)]
mod tests;

use serde_json::Value;
use toolgate_domain::client_profile::ClientProfile;

pub use names::profile_name;

/// Maximum number of subschemas of one adapted schema; further ones accept any value.
const SCHEMAS_MAX: usize = 5_000;
/// Maximum nesting of one adapted schema.
const DEPTH_MAX: usize = 40;

/// The input schema that a client of this profile accepts; `None` if it accepts the schema as it is.
pub fn adapt_schema(profile: ClientProfile, schema: &Value) -> Option<Value> {
    let adapted = match profile {
        ClientProfile::Gemini => gemini::adapt(schema),
        _ if common::is_accepted(schema) => return None,
        _ => common::adapt(schema),
    };
    (adapted != *schema).then_some(adapted)
}
