//! The parameters of a request. What every method may need of them (`_meta`, and what the request is about) is read
//! once; the rest stays text until the method reads it.

use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use toolgate_domain::json::{JsonFault, Member};

use super::RpcError;
use super::members::CommonParams;

/// The parameters of a request: an object, or nothing.
#[derive(Debug, Default)]
pub(crate) struct RpcParams {
    object: Option<Box<str>>,
    common: CommonParams,
}

/// What a request says about itself. Whatever is of the wrong type counts as not there.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) protocol_version: Option<Value>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(crate) client_capabilities: Option<Box<RawValue>>,
    #[serde(rename = "io.modelcontextprotocol/clientInfo")]
    pub(crate) client_info: Option<Value>,
    #[serde(rename = "io.modelcontextprotocol/logLevel")]
    pub(crate) log_level: Option<Value>,
    #[serde(rename = "progressToken")]
    pub(crate) progress_token: Option<Value>,
}

impl Meta {
    /// What the client calls itself; clients of any era may say it.
    pub(crate) fn client_name(&self) -> Option<&str> {
        self.client_info.as_ref()?.get("name")?.as_str()
    }
}

impl RpcParams {
    /// Takes an object with its members, or nothing.
    pub(super) fn parse(params: Option<(&str, &[Member<'_>])>) -> Result<Self, RpcError> {
        let Some((object, members)) = params else { return Ok(Self::default()) };
        if !object.starts_with('{') {
            return Err(RpcError::invalid_request("Invalid request: params must be an object"));
        }
        Ok(Self { object: Some(object.into()), common: CommonParams::parse(members)? })
    }

    /// What the request says about itself, where it says anything.
    pub(crate) fn meta(&self) -> Option<Meta> {
        let object = self.common.meta.as_ref().filter(|meta| meta.starts_with('{'))?;
        serde_json::from_str(object).ok()
    }

    /// The name of what is asked for.
    pub(crate) fn name(&self) -> Option<&str> {
        self.common.name.as_deref()
    }

    /// The address of what is asked for.
    pub(crate) fn uri(&self) -> Option<&str> {
        self.common.uri.as_deref()
    }

    /// The arguments, as JSON.
    pub(crate) fn arguments(&self) -> Option<&Arc<str>> {
        self.common.arguments.as_ref()
    }

    /// Whether there are others than `_meta`, `name`, `uri` and `arguments`.
    pub(crate) fn has_others(&self) -> bool {
        self.common.has_others
    }

    /// The parameters as `T`; unknown members are ignored.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, RpcError> {
        serde_json::from_str(self.as_json()).map_err(|error| {
            let path = self.path_of_error::<T>().map(|path| format!("{path}: ")).unwrap_or_default();
            let reason = format!("{path}{}", JsonFault::from(error).message);
            RpcError::invalid_params(format!("Invalid params: {}", reason.chars().take(300).collect::<String>()))
        })
    }

    /// Which parameter cannot be read; none where one is missing.
    fn path_of_error<T: DeserializeOwned>(&self) -> Option<String> {
        let mut text = serde_json::Deserializer::from_str(self.as_json());
        let fault = serde_path_to_error::deserialize::<_, T>(&mut text).err()?;
        fault.path().iter().next().map(|_| fault.path().to_string())
    }

    /// The object as text, `{}` where there is none.
    pub(crate) fn as_json(&self) -> &str {
        self.object.as_deref().unwrap_or("{}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use toolgate_domain::json;

    use super::*;

    fn read(text: &str) -> Result<RpcParams, RpcError> {
        let message = format!("{{\"params\":{text}}}");
        let outline = json::scan(message.as_bytes()).unwrap();
        let (param, inner) = outline.members().next().unwrap();
        RpcParams::parse(Some((param.value, inner)))
    }

    fn params(text: &str) -> RpcParams {
        read(text).unwrap()
    }

    #[test]
    fn a_key_may_be_spelt_with_escapes() {
        let params = params(r#"{"\u005fmeta":{"progressTok\u0065n":7},"n\u0061me":"x"}"#);
        assert_eq!(params.meta().unwrap().progress_token, Some(7.into()));
        assert_eq!(params.name(), Some("x"));
        assert_eq!(params.uri(), None);
    }

    #[test]
    fn a_refusal_names_what_cannot_be_read() {
        #[derive(Debug, Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct TestParams {
            #[expect(dead_code, reason = "only whether it can be read counts")]
            request_state: String,
            #[expect(dead_code, reason = "likewise")]
            input: Option<HashMap<String, Vec<u8>>>,
            #[expect(dead_code, reason = "likewise")]
            raw: Option<Box<RawValue>>,
        }
        let refusal = |text: &str| params(text).read::<TestParams>().unwrap_err().message;
        let type_fault = "invalid type: integer `7`, expected a string";
        assert_eq!(refusal(r#"{"raw":[1],"requestState":7}"#), format!("Invalid params: requestState: {type_fault}"));
        assert_eq!(refusal("{}"), "Invalid params: missing field `requestState`");
        let inner = refusal(r#"{"requestState":"","input":{"a":[1,"x"]}}"#);
        assert_eq!(inner, "Invalid params: input.a[1]: invalid type: string \"x\", expected u8");
        let long = format!(r#"{{"requestState":"","input":{{"{}":1}}}}"#, "k".repeat(1000));
        assert_eq!(refusal(&long).chars().count(), "Invalid params: ".len() + 300);
    }

    #[test]
    fn what_is_of_the_wrong_type_is_not_there() {
        for text in ["{}", r#"{"_meta":null}"#, r#"{"_meta":[1,2,3,4,5]}"#, r#"{"_meta":"x","name":7}"#] {
            assert!(params(text).meta().is_none() && params(text).name().is_none(), "{text}");
        }
        let none = params(r#"{"_meta":null,"name":null,"uri":null,"arguments":null}"#);
        assert!(none.name().is_none() && none.uri().is_none() && none.arguments().is_none() && !none.has_others());
        assert!(read("[]").is_err());
        assert_eq!(RpcParams::parse(None).unwrap().as_json(), "{}");
    }
}
