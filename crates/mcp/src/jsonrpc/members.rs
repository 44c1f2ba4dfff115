//! The members of a message. A known name in another case is refused, because a case-insensitive parser in front of
//! this service would read a different message from the same bytes.

use toolgate_domain::json::{Member, ScannedDocument};

use super::error::RpcError;

const MEMBER_NAMES: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// The members of a message. A member that is `null` is treated as present, except for `params`.
#[derive(Default)]
pub(super) struct MessageMembers<'a> {
    pub(super) jsonrpc: Option<&'a Member<'a>>,
    pub(super) id: Option<&'a Member<'a>>,
    pub(super) method: Option<&'a Member<'a>>,
    pub(super) params: Option<(&'a str, &'a [Member<'a>])>,
    pub(super) result: Option<&'a Member<'a>>,
    pub(super) error: Option<&'a Member<'a>>,
}

impl<'a> MessageMembers<'a> {
    pub(super) fn parse(message: &'a ScannedDocument<'a>) -> Result<Self, RpcError> {
        let mut members = Self::default();
        for (member, inner_members) in message.members() {
            match &*member.name {
                "jsonrpc" => members.jsonrpc = Some(member),
                "id" => members.id = Some(member),
                "method" => members.method = Some(member),
                "params" => members.params = Some((member.value, inner_members)).filter(|(value, _)| *value != "null"),
                "result" => members.result = Some(member),
                "error" => members.error = Some(member),
                other => check_case(other, &MEMBER_NAMES)?,
            }
        }
        Ok(members)
    }
}

/// Refuses an unknown name that equals a known one except for its case.
pub(super) fn check_case(name: &str, known_names: &[&str]) -> Result<(), RpcError> {
    // Upper case first: some letters, like `ſ`, only become ASCII (`S`) that way.
    let folded = name.to_uppercase().to_lowercase();
    if known_names.contains(&folded.as_str()) {
        return Err(RpcError::invalid_request(format!("Invalid request: {folded} must be written in lower case")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use toolgate_domain::json;

    use super::*;

    #[test]
    fn a_known_name_in_another_case_is_refused() {
        let is_valid_message = |text: &str| MessageMembers::parse(&json::scan(text.as_bytes()).unwrap()).is_ok();
        for good in ["{}", r#"{"method":1,"id":null,"Other":3,"methods":4,"Name":5,"params":null}"#] {
            assert!(is_valid_message(good), "{good}");
        }
        for bad in [r#"{"Method":1}"#, r#"{"id":1,"ID":2}"#, r#"{"p\u0041rams":1}"#, r#"{"param\u017f":1}"#] {
            assert!(!is_valid_message(bad), "{bad}");
        }
    }
}
