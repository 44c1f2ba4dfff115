//! JSON-RPC 2.0 messages. Ids and parameters stay raw JSON, so that an id is returned exactly as it was sent and numbers
//! in the arguments lose no digits.

mod error;
mod members;
mod message;
mod params;
mod reply;

pub(crate) use error::RpcError;
pub(crate) use message::{BodyMessages, Message, RpcId, RpcRequest, read};
pub(crate) use params::{Meta, RpcParams};
pub(crate) use reply::{error_reply, notification, result_reply};
