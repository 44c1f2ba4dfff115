//! Synonyms: a model may ask to `remove` something with a tool that is named `delete`. The sets contain common words of
//! business software; they are not tuned to particular searches.

/// Sets of verbs with a similar meaning, without plural endings.
#[rustfmt::skip]
const ACTIONS: [&[&str]; 22] = [
    &["create", "add", "new", "make", "register", "open", "set", "start", "begin", "insert", "issue", "launch", "build", "generate", "provision", "spin", "found"],
    &["create", "ask", "request", "report", "submit", "schedule", "plan", "book", "write", "draft", "compose", "post", "file", "record", "log", "raise"],
    &["list", "show", "browse", "see", "enumerate", "overview", "display", "which"],
    &["get", "read", "fetch", "retrieve", "show", "view", "load", "see", "detail", "check", "track", "inspect", "lookup", "info", "information"],
    &["delete", "remove", "erase", "drop", "destroy", "purge", "rid", "discard", "trash", "wipe", "clear", "eliminate"],
    &["update", "edit", "change", "modify", "adjust", "rename", "correct", "fix", "set", "move", "switch", "patch", "amend", "revise", "alter", "replace", "extend", "increase", "reduce", "resize", "reschedule"],
    &["search", "find", "look", "lookup", "query", "locate", "filter", "seek", "discover"],
    &["cancel", "stop", "abort", "void", "revoke", "call", "withdraw", "end", "terminate", "close", "halt", "discontinue", "quit", "disable", "deactivate", "suspend"],
    &["archive", "hide", "shelve", "retire", "store"],
    &["restore", "recover", "undelete", "bring", "unarchive", "undo", "roll", "rollback", "revert", "reactivate", "reinstate", "reopen", "resume", "revive", "renew", "back"],
    &["export", "download", "dump", "csv", "spreadsheet", "excel", "extract", "backup"],
    &["import", "upload", "bulk", "ingest"],
    &["count", "number", "many", "total", "amount", "quantity", "statistic"],
    &["approve", "accept", "confirm", "allow", "sign", "grant", "authorise", "authorize", "permit", "endorse", "agree", "ratify"],
    &["assign", "give", "allocate", "hand", "route", "delegate", "attach", "put", "appoint", "choose", "pick", "nominate", "transfer", "forward", "escalate", "responsible", "owner"],
    &["duplicate", "copy", "clone", "replicate"],
    &["share", "grant", "invite", "link", "access", "permission", "visible"],
    &["comment", "note", "remark", "reply", "respond", "answer", "discuss", "feedback"],
    &["send", "deliver", "post", "write", "publish", "mail", "email", "dispatch", "distribute"],
    &["history", "change", "audit", "trail", "log", "revision", "activity", "timeline", "touch", "version"],
    &["person", "people", "user", "member", "colleague", "coworker", "someone", "somebody"],
    &["merge", "join", "combine"],
];

/// Sets of nouns that different products use for the same thing, without plural endings.
#[rustfmt::skip]
const THINGS: [&[&str]; 40] = [
    &["issue", "bug", "defect", "task", "problem"],
    &["ticket", "complaint", "case", "support"],
    &["invoice", "bill"],
    &["customer", "client", "buyer", "consumer"],
    &["employee", "staff", "worker", "personnel", "hire"],
    &["vacation", "holiday", "leave", "absence"],
    &["salary", "wage", "payroll", "payslip"],
    &["job", "position", "vacancy", "opening"],
    &["applicant", "candidate"],
    &["meeting", "appointment", "event", "calendar"],
    &["shipment", "parcel", "package", "delivery"],
    &["order", "purchase"],
    &["product", "article", "item", "goods"],
    &["supplier", "vendor", "seller"],
    &["stock", "inventory"],
    &["discount", "coupon", "voucher", "promo", "promotion"],
    &["quote", "offer", "proposal"],
    &["deal", "opportunity"],
    &["company", "business", "organisation", "organization", "firm"],
    &["price", "cost", "fee", "charge"],
    &["payment", "transaction", "transfer"],
    &["tax", "vat"],
    &["server", "machine", "vm", "instance", "host"],
    &["disk", "drive", "volume"],
    &["backup", "snapshot"],
    &["repository", "repo"],
    &["database", "db"],
    &["credential", "password", "secret", "token"],
    &["domain", "dns", "zone"],
    &["channel", "room"],
    &["team", "group"],
    &["tag", "label", "category"],
    &["file", "document", "attachment"],
    &["picture", "photo", "image"],
    &["video", "film", "clip", "movie"],
    &["song", "track", "music"],
    &["subtitle", "caption"],
    &["broadcast", "stream"],
    &["survey", "questionnaire", "form"],
    &["poll", "vote", "ballot"],
];

/// The synonyms of a word.
pub(super) fn synonyms(word: &str) -> impl Iterator<Item = &'static str> {
    let sets = ACTIONS.iter().chain(&THINGS).filter(move |set| set.contains(&word));
    sets.flat_map(|set| set.iter().copied()).filter(move |other| *other != word)
}

/// The verb after the prefix `re`: `assign` of `reassign`.
pub(super) fn repeated_action(word: &str) -> Option<&str> {
    let verb = word.strip_prefix("re")?;
    ACTIONS.iter().any(|set| set.contains(&verb)).then_some(verb)
}
