//! Walks through the folders of a collection.

use indexmap::IndexSet;
use serde_json::Value;

use crate::api::left_out::LeftOutReason;
use crate::api::options::ImportOptions;
use crate::api::pointer::Pointer;
use crate::api::postman::request::{self, Inherited};
use crate::api::postman::scope::{ItemError, RequestScope};
use crate::api::postman::variables::VariableScopes;
use crate::api::problem::{Problem, ProblemCode};
use crate::api::reference::Located;
use crate::api::request_tool::RequestTools;
use crate::api::text_cleaning::strip_invisible;

/// Maximum number of requests that are read.
const REQUESTS_MAX: usize = 20_000;
/// Maximum length of a tag, in characters.
const TAG_MAX: usize = 64;

/// A collection that is being read.
pub(super) struct Collection<'a, 'o> {
    root: Located<'a>,
    options: &'o ImportOptions,
    title: String,
    /// The folders around the current item.
    folders: Vec<&'a Value>,
    variables: VariableScopes<'o>,
    /// The authentication of the collection and of each folder.
    auths: Vec<Located<'a>>,
    tools: RequestTools,
    servers: IndexSet<String>,
}

impl<'a, 'o> Collection<'a, 'o> {
    pub(super) fn new(root: &'a Value, options: &'o ImportOptions) -> Self {
        let title = root.pointer("/info/name").and_then(Value::as_str).map(strip_invisible);
        Self {
            root: Located { value: root, pointer: Pointer::root() },
            options,
            title: title.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| "the collection".to_owned()),
            folders: Vec::new(),
            variables: VariableScopes::new(&options.variables),
            auths: Vec::new(),
            tools: RequestTools::default(),
            servers: IndexSet::new(),
        }
    }

    pub(super) fn read(mut self) -> RequestTools {
        let root = self.root.clone();
        self.read_group(&root);
        RequestTools { servers: self.servers.into_iter().collect(), ..self.tools }
    }

    /// Reads the items of the collection or of a folder.
    fn read_group(&mut self, group: &Located<'a>) {
        self.variables.enter(group.value);
        self.count_scripts(group.value);
        let auth = group.member("auth").filter(|auth| !auth.value.is_null());
        let has_auth = auth.is_some();
        self.auths.extend(auth);
        for item in group.member("item").iter().flat_map(Located::items) {
            if item.value.get("item").is_some_and(Value::is_array) {
                self.folders.push(item.value);
                self.read_group(&item);
                self.folders.pop();
            } else {
                self.read_item(&item);
            }
        }
        if has_auth {
            self.auths.pop();
        }
        self.variables.leave();
    }

    fn read_item(&mut self, item: &Located<'a>) {
        self.count_scripts(item.value);
        let responses = item.value.get("response").and_then(Value::as_array).map_or(0, Vec::len);
        self.tools.left_out.add_many(LeftOutReason::SavedResponse, responses);
        self.tools.operations += 1;
        if self.tools.operations > REQUESTS_MAX {
            self.tools.left_out.add(LeftOutReason::EntryLimit);
            return;
        }
        let Some(request) =
            item.member("request").filter(|request| request.value.is_object() || request.value.is_string())
        else {
            let message = "The item is neither a folder nor an HTTP request.";
            return self.add_problem(item, ItemError::new(ProblemCode::Malformed, &item.pointer, message));
        };
        self.variables.enter(item.value);
        let inherited = Inherited {
            collection: &self.title,
            folder: self.folder_names(),
            auth: self.auths.last().cloned(),
            sends_get_body: self.sends_get_body(item.value),
            base_url: self.options.base_url.as_deref(),
        };
        let scope = RequestScope::new(&self.variables);
        let read = request::read(item, &request, &inherited, scope, &mut self.tools.credentials);
        self.variables.leave();
        match read {
            Ok(read) => {
                self.servers.insert(read.origin);
                self.tools.tools.push(read.tool);
            }
            Err(error) => self.add_problem(item, error),
        }
    }

    fn add_problem(&mut self, item: &Located<'_>, error: ItemError) {
        let ItemError { code, message, pointer } = error;
        // The problem is reported under the name of the request, because its path may not be known.
        let operation = item.text("name").map(strip_invisible).filter(|name| !name.trim().is_empty());
        self.tools.problems.push(Problem { pointer, operation, code, message });
    }

    /// The names of the folders, joined.
    fn folder_names(&self) -> String {
        let names = self.folders.iter().filter_map(|folder| folder.get("name")?.as_str());
        let joined = names.map(|name| strip_invisible(name.trim())).collect::<Vec<_>>().join(" / ");
        joined.chars().take(TAG_MAX).collect::<String>().trim().to_owned()
    }

    /// Whether Postman sends the body of a GET. The innermost setting applies.
    fn sends_get_body(&self, item: &Value) -> bool {
        let owners = [item].into_iter().chain(self.folders.iter().rev().copied()).chain([self.root.value]);
        let mut settings =
            owners.filter_map(|owner| owner.pointer("/protocolProfileBehavior/disableBodyPruning")?.as_bool());
        settings.next().unwrap_or(false)
    }

    fn count_scripts(&mut self, owner: &Value) {
        let events = owner.get("event").and_then(Value::as_array).into_iter().flatten();
        self.tools.left_out.add_many(LeftOutReason::CollectionScript, events.filter(|event| has_script(event)).count());
    }
}

/// Whether the script of an event has a line that is not blank.
fn has_script(event: &Value) -> bool {
    let is_code = |line: &Value| line.as_str().is_some_and(|line| !line.trim().is_empty());
    match event.pointer("/script/exec") {
        Some(Value::Array(lines)) => lines.iter().any(is_code),
        Some(text) => is_code(text),
        None => false,
    }
}
