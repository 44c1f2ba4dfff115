//! The notifications for a change. Lists are compared in serialised form, so that changes that the client cannot see
//! are not announced.

use serde_json::Value;

use super::ChangeFilter;
use crate::catalog::lists::ListsByEra;
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
    let (old, new) = (&last.resources, &current.resources);
    let differ = |one: &ListsByEra, other: &ListsByEra| one.for_era(era) != other.for_era(era);
    let have_resources_changed = differ(&old.lists, &new.lists) || differ(&old.template_lists, &new.template_lists);
    let have_tools_changed = differ(&last.tools.lists, &current.tools.lists)
        || era != Era::Bare && last.tools.discovery.may_list_differently(&current.tools.discovery);
    let changed_lists = [
        ("tools", subscriptions.tools_list_changed && have_tools_changed),
        ("prompts", subscriptions.prompts_list_changed && differ(&last.prompts.lists, &current.prompts.lists)),
        ("resources", subscriptions.resources_list_changed && have_resources_changed),
    ];
    let changed_lists = changed_lists.into_iter().filter(|(_, is_changed)| *is_changed);
    let changed_lists =
        changed_lists.map(|(list, _)| notification(&format!("notifications/{list}/list_changed"), &params(None, meta)));
    let updated =
        subscriptions.resource_subscriptions.iter().filter(|uri| old.fingerprint(uri) != new.fingerprint(uri));
    let updated = updated.map(|uri| notification("notifications/resources/updated", &params(Some(uri), meta)));
    changed_lists.chain(updated).collect()
}

fn params(uri: Option<&str>, meta: Option<&str>) -> String {
    let uri = uri.map(|uri| format!(r#""uri":{}"#, Value::from(uri)));
    let meta = meta.map(|meta| format!(r#""_meta":{meta}"#));
    format!("{{{}}}", uri.into_iter().chain(meta).collect::<Vec<_>>().join(","))
}
