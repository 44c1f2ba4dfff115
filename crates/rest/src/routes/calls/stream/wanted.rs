//! Which events somebody is told of, and how they are written.

use std::fmt::Write;

use serde::Serialize;
use serde_json::json;
use toolgate_analytics::Event;
use toolgate_domain::user::Visibility;

use crate::routes::call_filter::CallFilter;
use crate::wire::{CallOut, ConnectedOut};

/// What somebody may see and wants to.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) visibility: Visibility,
    pub(super) filter: CallFilter,
}

impl Wanted {
    /// Writes an event down, if it is one of these.
    pub(super) fn tell(&self, event: &Event, text: &mut String) {
        if !self.includes(event) {
            return;
        }
        match event {
            Event::Call { record, is_captured } => write_event("call", &CallOut::live(record, *is_captured), text),
            Event::ClientConnected(client) => write_event("client_connected", &ConnectedOut::from(client), text),
        }
    }

    /// Writes down that a slow reader missed some. How many is for those only who see everything: it is the others'
    /// events, too.
    pub(super) fn tell_missed(&self, count: u64, text: &mut String) {
        let count = (self.visibility == Visibility::All).then_some(count);
        write_event("missed", &json!({"missed": count}), text);
    }

    fn includes(&self, event: &Event) -> bool {
        let (tool, client) = match event {
            Event::Call { record, .. } => (Some(record.tool_id), &record.client_type),
            Event::ClientConnected(client) => (None, &client.client_type),
        };
        let is_visible = match self.visibility {
            Visibility::All => true,
            Visibility::OwnedBy(user) => event.user_id() == user,
        };
        is_visible
            && self.filter.server.is_none_or(|server| server == event.server_id())
            && (self.filter.tool.is_none() || self.filter.tool == tool)
            && self.filter.client.as_ref().is_none_or(|wanted| wanted == client)
    }
}

/// JSON has no line breaks here, so one line of data is all of it.
fn write_event(kind: &str, data: &impl Serialize, text: &mut String) {
    if let Ok(data) = serde_json::to_string(data) {
        let _ = write!(text, "event: {kind}\ndata: {data}\n\n");
    }
}

#[cfg(test)]
mod tests {
    use toolgate_analytics::ClientConnected;
    use toolgate_domain::call::{CallRecord, FailureReason};
    use toolgate_domain::ids::{ServerId, ToolId, UserId};
    use toolgate_domain::time::Timestamp;

    use super::*;

    const WANTED: Wanted =
        Wanted { visibility: Visibility::All, filter: CallFilter { server: None, tool: None, client: None } };

    fn call() -> Event {
        let record = CallRecord {
            at: Timestamp::from_millis(1_792_000_000_007),
            client_name: Some("line\nbreak".to_owned()),
            failure: Some(FailureReason::Timeout),
            duration_us: 1500,
            request_id: "r".to_owned(),
            ..CallRecord::begun(UserId(1), ServerId(2), ToolId(3), "cursor".to_owned())
        };
        Event::Call { record, is_captured: true }
    }

    fn connected() -> Event {
        Event::ClientConnected(ClientConnected {
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
    fn only_what_is_ones_own_and_asked_for_is_told() {
        let told = |wanted: Wanted| (wanted.includes(&call()), wanted.includes(&connected()));
        let owned = |user| Wanted { visibility: Visibility::OwnedBy(UserId(user)), ..WANTED };
        assert_eq!(told(WANTED), (true, true));
        assert_eq!((told(owned(1)), told(owned(2))), ((true, true), (false, false)));
        let server =
            |id| Wanted { filter: CallFilter { server: Some(ServerId(id)), ..CallFilter::default() }, ..WANTED };
        assert_eq!((told(server(2)), told(server(3))), ((true, true), (false, false)));
        let client = |name: &str| Wanted {
            filter: CallFilter { client: Some(name.to_owned()), ..CallFilter::default() },
            ..WANTED
        };
        assert_eq!((told(client("cursor")), told(client("zed"))), ((true, true), (false, false)));
        // A client that comes has called no tool yet.
        let tool = |id| Wanted { filter: CallFilter { tool: Some(ToolId(id)), ..CallFilter::default() }, ..WANTED };
        assert_eq!((told(tool(3)), told(tool(4))), ((true, false), (false, false)));
    }

    #[test]
    fn each_event_is_one_line_of_json() {
        let mut text = String::new();
        WANTED.tell(&call(), &mut text);
        WANTED.tell(&connected(), &mut text);
        WANTED.tell_missed(7, &mut text);
        let events: Vec<(&str, serde_json::Value)> = text
            .split_terminator("\n\n")
            .map(|event| event.strip_prefix("event: ").unwrap().split_once("\ndata: ").unwrap())
            .map(|(kind, data)| (kind, serde_json::from_str(data).unwrap()))
            .collect();
        let [("call", call), ("client_connected", client), ("missed", missed)] = &events[..] else { panic!("{text}") };
        assert_eq!((&call["id"], &call["duration_ms"]), (&json!(null), &json!(1.5)));
        assert_eq!((&call["time"], &call["reason"]), (&json!("2026-10-14T17:46:40.007"), &json!("timeout")));
        assert_eq!((&call["client_name"], &call["captured"]), (&json!("line\nbreak"), &json!(true)));
        assert_eq!((&client["method"], &client["protocol_version"]), (&json!("initialize"), &json!("2025-11-25")));
        assert_eq!(missed["missed"], 7);
    }
}
