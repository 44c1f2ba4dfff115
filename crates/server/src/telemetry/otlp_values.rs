//! Parts common to the messages of all signals.

use opentelemetry_proto::tonic::common::v1::any_value::Value as OtlpValue;
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::resource::v1::Resource;

/// This service, as the collector sees it.
pub(super) struct ServiceIdentity {
    /// The node and its version.
    pub(super) resource: Resource,
    /// The source of spans and log records.
    pub(super) scope: InstrumentationScope,
}

impl ServiceIdentity {
    pub(super) fn new(node: &str) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        let attributes = [("service.name", "toolgate"), ("service.version", version), ("service.instance.id", node)]
            .map(|(key, value)| attribute(key, OtlpValue::StringValue(value.to_owned())));
        Self {
            resource: Resource { attributes: attributes.into(), ..Resource::default() },
            scope: InstrumentationScope {
                name: "toolgate".to_owned(),
                version: version.to_owned(),
                ..InstrumentationScope::default()
            },
        }
    }
}

pub(super) fn attribute(key: &str, value: OtlpValue) -> KeyValue {
    KeyValue { key: key.to_owned(), value: Some(any_value(value)), ..KeyValue::default() }
}

pub(super) fn any_value(value: OtlpValue) -> AnyValue {
    AnyValue { value: Some(value) }
}
