//! The messages of a JSON error body. APIs write them in many ways: `message`, `error`, `detail`, `errors[]`, problem
//! details (RFC 9457), JSON:API, `FastAPI` (`loc` and `msg`), Rails and Laravel (`errors` by field).

use serde_json::{Map, Value};

use super::{ArgumentName, ErrorMessage, clean};

/// How deep messages are searched.
const DEPTH_MAX: usize = 6;
/// How many messages are read.
const MESSAGES_MAX: usize = 6;

/// The members that hold a message, the most specific first.
const MESSAGES: [&str; 11] = [
    "message",
    "Message",
    "msg",
    "detail",
    "error_description",
    "description",
    "error_message",
    "errorMessage",
    "faultstring",
    "reason",
    "title",
];
/// The members that hold messages, or objects with messages.
const CONTAINERS: [&str; 8] = ["error", "errors", "detail", "details", "fault", "Fault", "messages", "fieldViolations"];
/// The members that name a field.
const FIELDS: [&str; 7] = ["param", "field", "loc", "property", "parameter", "pointer", "path"];
/// Members that no caller should get.
const NOISE: [&str; 15] = [
    "stack",
    "stacktrace",
    "stack_trace",
    "trace",
    "traceback",
    "exception",
    "sql",
    "query",
    "headers",
    "request",
    "debug",
    "file",
    "line",
    "class",
    "backtrace",
];

/// The members that hold a stack trace.
const TRACES: [&str; 5] = ["stack", "stacktrace", "stack_trace", "traceback", "backtrace"];

/// The messages of a body.
pub(super) fn read(body: &Value, argument_name: ArgumentName<'_>) -> ErrorMessage {
    let mut reader = MessageReader { argument_name, messages: Vec::new(), has_trace: false };
    reader.read(body, None, 0);
    if reader.messages.is_empty() {
        reader.read_scalars(body);
    }
    ErrorMessage { text: reader.messages.join("; "), has_trace: reader.has_trace }
}

struct MessageReader<'a> {
    argument_name: ArgumentName<'a>,
    messages: Vec<String>,
    has_trace: bool,
}

impl MessageReader<'_> {
    /// Reads a value that holds messages about `field`.
    fn read(&mut self, value: &Value, field: Option<&str>, depth: usize) {
        if depth > DEPTH_MAX || self.messages.len() >= MESSAGES_MAX {
            return;
        }
        match value {
            Value::String(text) => self.add(text, field),
            Value::Array(items) => items.iter().take(MESSAGES_MAX).for_each(|item| self.read(item, field, depth + 1)),
            Value::Object(members) => self.read_object(members, field, depth),
            _ => {}
        }
    }

    fn read_object(&mut self, members: &Map<String, Value>, field: Option<&str>, depth: usize) {
        self.has_trace |= members.keys().any(|name| TRACES.iter().any(|trace| name.eq_ignore_ascii_case(trace)));
        let own_field = own_field(members);
        let field = own_field.as_deref().or(field);
        let first_own = self.messages.len();
        if let Some(text) =
            MESSAGES.iter().find_map(|name| members.get(*name)?.as_str().filter(|text| !text.is_empty()))
        {
            self.add(text, field);
        }
        for container in CONTAINERS {
            match members.get(container) {
                Some(Value::Object(inner)) if container.starts_with("err") && is_by_field(inner) => {
                    for (name, messages) in inner.iter().take(MESSAGES_MAX) {
                        self.read(messages, Some(name), depth + 1);
                    }
                }
                Some(Value::String(text)) if container == "error" => self.add(text, field),
                Some(inner @ (Value::Object(_) | Value::Array(_))) => self.read(inner, field, depth + 1),
                _ => {}
            }
        }
        if let Some(code) = members.get("code").and_then(code_text) {
            self.add_code(&code, first_own, field);
        }
    }

    /// Adds a message, unless another one contains it.
    fn add(&mut self, text: &str, field: Option<&str>) {
        let message = clean::read(text, self.argument_name);
        self.has_trace |= message.has_trace;
        let mut text = message.text.trim_end_matches('.').to_owned();
        if let Some(field) = field {
            text = self.with_field(&text, field);
        }
        let lower = text.to_lowercase();
        let is_part = |known: &String| known.to_lowercase().contains(&lower) && (lower.len() >= 4 || *known == text);
        let is_known = self.messages.iter().any(is_part);
        if !text.is_empty() && !is_known && self.messages.len() < MESSAGES_MAX {
            self.messages.push(text);
        }
    }

    /// `due must not be in the past`, `due: Too early`.
    fn with_field(&self, text: &str, field: &str) -> String {
        let field = (self.argument_name)(field).unwrap_or_else(|| field.to_owned());
        if field.is_empty() || text.is_empty() || text.to_lowercase().contains(&field.to_lowercase()) {
            return text.to_owned();
        }
        let continues = text.starts_with(char::is_lowercase);
        if continues { format!("{field} {text}") } else { format!("{field}: {text}") }
    }

    /// Adds the code of an object to its first message, which has the index `first_own`; as a message if there is none.
    fn add_code(&mut self, code: &str, first_own: usize, field: Option<&str>) {
        match self.messages.get_mut(first_own) {
            None => self.add(code, field),
            Some(message)
                if !message.to_lowercase().contains(&code.to_lowercase().replace('_', " "))
                    && !message.contains(code) =>
            {
                *message = format!("{message} ({code})");
            }
            Some(_) => {}
        }
    }

    /// Reads the scalar members of a body in which no known member has a message.
    fn read_scalars(&mut self, body: &Value) {
        let members = body.as_object().into_iter().flatten().filter(|(name, _)| !is_noise(name));
        for (name, value) in members.take(MESSAGES_MAX) {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                _ => continue,
            };
            let text = clean::sentence(&text, self.argument_name);
            if !text.is_empty() {
                self.messages.push(format!("{name}: {text}"));
            }
        }
    }
}

fn is_noise(name: &str) -> bool {
    NOISE.iter().any(|noise| name.eq_ignore_ascii_case(noise))
}

/// Whether an object holds messages by the names of fields.
fn is_by_field(members: &Map<String, Value>) -> bool {
    let is_messages = |value: &Value| match value {
        Value::String(_) => true,
        Value::Array(items) => items.iter().all(Value::is_string),
        _ => false,
    };
    let is_message = |name: &str| MESSAGES.contains(&name) || matches!(name, "code" | "type" | "status");
    !members.is_empty()
        && members.iter().all(|(name, value)| is_messages(value) && !is_message(name) && !is_noise(name))
}

/// The field that an object is about: the last name of a path.
fn own_field(members: &Map<String, Value>) -> Option<String> {
    let source = members.get("source").and_then(Value::as_object);
    let value = FIELDS.iter().find_map(|name| members.get(*name).or_else(|| source?.get(*name)))?;
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().rev().find_map(Value::as_str)?.to_owned(),
        _ => return None,
    };
    let last = text.rsplit(['/', '.']).find(|part| !part.is_empty() && part.parse::<usize>().is_err())?;
    let is_name = last.len() <= 64 && last.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
    is_name.then(|| last.to_owned())
}

/// A code that says more than the status.
fn code_text(code: &Value) -> Option<String> {
    match code {
        Value::String(text) => Some(text.clone()).filter(|text| {
            (1..=40).contains(&text.len())
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
                && text.parse::<u16>().is_err()
        }),
        _ => None,
    }
}
