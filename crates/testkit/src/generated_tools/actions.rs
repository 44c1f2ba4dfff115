//! The actions of generated tools.

use serde_json::{Value, json};

/// What a generated tool does with its resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GeneratedAction {
    List,
    Get,
    Create,
    Update,
    Delete,
    Search,
    Count,
    Archive,
    Restore,
    Export,
    Import,
    Assign,
    Share,
    Approve,
    Cancel,
    Duplicate,
    Comment,
    Send,
    History,
}

impl GeneratedAction {
    /// The actions that every resource has.
    pub(super) const COMMON: [Self; 7] =
        [Self::List, Self::Get, Self::Create, Self::Update, Self::Delete, Self::Search, Self::Count];

    pub(super) fn verb(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Get => "get",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Search => "search",
            Self::Count => "count",
            Self::Archive => "archive",
            Self::Restore => "restore",
            Self::Export => "export",
            Self::Import => "import",
            Self::Assign => "assign",
            Self::Share => "share",
            Self::Approve => "approve",
            Self::Cancel => "cancel",
            Self::Duplicate => "duplicate",
            Self::Comment => "comment_on",
            Self::Send => "send",
            Self::History => "list_changes_of",
        }
    }

    /// Whether it concerns many objects of its resource.
    pub(super) fn is_plural(self) -> bool {
        matches!(self, Self::List | Self::Search | Self::Count | Self::Export | Self::Import)
    }

    pub(super) fn needs_id(self) -> bool {
        !self.is_plural() && self != Self::Create
    }

    /// Whether its arguments are the fields of the resource.
    pub(super) fn has_fields(self) -> bool {
        matches!(self, Self::List | Self::Create | Self::Update)
    }

    /// Its arguments other than the id and the fields.
    pub(super) fn arguments(self) -> Vec<(&'static str, Value)> {
        let text = json!({"type": "string"});
        let page = json!({"type": "integer", "minimum": 1, "default": 1});
        let page_size = json!({"type": "integer", "minimum": 1, "maximum": 100, "default": 30});
        match self {
            Self::List | Self::History => vec![("page", page), ("per_page", page_size)],
            Self::Search => vec![("q", text), ("sort", json!({"enum": ["created", "updated"]})), ("page", page)],
            Self::Count => vec![("since", json!({"type": "string", "format": "date"}))],
            Self::Export => vec![("format", json!({"enum": ["csv", "json", "xlsx"]}))],
            Self::Import => vec![("file_url", json!({"type": "string", "format": "uri"}))],
            Self::Assign => vec![("assignee_id", text)],
            Self::Share => vec![("email", json!({"type": "string", "format": "email"})), ("permission", text)],
            Self::Approve | Self::Cancel => vec![("reason", text)],
            Self::Comment => vec![("body", text)],
            Self::Send => vec![("to", text.clone()), ("message", text)],
            Self::Get
            | Self::Create
            | Self::Update
            | Self::Delete
            | Self::Archive
            | Self::Restore
            | Self::Duplicate => Vec::new(),
        }
    }

    /// The wordings of its description; `{one}` and `{many}` stand for the resource.
    pub(super) fn wordings(self) -> &'static [&'static str] {
        match self {
            Self::List => &[
                "List all {many}, newest first.",
                "Returns a page of {many}.",
                "Gives every {one} that matches the filters.",
                "Enumerates the {many} of the account.",
            ],
            Self::Get => &[
                "Get one {one} by its id.",
                "Returns the details of a {one}.",
                "Reads a single {one}.",
                "Fetch everything that is known about a {one}.",
            ],
            Self::Create => &[
                "Create a {one}.",
                "Adds a new {one} and returns it.",
                "Registers another {one}.",
                "Set up a {one} with the given fields.",
            ],
            Self::Update => &[
                "Update fields of a {one}.",
                "Changes an existing {one}; absent fields stay as they are.",
                "Edit a {one}.",
                "Modifies the {one} with this id.",
            ],
            Self::Delete => {
                &["Delete a {one}. This cannot be undone.", "Removes a {one} for good.", "Permanently erases a {one}."]
            }
            Self::Search => &[
                "Search {many} by text.",
                "Finds {many} that contain the given words.",
                "Full-text query over {many}.",
            ],
            Self::Count => {
                &["Count {many}.", "Returns how many {many} there are.", "The number of {many} since a day."]
            }
            Self::Archive => &["Archive a {one}, so that lists no longer show it.", "Moves a {one} to the archive."],
            Self::Restore => &["Restore a {one} that was deleted or archived.", "Brings back a removed {one}."],
            Self::Export => &["Export {many} to a file.", "Writes {many} to a spreadsheet and returns its link."],
            Self::Import => &["Import {many} from a file.", "Loads {many} in bulk from an uploaded file."],
            Self::Assign => &["Assign a {one} to a person.", "Makes a person responsible for a {one}."],
            Self::Share => &["Share a {one} with someone.", "Gives another person access to a {one}."],
            Self::Approve => &["Approve a {one}.", "Accepts a {one} that waits for a decision."],
            Self::Cancel => &["Cancel a {one}.", "Calls off a {one} before it takes effect."],
            Self::Duplicate => &["Duplicate a {one}.", "Makes a copy of a {one} under a new id."],
            Self::Comment => &["Comment on a {one}.", "Adds a remark to the discussion of a {one}."],
            Self::Send => &["Send a {one} to someone.", "Delivers a {one} by mail."],
            Self::History => &["List the changes of a {one}.", "Who changed a {one}, and when."],
        }
    }
}
