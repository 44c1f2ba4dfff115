//! The notifications for a change. Lists are compared in serialised form, so that changes that the client cannot see
//! are not announced.

use serde_json::Value;

use super::ChangeFilter;
use crate::catalog::snapshot::ServerSnapshot;
use crate::era::Era;
use crate::jsonrpc::reply::notification;

/// The notifications for the differences between two snapshots.
pub(super) fn change_notifications(
    last: &ServerSnapshot,
    current: &ServerSnapshot,
    subscriptions: &ChangeFilter,
    era: Era,
    meta: Option<&str>,
) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    let mut push = |method: &str| messages.push(notification(method, &params(None, meta)));
    if subscriptions.tools_list_changed && last.tools.lists.for_era(era) != current.tools.lists.for_era(era) {
        push("notifications/tools/list_changed");
    }
    if subscriptions.prompts_list_changed && last.prompts.lists.for_era(era) != current.prompts.lists.for_era(era) {
        push("notifications/prompts/list_changed");
    }
    let (old, new) = (&last.resources, &current.resources);
    let lists_differ = old.lists.for_era(era) != new.lists.for_era(era)
        || old.template_lists.for_era(era) != new.template_lists.for_era(era);
    if subscriptions.resources_list_changed && lists_differ {
        push("notifications/resources/list_changed");
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
