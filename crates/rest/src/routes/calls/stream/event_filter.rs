//! Selects the events of a stream and writes them as server-sent events.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use serde_json::json;
use toolgate_analytics::ActivityEvent;
use toolgate_domain::ids::ServerId;
use toolgate_domain::member::MemberRole;
use toolgate_domain::user::Visibility;

use crate::routes::call_filter::CallFilter;
use crate::routes::origin_filter::OriginFilter;
use crate::wire::call::{CallOut, ConnectedClientOut};

/// The events that a caller may see and has requested.
#[derive(Clone, Debug)]
pub(super) struct EventFilter {
    pub(super) visibility: Visibility,
    /// The servers that are shared with the caller.
    pub(super) shared: BTreeMap<ServerId, MemberRole>,
    pub(super) calls: CallFilter,
    pub(super) origin: OriginFilter,
}

impl EventFilter {
    /// Writes an event, if the filter includes it.
    pub(super) fn write(&self, event: &ActivityEvent, text: &mut String) {
        if !self.includes(event) {
            return;
        }
        match event {
            ActivityEvent::Call { record, is_captured } => {
                write_event("call", &CallOut::live(record, *is_captured), text);
            }
            ActivityEvent::ClientConnected(client) => {
                write_event("client_connected", &ConnectedClientOut::new(client), text);
            }
        }
    }

    /// Writes a `missed` event. The number is included only for callers who see all events, because it also counts
    /// events of other users.
    pub(super) fn write_missed(&self, count: u64, text: &mut String) {
        let count = (self.visibility == Visibility::All).then_some(count);
        write_event("missed", &json!({"missed": count}), text);
    }

    fn includes(&self, event: &ActivityEvent) -> bool {
        let (tool, client) = match event {
            ActivityEvent::Call { record, .. } => (Some(record.tool_id), &record.client_type),
            ActivityEvent::ClientConnected(client) => (None, &client.client_type),
        };
        let is_visible = match self.visibility {
            Visibility::All => true,
            Visibility::User(user) => event.user_id() == user || self.shared.contains_key(&event.server_id()),
        };
        let has_origin = match event {
            ActivityEvent::Call { record, .. } => self.origin.includes(&record.origin),
            ActivityEvent::ClientConnected(_) => self.origin.is_empty(),
        };
        is_visible
            && has_origin
            && self.calls.server.is_none_or(|server| server == event.server_id())
            && (self.calls.tool.is_none() || self.calls.tool == tool)
            && self.calls.client.as_ref().is_none_or(|requested| requested == client)
    }
}

/// The JSON is compact and has no line breaks, so one `data` line holds all of it.
fn write_event(kind: &str, data: &impl Serialize, text: &mut String) {
    if let Ok(data) = serde_json::to_string(data) {
        let _ = write!(text, "event: {kind}\ndata: {data}\n\n");
    }
}

#[cfg(test)]
mod tests {
    use toolgate_analytics::ClientConnected;
    use toolgate_domain::call::{CallCredential, CallOrigin, CallRecord, FailureReason};
    use toolgate_domain::ids::{EndpointKeyId, ToolId, UserId};
    use toolgate_domain::time::Timestamp;

    use super::*;

    fn filter() -> EventFilter {
        EventFilter {
            visibility: Visibility::All,
            shared: BTreeMap::new(),
            calls: CallFilter::default(),
            origin: OriginFilter::default(),
        }
    }

    fn call() -> ActivityEvent {
        let record = CallRecord {
            at: Timestamp::from_millis(1_792_000_000_007),
            client_name: Some("line\nbreak".to_owned()),
            failure: Some(FailureReason::Timeout),
            duration_us: 1500,
            request_id: "r".to_owned(),
            origin: CallOrigin {
                credential: CallCredential::EndpointKey(EndpointKeyId(4)),
                client_address: Some([203, 0, 113, 9].into()),
            },
            ..CallRecord::new(UserId(1), ServerId(2), ToolId(3), "cursor".to_owned())
        };
        ActivityEvent::Call { record, is_captured: true }
    }

    fn connected() -> ActivityEvent {
        ActivityEvent::ClientConnected(ClientConnected {
            at: Timestamp::from_millis(0),
            user_id: UserId(1),
            server_id: ServerId(2),
            client_type: "cursor".to_owned(),
            client_name: None,
            protocol_version: Some("2025-11-25"),
            method: "initialize",
        })
    }

    #[test]
    fn only_visible_and_requested_events_are_included() {
        let included = |filter: EventFilter| (filter.includes(&call()), filter.includes(&connected()));
        let owned = |user| EventFilter { visibility: Visibility::User(UserId(user)), ..filter() };
        assert_eq!(included(filter()), (true, true));
        assert_eq!((included(owned(1)), included(owned(2))), ((true, true), (false, false)));
        let shared = |id| EventFilter { shared: BTreeMap::from([(ServerId(id), MemberRole::Viewer)]), ..owned(2) };
        assert_eq!((included(shared(2)), included(shared(3))), ((true, true), (false, false)));
        let server =
            |id| EventFilter { calls: CallFilter { server: Some(ServerId(id)), ..CallFilter::default() }, ..filter() };
        assert_eq!((included(server(2)), included(server(3))), ((true, true), (false, false)));
        let client = |name: &str| EventFilter {
            calls: CallFilter { client: Some(name.to_owned()), ..CallFilter::default() },
            ..filter()
        };
        assert_eq!((included(client("cursor")), included(client("zed"))), ((true, true), (false, false)));
        // A client that connects has called no tool yet.
        let tool =
            |id| EventFilter { calls: CallFilter { tool: Some(ToolId(id)), ..CallFilter::default() }, ..filter() };
        assert_eq!((included(tool(3)), included(tool(4))), ((true, false), (false, false)));
        let key = |id| EventFilter {
            origin: OriginFilter { endpoint_key: Some(EndpointKeyId(id)), ..OriginFilter::default() },
            ..filter()
        };
        assert_eq!((included(key(4)), included(key(5))), ((true, false), (false, false)));
        let caller = |caller| EventFilter {
            origin: OriginFilter { caller: Some(caller), ..OriginFilter::default() },
            ..filter()
        };
        let (key, user) = (CallCredential::EndpointKey(EndpointKeyId(4)), CallCredential::User(UserId(4)));
        assert_eq!((included(caller(key)), included(caller(user))), ((true, false), (false, false)));
        let address = |last| EventFilter {
            origin: OriginFilter { client_address: Some([203, 0, 113, last].into()), ..OriginFilter::default() },
            ..filter()
        };
        assert_eq!((included(address(9)), included(address(8))), ((true, false), (false, false)));
    }

    #[test]
    fn each_event_is_one_line_of_json() {
        let mut text = String::new();
        filter().write(&call(), &mut text);
        filter().write(&connected(), &mut text);
        filter().write_missed(7, &mut text);
        let events: Vec<(&str, serde_json::Value)> = text
            .split_terminator("\n\n")
            .map(|event| event.strip_prefix("event: ").unwrap().split_once("\ndata: ").unwrap())
            .map(|(kind, data)| (kind, serde_json::from_str(data).unwrap()))
            .collect();
        let [("call", call), ("client_connected", client), ("missed", missed)] = &events[..] else { panic!("{text}") };
        assert_eq!((&call["id"], &call["duration_ms"]), (&json!(null), &json!(1.5)));
        assert_eq!((&call["time"], &call["reason"]), (&json!("2026-10-14T17:46:40.007"), &json!("timeout")));
        assert_eq!((&call["client_name"], &call["captured"]), (&json!("line\nbreak"), &json!(true)));
        assert_eq!((&call["endpoint_key_id"], &call["client_address"]), (&json!(4), &json!("203.0.113.9")));
        assert_eq!(call["caller"], json!({"kind": "key", "id": 4, "name": null}));
        assert_eq!((&client["method"], &client["protocol_version"]), (&json!("initialize"), &json!("2025-11-25")));
        assert_eq!(missed["missed"], 7);
    }
}
