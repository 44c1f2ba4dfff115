//! The state of a tool that asks back. An upstream hands it to us, the client keeps it until it asks again; so it is
//! signed, and bound to server, tool and caller, and good for a quarter of an hour.

use toolgate_domain::ids::{PublicId, ToolId};
use toolgate_domain::time::Timestamp;

use crate::access::Caller;
use crate::signing::Signer;

const LIFETIME_MILLIS: i64 = 15 * 60 * 1000;

/// To whom a state belongs.
pub(crate) struct StateScope<'a> {
    pub(crate) server: &'a PublicId,
    pub(crate) tool: ToolId,
    pub(crate) caller: &'a Caller,
}

impl StateScope<'_> {
    /// The state as the client gets it.
    pub(crate) fn seal(&self, signer: &Signer, state: &str, now: Timestamp) -> String {
        let mut payload = (now.as_millis().saturating_add(LIFETIME_MILLIS)).to_be_bytes().to_vec();
        payload.extend_from_slice(state.as_bytes());
        signer.seal(&self.context(&self.tool.0.to_be_bytes()), &payload)
    }

    /// The state as the upstream gave it; `None` for one that was changed, is another's, or has expired.
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
    fn a_state_belongs_to_one_tool_one_caller_and_its_time() {
        let signer = Signer::with(&[3]);
        let (server, now) = (PublicId::from_random([1; 16]), Timestamp::from_millis(1_000));
        let (anybody, somebody) = (Caller::Anonymous, Caller::Key(toolgate_domain::api_key::KeyHash([9; 32])));
        let scope = |tool, caller| StateScope { server: &server, tool: ToolId(tool), caller };
        let text = scope(1, &somebody).seal(&signer, "round 2", now);
        assert_eq!(scope(1, &somebody).open(&signer, &text, now).as_deref(), Some("round 2"));
        assert_eq!(scope(2, &somebody).open(&signer, &text, now), None);
        assert_eq!(scope(1, &anybody).open(&signer, &text, now), None);
        let late = Timestamp::from_millis(1_001 + LIFETIME_MILLIS);
        assert_eq!(scope(1, &somebody).open(&signer, &text, late), None);
    }
}
