//! JSON-RPC 2.0 as the endpoint speaks it. Ids and parameters stay raw JSON: an id is echoed exactly as it came, and
//! a number in the arguments keeps its digits.

mod error;
mod members;
mod message;
mod params;
mod reply;

pub(crate) use error::RpcError;
pub(crate) use message::{Message, MessageBatch, RpcId, RpcRequest, read};
pub(crate) use params::{Meta, RpcParams};
pub(crate) use reply::{error_reply, notification, result_reply};
