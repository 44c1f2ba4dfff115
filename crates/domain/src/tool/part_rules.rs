//! Rules between the body of a tool and the files and parts that its mapping describes.

use super::{BodyType, ResponseType, ToolSpec};
use crate::fault::Fault;
use crate::parameters::MappingRule;

/// Checks that a rule for a file or a part fits the body.
pub(super) fn check(path: &str, rule: &MappingRule, spec: &ToolSpec) -> Result<(), Fault> {
    let Some(part) = &rule.part else { return Ok(()) };
    let refuse = |key: &str, message: &str| {
        let field = format!("{path}[{key}]");
        Err(Fault::invalid_value(&field, format!("{field} {message}")))
    };
    let is_multipart = spec.body_type == BodyType::Multipart;
    if part.is_file && spec.response_type == ResponseType::Mcp {
        return refuse("file", "needs the response_type text: otherwise the body contains the arguments as they are.");
    }
    if part.is_file && !is_multipart && !rule.is_whole_body {
        return refuse("file", "needs the body_type multipart, or whole.");
    }
    let part_key = if part.content_type.is_some() { "content_type" } else { "headers" };
    let describes_part = part.content_type.is_some() || !part.headers.is_empty();
    if describes_part && rule.is_whole_body {
        return refuse(part_key, "cannot be combined with whole; use the headers of the tool.");
    }
    if describes_part && !is_multipart {
        return refuse(part_key, "needs the body_type multipart.");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::endpoint_url::EndpointUrl;
    use crate::json::JsonObject;
    use crate::parameters::ParameterMapping;
    use crate::secrets::Secrets;
    use crate::tool::{HttpMethod, ToolPatch};

    /// The field that is refused in a tool with this rule for the argument `a`.
    fn refused_field(rule: &Value, body_type: BodyType, response_type: ResponseType) -> Option<String> {
        let mapping = JsonObject::from_stored(json!({"a": rule}).to_string());
        let patch = ToolPatch {
            http_method: Some(HttpMethod::Post),
            body_type: Some(body_type),
            response_type: Some(response_type),
            parameter_mapping: Some(ParameterMapping::parse("m", &mapping).unwrap()),
            ..ToolPatch::default()
        };
        let url = EndpointUrl::parse("u", "https://a.example/").unwrap();
        let result = ToolSpec::new("t".into(), url).apply(patch, &mut Secrets::default());
        result.err().map(|faults| faults.iter().next().unwrap().field.clone())
    }

    #[test]
    fn files_and_parts_that_do_not_fit_the_body_are_refused() {
        let file = json!({"location": "body", "file": true});
        let whole_file = json!({"location": "body", "file": true, "whole": true});
        let part = json!({"location": "body", "content_type": "a/b"});
        let part_headers = json!({"location": "body", "headers": {"X-A": "1"}});
        let whole_part = json!({"location": "body", "whole": true, "content_type": "a/b"});
        let json_part = json!({"location": "body", "style": "json"});
        let field = |key: &str| Some(format!("parameter_mapping[a][{key}]"));
        for (rule, body_type, refused) in [
            (&file, BodyType::Multipart, None),
            (&file, BodyType::Json, field("file")),
            (&file, BodyType::Form, field("file")),
            (&file, BodyType::Raw, field("file")),
            (&whole_file, BodyType::Raw, None),
            (&whole_file, BodyType::Json, None),
            (&part, BodyType::Multipart, None),
            (&part, BodyType::Json, field("content_type")),
            (&part_headers, BodyType::Form, field("headers")),
            (&whole_part, BodyType::Multipart, field("content_type")),
            (&json_part, BodyType::Multipart, None),
            (&json_part, BodyType::Json, field("style")),
            (&json!({"location": "body", "style": "form"}), BodyType::Multipart, field("style")),
        ] {
            assert_eq!(refused_field(rule, body_type, ResponseType::Text), refused, "{rule} {body_type:?}");
        }
        assert_eq!(refused_field(&file, BodyType::Multipart, ResponseType::Mcp), field("file"));
    }
}
