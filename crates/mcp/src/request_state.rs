//! The `requestState` of a tool that requests input. The client stores it between two rounds, so it is signed, bound to
//! server, tool and caller, and valid for 15 minutes.

use toolgate_domain::ids::{PublicId, ToolId};
use toolgate_domain::time::Timestamp;

use crate::access::McpCaller;
use crate::catalog::tools::PublishedTool;
use crate::mcp_request::MessageContext;
use crate::signing::Signer;

const STATE_TTL_MILLIS: i64 = 15 * 60 * 1000;

/// The server, tool and caller of a state.
pub(crate) struct StateScope<'a> {
    server: &'a PublicId,
    tool: ToolId,
    caller: &'a McpCaller,
}

impl<'a> StateScope<'a> {
    /// The scope of a state in a call of this tool.
    pub(crate) fn new(context: &'a MessageContext, tool: &PublishedTool) -> Self {
        let mcp_request = &context.mcp_request;
        Self { server: &mcp_request.snapshot.server.public_id, tool: tool.id, caller: &mcp_request.caller }
    }

    /// Signs a state for the client.
    pub(crate) fn seal(&self, signer: &Signer, state: &str, now: Timestamp) -> String {
        let mut payload = (now.as_millis().saturating_add(STATE_TTL_MILLIS)).to_be_bytes().to_vec();
        payload.extend_from_slice(state.as_bytes());
        signer.seal(&self.context(&self.tool.0.to_be_bytes()), &payload)
    }

    /// The upstream's state; `None` if it was changed, belongs to another scope, or has expired.
    pub(crate) fn open(&self, signer: &Signer, text: &str, now: Timestamp) -> Option<String> {
        let payload = signer.open(&self.context(&self.tool.0.to_be_bytes()), text)?;
        let (expires, state) = payload.split_first_chunk::<8>()?;
        if i64::from_be_bytes(*expires) < now.as_millis() {
            return None;
        }
        String::from_utf8(state.to_vec()).ok()
    }

    fn context<'b>(&'b self, tool: &'b [u8; 8]) -> [&'b [u8]; 4] {
        [b"request-state", self.server.as_str().as_bytes(), tool, self.caller.as_bytes()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_bound_to_its_tool_and_caller_and_expires() {
        let signer = Signer::with_keys(&[3]);
        let (server, now) = (PublicId::from_random([1; 16]), Timestamp::from_millis(1_000));
        let (anonymous, key_holder) =
            (McpCaller::Anonymous, McpCaller::Key(toolgate_domain::api_key::KeyHash([9; 32])));
        let scope = |tool, caller| StateScope { server: &server, tool: ToolId(tool), caller };
        let text = scope(1, &key_holder).seal(&signer, "round 2", now);
        assert_eq!(scope(1, &key_holder).open(&signer, &text, now).as_deref(), Some("round 2"));
        assert_eq!(scope(2, &key_holder).open(&signer, &text, now), None);
        assert_eq!(scope(1, &anonymous).open(&signer, &text, now), None);
        let late = Timestamp::from_millis(1_001 + STATE_TTL_MILLIS);
        assert_eq!(scope(1, &key_holder).open(&signer, &text, late), None);
    }
}
