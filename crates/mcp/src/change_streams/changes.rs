//! The notifications for a change. Snapshots are compared in serialised form, so that invisible changes are not
//! announced.

use serde_json::Value;

use super::ChangeFilter;
use crate::catalog::ServerSnapshot;
use crate::era::Era;
use crate::jsonrpc::notification;

/// The notifications for the differences between two snapshots.
pub(super) fn changes(
    before: &ServerSnapshot,
    now: &ServerSnapshot,
    subscriptions: &ChangeFilter,
    era: Era,
    meta: Option<&str>,
) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    let mut send = |method: &str| messages.push(notification(method, &params(None, meta)));
    if subscriptions.tools_list_changed && before.tools.lists.for_era(era) != now.tools.lists.for_era(era) {
        send("notifications/tools/list_changed");
    }
    if subscriptions.prompts_list_changed && before.prompts.lists.for_era(era) != now.prompts.lists.for_era(era) {
        send("notifications/prompts/list_changed");
    }
    let (old, new) = (&before.resources, &now.resources);
    let lists_differ = old.lists.for_era(era) != new.lists.for_era(era)
        || old.template_lists.for_era(era) != new.template_lists.for_era(era);
    if subscriptions.resources_list_changed && lists_differ {
        send("notifications/resources/list_changed");
    }
    let updated =
        subscriptions.resource_subscriptions.iter().filter(|uri| old.fingerprint(uri) != new.fingerprint(uri));
    messages.extend(updated.map(|uri| notification("notifications/resources/updated", &params(Some(uri), meta))));
    messages
}

fn params(uri: Option<&str>, meta: Option<&str>) -> String {
    let uri = uri.map(|uri| format!(r#""uri":{}"#, Value::from(uri)));
    let meta = meta.map(|meta| format!(r#""_meta":{meta}"#));
    format!("{{{}}}", uri.into_iter().chain(meta).collect::<Vec<_>>().join(","))
}
