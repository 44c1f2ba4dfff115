//! Verbs and nouns of API actions that mean the same: a model asks to `remove` what the tool calls `delete`.

/// Words of one meaning, without plural endings.
const SYNONYMS: [&[&str]; 20] = [
    &["create", "add", "new", "make", "register", "open", "set", "start", "begin", "insert", "issue", "launch"],
    &["create", "ask", "request", "report", "submit", "schedule", "plan", "book", "write", "draft", "compose", "post"],
    &["list", "show", "browse", "see", "enumerate", "overview"],
    &["get", "read", "fetch", "retrieve", "show", "view", "load", "see", "detail", "check", "track"],
    &["delete", "remove", "erase", "drop", "destroy", "purge", "rid"],
    &["update", "edit", "change", "modify", "adjust", "rename", "correct", "fix", "set", "move", "switch", "patch"],
    &["search", "find", "look", "lookup", "query", "locate", "filter"],
    &["cancel", "stop", "abort", "void", "revoke", "call", "withdraw", "end", "terminate"],
    &["archive", "hide", "shelve"],
    &["restore", "recover", "undelete", "bring", "unarchive", "undo", "roll", "rollback", "revert"],
    &["export", "download", "dump", "csv", "spreadsheet"],
    &["import", "upload", "bulk"],
    &["count", "number", "many", "total"],
    &["approve", "accept", "confirm", "allow", "sign"],
    &["assign", "give", "allocate", "hand", "route", "delegate", "attach", "put"],
    &["duplicate", "copy", "clone"],
    &["share", "grant", "invite", "link"],
    &["comment", "note", "remark", "reply"],
    &["send", "deliver", "post", "write", "publish", "mail", "email"],
    &["person", "people", "user", "member", "colleague", "coworker"],
];

/// The words that mean the same as `word`.
pub(super) fn synonyms(word: &str) -> impl Iterator<Item = &'static str> {
    let sets = SYNONYMS.iter().filter(move |set| set.contains(&word));
    sets.flat_map(|set| set.iter().copied()).filter(move |other| *other != word)
}
