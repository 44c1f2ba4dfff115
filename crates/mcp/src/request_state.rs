//! The `requestState` of a tool that requests input. The client stores it between two rounds, so it is signed, bound to
//! server, tool and caller, and valid for 15 minutes.

use toolgate_domain::ids::{PublicId, ToolId};
use toolgate_domain::time::Timestamp;

use crate::catalog::tools::PublishedTool;
use crate::mcp_request::MessageContext;
use crate::signing::Signer;

const STATE_TTL_MS: i64 = 15 * 60 * 1000;

/// The server, tool and caller of a state, and the means to sign it.
pub(crate) struct StateScope<'a> {
    server: &'a PublicId,
    tool: ToolId,
    /// The identity of the caller.
    caller: Vec<u8>,
    signer: &'a Signer,
    now: Timestamp,
}

impl<'a> StateScope<'a> {
    /// The scope of a state in a call of this tool.
    pub(crate) fn new(context: &'a MessageContext, tool: &PublishedTool) -> Self {
        let (caller, service) = (context.mcp_request.caller.to_bytes(), context.service());
        let (signer, now) = (&service.signer, service.clock.now());
        Self { server: &context.snapshot().server.public_id, tool: tool.id, caller, signer, now }
    }

    /// Signs a state for the client.
    pub(crate) fn seal(&self, state: &str) -> String {
        let mut payload = self.now.as_millis().saturating_add(STATE_TTL_MS).to_be_bytes().to_vec();
        payload.extend_from_slice(state.as_bytes());
        self.signer.seal(&self.signed_context(&self.tool.0.to_be_bytes()), &payload)
    }

    /// The upstream's state; `None` if it was changed, belongs to another scope, or has expired.
    pub(crate) fn open(&self, text: &str) -> Option<String> {
        let payload = self.signer.open(&self.signed_context(&self.tool.0.to_be_bytes()), text)?;
        let (expires, state) = payload.split_first_chunk::<8>()?;
        if i64::from_be_bytes(*expires) < self.now.as_millis() {
            return None;
        }
        String::from_utf8(state.to_vec()).ok()
    }

    /// The values to which the signature binds a state; `tool` is the id of the tool as bytes.
    fn signed_context<'b>(&'b self, tool: &'b [u8; 8]) -> [&'b [u8]; 4] {
        [b"request-state", self.server.as_str().as_bytes(), tool, &self.caller]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::McpCaller;

    #[test]
    fn a_state_is_bound_to_its_tool_and_caller_and_expires() {
        let signer = Signer::with_keys(&[3]);
        let (server, now) = (PublicId::from_random([1; 16]), Timestamp::from_millis(1_000));
        let (anonymous, key_holder) = (
            McpCaller::Anonymous,
            McpCaller::User(toolgate_domain::ids::UserId(1), toolgate_domain::api_key::KeyHash([9; 32])),
        );
        let scope = |tool, caller: &McpCaller| StateScope {
            server: &server,
            tool: ToolId(tool),
            caller: caller.to_bytes(),
            signer: &signer,
            now,
        };
        let text = scope(1, &key_holder).seal("round 2");
        assert_eq!(scope(1, &key_holder).open(&text).as_deref(), Some("round 2"));
        assert_eq!(scope(2, &key_holder).open(&text), None);
        assert_eq!(scope(1, &anonymous).open(&text), None);
        let late = Timestamp::from_millis(1_001 + STATE_TTL_MS);
        assert_eq!(StateScope { now: late, ..scope(1, &key_holder) }.open(&text), None);
    }
}
