//! The output of a tool, shortened for models by the rules of its `shaping`.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, LINK};
use serde_json::Value;
use toolgate_domain::ids::ToolId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::shaping::Shaping;
use toolgate_domain::tool::{ResponseType, Tool};
use toolgate_shaping::{
    NextPage, NoteContext, Part, ShapedText, ShapingInput, note, shape, shape_output_schema, shape_structured,
};

use crate::arguments::InputSchema;
use crate::content::{ContentBlock, Utf8};
use crate::egress::message::UpstreamResponse;
use crate::output::ToolOutput;

/// The rules by which responses of a tool are shortened.
#[derive(Debug)]
pub struct ToolShaping {
    /// The rules.
    pub rules: Shaping,
    /// The `output_schema` of the tool without the members that the rules drop.
    pub output_schema: Option<JsonObject>,
    /// The names of the tool's arguments, for the note.
    argument_names: Vec<String>,
    tool_id: ToolId,
    compiled_schema: Option<InputSchema>,
}

/// A shortened output, and a record of what the rules left out.
#[derive(Debug)]
pub struct ShapedOutput {
    /// The output with the shaped text.
    pub output: ToolOutput,
    /// The omissions and the next page. Its `text` is empty: the text is in the output.
    pub shaped: ShapedText,
}

impl ToolShaping {
    /// The tool's own rules, else the default of its server; `None` if the responses are not shaped.
    pub fn compile(tool: &Tool, default: Option<&Shaping>) -> Option<Self> {
        if tool.spec.response_type == ResponseType::Mcp {
            return None;
        }
        // Stored rules were validated. Rules of a newer version that this one cannot parse are not applied.
        let own = tool.spec.shaping.as_ref().map(|shaping| Shaping::parse(shaping).unwrap_or_else(|_| Shaping::off()));
        let rules = own.or_else(|| default.cloned()).filter(|rules| !rules.is_off())?;
        let output_schema = tool.spec.output_schema.as_ref().map(|schema| shape_output_schema(schema, &rules));
        let compiled_schema =
            output_schema.as_ref().and_then(|schema| InputSchema::compile_value(&schema.to_value()).ok());
        let argument_names = argument_names(&tool.spec.input_schema);
        Some(Self { rules, output_schema, argument_names, tool_id: tool.id, compiled_schema })
    }

    /// Shapes an output that is text. `None` if the output is not text or cannot be shaped. With `reference`, a model
    /// can read the whole response later.
    pub fn apply(
        &self,
        output: &ToolOutput,
        response: &UpstreamResponse,
        reference: Option<&str>,
    ) -> Option<ShapedOutput> {
        let ToolOutput::Content { block: ContentBlock::Text(text), structured, further } = output else { return None };
        let body = std::str::from_utf8(text.as_bytes()).ok().filter(|body| !body.is_empty())?;
        let input = ShapingInput { body, media_type: media_type(response), reference };
        let mut shaped = shape(&input, &self.rules, Part::Start, None)
            .inspect_err(|failure| tracing::warn!(tool_id = %self.tool_id, ?failure, "cannot shape a response"))
            .ok()?;
        shaped.next_page = next_page(response).or(shaped.next_page);
        let block = ContentBlock::Text(Utf8::from(std::mem::take(&mut shaped.text)));
        let structured = structured.as_ref().map(|json| self.structured_content(json));
        Some(ShapedOutput { output: ToolOutput::Content { block, structured, further: further.clone() }, shaped })
    }

    /// Structured content that matches the published `output_schema`: without the members that the rules drop, and with
    /// shorter arrays if the content then still matches.
    fn structured_content(&self, json: &Bytes) -> Bytes {
        let Ok(value) = serde_json::from_slice(json) else { return json.clone() };
        let matches =
            |value: &Value| self.compiled_schema.as_ref().is_some_and(|schema| schema.validate(value).is_ok());
        let shaped = shape_structured(&value, &self.rules, matches);
        // An unchanged value keeps its spelling: numbers may have more digits than a value can hold.
        if shaped == value {
            return json.clone();
        }
        serde_json::to_vec(&shaped).map_or_else(|_| json.clone(), Bytes::from)
    }

    /// The note on a shaped text, if there is something to say. `reference` and `read_more` say how to read on.
    pub fn note(&self, shaped: &ShapedText, reference: Option<&str>, read_more: Option<&str>) -> Option<ContentBlock> {
        let arguments: Vec<&str> = self.argument_names.iter().map(String::as_str).collect();
        let note = note(&NoteContext {
            left_out: shaped.left_out.as_ref(),
            reference: reference.filter(|_| read_more.is_some()),
            read_more: read_more.unwrap_or_default(),
            arguments: &arguments,
            next_page: shaped.next_page.as_ref(),
        });
        Some(note).filter(|note| !note.is_empty()).map(ContentBlock::text)
    }
}

fn argument_names(input_schema: &JsonObject) -> Vec<String> {
    let members = input_schema.members();
    let properties = members.get("properties").and_then(|properties| JsonObject::from_raw(properties));
    properties.map(|properties| properties.members().into_keys().collect()).unwrap_or_default()
}

/// The media type of a response; empty if it has none.
pub fn media_type(response: &UpstreamResponse) -> &str {
    response.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn next_page(response: &UpstreamResponse) -> Option<NextPage> {
    let mut links = response.headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok());
    links.find_map(NextPage::from_link_header)
}
