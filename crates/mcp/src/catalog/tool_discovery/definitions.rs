//! The definitions in a serialised list of tools.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct ToolListDocument<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
}

/// The definition of one tool.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolDefinition<'a> {
    /// The definition as JSON.
    #[serde(skip)]
    pub(super) json: &'a str,
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) description: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) input_schema: &'a RawValue,
    #[serde(borrow)]
    pub(super) output_schema: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) annotations: Option<&'a RawValue>,
}

impl ToolDefinition<'_> {
    pub(super) fn schema(&self) -> Value {
        serde_json::from_str(self.input_schema.get()).unwrap_or_default()
    }

    /// The title in the annotations.
    pub(super) fn title(&self) -> String {
        let annotations: Value =
            self.annotations.and_then(|json| serde_json::from_str(json.get()).ok()).unwrap_or_default();
        annotations["title"].as_str().unwrap_or_default().to_owned()
    }
}

/// The first `count` definitions of a list. The list was written by this service, so all of them are valid.
pub(super) fn parse(list: &[u8], count: usize) -> Vec<ToolDefinition<'_>> {
    raw_definitions(list, count).into_iter().filter_map(|json| parse_one(json.get())).collect()
}

/// Where the first `count` definitions are in a list.
pub(super) fn spans(list: &[u8], count: usize) -> Box<[Range<usize>]> {
    let start = list.as_ptr().addr();
    let offset = |json: &RawValue| json.get().as_ptr().addr() - start;
    raw_definitions(list, count).into_iter().map(|json| offset(json)..offset(json) + json.get().len()).collect()
}

/// The definition at a span that [`spans`] returned for this list.
pub(super) fn at(list: &[u8], span: Range<usize>) -> Option<ToolDefinition<'_>> {
    parse_one(std::str::from_utf8(list.get(span)?).ok()?)
}

fn raw_definitions(list: &[u8], count: usize) -> Vec<&RawValue> {
    let document = serde_json::from_slice(list).unwrap_or(ToolListDocument { tools: Vec::new() });
    document.tools.into_iter().take(count).collect()
}

fn parse_one(json: &str) -> Option<ToolDefinition<'_>> {
    let definition: ToolDefinition<'_> = serde_json::from_str(json).ok()?;
    Some(ToolDefinition { json, ..definition })
}
