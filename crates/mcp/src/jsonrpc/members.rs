//! The members of a message, and the parameters that say what is done. Names are spelt exactly: one that is ours but
//! for its case is refused, for a reader that does not mind the case finds another message in the same bytes than we
//! do.

use std::sync::Arc;

use toolgate_domain::json::{Member, ScannedDocument};

use super::RpcError;

const MEMBERS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];
const PARAMS: [&str; 4] = ["_meta", "name", "uri", "arguments"];

/// Members of a message as they are there. `null` and absence are told apart, except for parameters.
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
        for (member, inner) in message.members() {
            match &*member.name {
                "jsonrpc" => members.jsonrpc = Some(member),
                "id" => members.id = Some(member),
                "method" => members.method = Some(member),
                "params" => members.params = Some((member.value, inner)).filter(|(value, _)| *value != "null"),
                "result" => members.result = Some(member),
                "error" => members.error = Some(member),
                other => check_unlike(other, &MEMBERS)?,
            }
        }
        Ok(members)
    }
}

/// What of the parameters is read once, for every method may need it. `null` is not there.
#[derive(Debug, Default)]
pub(super) struct CommonParams {
    pub(super) meta: Option<Box<str>>,
    /// Where it is a string.
    pub(super) name: Option<String>,
    /// Where it is a string.
    pub(super) uri: Option<String>,
    pub(super) arguments: Option<Arc<str>>,
    /// Whether there is more than that.
    pub(super) has_others: bool,
}

impl CommonParams {
    pub(super) fn parse(params: &[Member<'_>]) -> Result<Self, RpcError> {
        let mut common = Self::default();
        for param in params {
            let value = Some(param.value).filter(|value| *value != "null");
            match &*param.name {
                "_meta" => common.meta = value.map(Into::into),
                "name" => common.name = param.string(),
                "uri" => common.uri = param.string(),
                "arguments" => common.arguments = value.map(Into::into),
                other => {
                    check_unlike(other, &PARAMS)?;
                    common.has_others = true;
                }
            }
        }
        Ok(common)
    }
}

/// Refuses a name that is none of ours and could be taken for one.
fn check_unlike(name: &str, ours: &[&str]) -> Result<(), RpcError> {
    // In upper case first, for some letters have no other way down: `ſ` becomes `S`.
    let folded = name.to_uppercase().to_lowercase();
    if ours.contains(&folded.as_str()) {
        return Err(RpcError::invalid_request(format!("Invalid request: {folded} must be spelt in lower case")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use toolgate_domain::json;

    use super::*;

    #[test]
    fn a_name_of_ours_in_another_case_is_noticed() {
        let is_message = |text: &str| MessageMembers::parse(&json::scan(text.as_bytes()).unwrap()).is_ok();
        for good in ["{}", r#"{"method":1,"id":null,"Other":3,"methods":4,"Name":5,"params":null}"#] {
            assert!(is_message(good), "{good}");
        }
        for bad in [r#"{"Method":1}"#, r#"{"id":1,"ID":2}"#, r#"{"p\u0041rams":1}"#, r#"{"param\u017f":1}"#] {
            assert!(!is_message(bad), "{bad}");
        }
        let is_head = |text: &str| {
            let message = format!(r#"{{"params":{text}}}"#);
            let outline = json::scan(message.as_bytes()).unwrap();
            let (_, params) = MessageMembers::parse(&outline).unwrap().params.unwrap();
            CommonParams::parse(params).is_ok()
        };
        assert!(is_head(r#"{"name":1,"_meta":{"Name":1},"arguments":{"Name":1},"Cursor":1,"Method":2}"#));
        for bad in [r#"{"Name":1}"#, r#"{"name":1,"NAME":1}"#, r#"{"_Meta":1}"#, r#"{"Arguments":{}}"#] {
            assert!(!is_head(bad), "{bad}");
        }
    }
}
