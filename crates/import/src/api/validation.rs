//! The rules for tools, applied to a candidate.

use serde_json::value::to_raw_value;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::headers::{SecretHeaders, SentHeaders};
use toolgate_domain::json::JsonObject;
use toolgate_domain::parameters::{ParameterMapping, declares_argument};
use toolgate_domain::text;
use toolgate_domain::tool::{DOCUMENT_MAX, object_schema};

use crate::api::candidate::Candidate;

/// Checks a candidate by the rules for tools. The error has the messages of the rules that it violates. A URL without a
/// host is not checked: it is completed later.
pub(crate) fn check(candidate: &Candidate, is_absolute: bool) -> Result<(), String> {
    let mut faults = Faults::default();
    faults.ok_or_record(text::identifier("name", &candidate.name));
    faults.ok_or_record(text::description("description", &candidate.description));
    if is_absolute {
        faults.ok_or_record(EndpointUrl::parse("endpoint_url", &candidate.endpoint_url));
    }
    check_headers(candidate, &mut faults);
    check_mapping(candidate, &mut faults);
    faults.ok_or_record(object_schema("input_schema", &candidate.input_schema));
    if !candidate.input_schema.as_str().is_ascii() {
        faults.ok_or_record(text::document("input_schema", &candidate.input_schema.to_value()));
    }
    let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    if messages.is_empty() { Ok(()) } else { Err(messages.join(" ")) }
}

fn check_headers(candidate: &Candidate, faults: &mut Faults) {
    let headers = to_raw_value(&candidate.headers).ok().and_then(|headers| JsonObject::from_raw(&headers));
    let headers = headers.unwrap_or_else(JsonObject::empty);
    if let Some(headers) = faults.ok_or_record(SentHeaders::parse("headers", &headers)) {
        faults.ok_or_record(headers.resolve("headers", &SecretHeaders::new()));
    }
}

fn check_mapping(candidate: &Candidate, faults: &mut Faults) {
    let field = "parameter_mapping";
    if candidate.parameter_mapping.as_str().len() > DOCUMENT_MAX {
        faults.push(Fault::too_long(field, DOCUMENT_MAX, "bytes"));
    }
    let Some(mapping) = faults.ok_or_record(ParameterMapping::parse(field, &candidate.parameter_mapping)) else {
        return;
    };
    let constants: Vec<String> =
        mapping.rules().into_iter().filter(|rule| rule.constant.is_some()).map(|rule| rule.key).collect();
    if !constants.is_empty() {
        let schema = candidate.input_schema.to_value();
        for key in constants.iter().filter(|key| declares_argument(&schema, key)) {
            let message = format!("{field}[{key}] is a constant, but input_schema has an argument of this name.");
            faults.push(Fault::invalid_value(format!("{field}[{key}]"), message));
        }
    }
}
