//! JSON-RPC 2.0 messages. Ids and parameters stay raw JSON, so that an id is returned exactly as it was sent and
//! numbers in the arguments lose no digits.

pub(crate) mod error;
mod members;
pub(crate) mod message;
pub(crate) mod meta;
pub(crate) mod params;
pub(crate) mod reply;
