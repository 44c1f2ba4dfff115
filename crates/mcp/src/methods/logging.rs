//! `logging/setLevel`: sets the level from which the calls of a session send log messages about their stages.

use serde::Deserialize;

use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::params::RpcParams;
use crate::mcp_request::MessageContext;
use crate::outcome::MethodOutcome;
use crate::session::state::LogLevel;

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct LevelParams {
    level: String,
}

pub(super) async fn set_level(context: &MessageContext, params: &RpcParams) -> Result<MethodOutcome, RpcError> {
    let name = params.read::<LevelParams>()?.level;
    let level = LogLevel::parse(&name).ok_or_else(|| {
        RpcError::invalid_params(format!("Invalid params: level must be one of {}", LogLevel::NAMES.join(", ")))
    })?;
    // Without a session the level cannot be stored.
    if let Some(session) = context.session() {
        context.service().sessions.set_level(session, level).await;
    }
    Ok(MethodOutcome::object("{}"))
}
