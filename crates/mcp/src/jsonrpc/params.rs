//! The parameters of a request. Those that several methods share are parsed with the message; the others stay JSON text
//! until the method parses them.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use toolgate_domain::json::{JsonFault, Member};

use super::error::RpcError;
use super::members::check_case;
use super::meta::Meta;

/// The longest reason of an invalid parameter, in characters; it can contain texts of the request.
const REASON_MAX: usize = 300;

const PARAM_NAMES: [&str; 4] = ["_meta", "name", "uri", "arguments"];

/// The parameters of a request, which are optional. `null` is treated as absent.
#[derive(Debug, Default)]
pub(crate) struct RpcParams {
    object: Option<Box<str>>,
    /// The `_meta` of the request; `None` if it is absent or not an object.
    pub(crate) meta: Option<Arc<Meta>>,
    /// The name of the requested tool or prompt; `None` if it is not a string.
    pub(crate) name: Option<String>,
    /// The URI of the requested resource; `None` if it is not a string.
    pub(crate) uri: Option<String>,
    /// The arguments, as JSON.
    pub(crate) arguments: Option<Arc<str>>,
    /// Whether there are other parameters.
    pub(crate) has_others: bool,
}

impl RpcParams {
    /// Parses the object, given as JSON text and as members; `None` if the request has no parameters.
    pub(super) fn parse(params: Option<(&str, &[Member<'_>])>) -> Result<Self, RpcError> {
        let Some((object, members)) = params else { return Ok(Self::default()) };
        if !object.starts_with('{') {
            return Err(RpcError::invalid_request("Invalid request: params must be an object"));
        }
        let mut params = Self { object: Some(object.into()), ..Self::default() };
        for member in members {
            let value = Some(member.value).filter(|value| *value != "null");
            match &*member.name {
                "_meta" => params.meta = value.and_then(Meta::parse),
                "name" => params.name = member.string(),
                "uri" => params.uri = member.string(),
                "arguments" => params.arguments = value.map(Into::into),
                other => {
                    check_case(other, &PARAM_NAMES)?;
                    params.has_others = true;
                }
            }
        }
        Ok(params)
    }

    /// Deserialises the parameters; unknown members are ignored.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, RpcError> {
        serde_json::from_str(self.as_json()).map_err(|error| {
            let path = self.error_path::<T>().map(|path| format!("{path}: ")).unwrap_or_default();
            let reason = format!("{path}{}", JsonFault::from(error).message);
            RpcError::invalid_params(format!("Invalid params: {}", reason.chars().take(REASON_MAX).collect::<String>()))
        })
    }

    /// The path of the parameter that has the wrong type; `None` if a parameter is missing.
    fn error_path<T: DeserializeOwned>(&self) -> Option<String> {
        let mut deserializer = serde_json::Deserializer::from_str(self.as_json());
        let error = serde_path_to_error::deserialize::<_, T>(&mut deserializer).err()?;
        error.path().iter().next().map(|_| error.path().to_string())
    }

    /// The parameters as JSON text; `{}` if there are none.
    pub(crate) fn as_json(&self) -> &str {
        self.object.as_deref().unwrap_or("{}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde::Deserialize;
    use serde_json::value::RawValue;
    use toolgate_domain::json;

    use super::*;

    fn parse(text: &str) -> Result<RpcParams, RpcError> {
        let message = format!("{{\"params\":{text}}}");
        let document = json::scan(message.as_bytes()).unwrap();
        let (param, inner) = document.members().next().unwrap();
        RpcParams::parse(Some((param.value, inner)))
    }

    fn params(text: &str) -> RpcParams {
        parse(text).unwrap()
    }

    #[test]
    fn names_may_contain_escapes() {
        let params = params(r#"{"\u005fmeta":{"progressTok\u0065n":7},"n\u0061me":"x"}"#);
        assert_eq!(params.meta.unwrap().progress_token, Some(7.into()));
        assert_eq!(params.name.as_deref(), Some("x"));
        assert_eq!(params.uri, None);
    }

    #[test]
    fn an_error_names_the_invalid_parameter() {
        #[derive(Debug, Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct TestParams {
            #[expect(dead_code, reason = "only parsed")]
            request_state: String,
            #[expect(dead_code, reason = "only parsed")]
            input: Option<HashMap<String, Vec<u8>>>,
            #[expect(dead_code, reason = "only parsed")]
            raw: Option<Box<RawValue>>,
        }
        let error_text = |text: &str| params(text).read::<TestParams>().unwrap_err().message;
        let type_error = "invalid type: integer `7`, expected a string";
        assert_eq!(
            error_text(r#"{"raw":[1],"requestState":7}"#),
            format!("Invalid params: requestState: {type_error}")
        );
        assert_eq!(error_text("{}"), "Invalid params: missing field `requestState`");
        let inner = error_text(r#"{"requestState":"","input":{"a":[1,"x"]}}"#);
        assert_eq!(inner, "Invalid params: input.a[1]: invalid type: string \"x\", expected u8");
        let long = format!(r#"{{"requestState":"","input":{{"{}":1}}}}"#, "k".repeat(1000));
        assert_eq!(error_text(&long).chars().count(), "Invalid params: ".len() + REASON_MAX);
    }

    #[test]
    fn parameters_of_the_wrong_type_are_treated_as_absent() {
        for text in ["{}", r#"{"_meta":null}"#, r#"{"_meta":[1,2,3,4,5]}"#, r#"{"_meta":"x","name":7}"#] {
            assert!(params(text).meta.is_none() && params(text).name.is_none(), "{text}");
        }
        let none = params(r#"{"_meta":null,"name":null,"uri":null,"arguments":null}"#);
        assert!(none.name.is_none() && none.uri.is_none() && none.arguments.is_none() && !none.has_others);
        assert!(parse("[]").is_err());
        assert_eq!(RpcParams::parse(None).unwrap().as_json(), "{}");
    }

    #[test]
    fn a_known_name_in_another_case_is_refused() {
        assert!(parse(r#"{"name":1,"_meta":{"Name":1},"arguments":{"Name":1},"Cursor":1,"Method":2}"#).is_ok());
        for bad in [r#"{"Name":1}"#, r#"{"name":1,"NAME":1}"#, r#"{"_Meta":1}"#, r#"{"Arguments":{}}"#] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
