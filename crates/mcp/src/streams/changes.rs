//! What a client sees differently now: compared as it would be sent, so that nobody is told of what does not show.

use serde_json::Value;

use super::Wanted;
use crate::catalog::Published;
use crate::era::Era;
use crate::jsonrpc::notification;

/// The messages that tell of the way from `before` to `now`.
pub(super) fn changes(
    before: &Published,
    now: &Published,
    wanted: &Wanted,
    era: Era,
    meta: Option<&str>,
) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    let mut tell = |method: &str| messages.push(notification(method, &params(None, meta)));
    if wanted.tools_list_changed && before.tools.lists.of(era) != now.tools.lists.of(era) {
        tell("notifications/tools/list_changed");
    }
    if wanted.prompts_list_changed && before.prompts.lists.of(era) != now.prompts.lists.of(era) {
        tell("notifications/prompts/list_changed");
    }
    let (old, new) = (&before.resources, &now.resources);
    let lists_differ =
        old.lists.of(era) != new.lists.of(era) || old.template_lists.of(era) != new.template_lists.of(era);
    if wanted.resources_list_changed && lists_differ {
        tell("notifications/resources/list_changed");
    }
    let updated = wanted.resource_subscriptions.iter().filter(|uri| old.fingerprint(uri) != new.fingerprint(uri));
    messages.extend(updated.map(|uri| notification("notifications/resources/updated", &params(Some(uri), meta))));
    messages
}

fn params(uri: Option<&str>, meta: Option<&str>) -> String {
    let uri = uri.map(|uri| format!(r#""uri":{}"#, Value::from(uri)));
    let meta = meta.map(|meta| format!(r#""_meta":{meta}"#));
    format!("{{{}}}", uri.into_iter().chain(meta).collect::<Vec<_>>().join(","))
}
