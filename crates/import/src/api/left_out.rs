//! Parts of a document that are not imported, counted by reason.

use indexmap::IndexMap;
use serde::Serialize;
use toolgate_domain::closed_set;

closed_set! {
    /// Why a part of a document is not imported.
    pub enum LeftOutReason {
        /// An HTML page.
        Document = "document",
        /// A script.
        Script = "script",
        /// A style sheet.
        Stylesheet = "stylesheet",
        /// A picture.
        Image = "image",
        /// A font.
        Font = "font",
        /// Audio or video.
        Media = "media",
        /// A CORS preflight request of the browser.
        Preflight = "preflight",
        /// A WebSocket connection.
        Websocket = "websocket",
        /// A tracking or error report of the browser or of a page.
        Beacon = "beacon",
        /// The response is neither JSON nor text.
        OtherResponse = "other_response",
        /// The body is neither JSON nor a form.
        OtherBody = "other_body",
        /// The URL is not http or https.
        NotHttp = "not_http",
        /// The host is not one of those with the most requests.
        OtherHost = "other_host",
        /// The document has more entries than are read.
        EntryLimit = "entry_limit",
        /// The tool has more examples than are considered.
        ExampleLimit = "example_limit",
        /// A script of a collection.
        CollectionScript = "collection_script",
        /// A saved response of a collection.
        SavedResponse = "saved_response",
    }
}

/// The number of parts that are not imported, by reason.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LeftOut(IndexMap<&'static str, usize>);

impl LeftOut {
    pub(crate) fn add(&mut self, reason: LeftOutReason) {
        self.add_many(reason, 1);
    }

    pub(crate) fn add_many(&mut self, reason: LeftOutReason, count: usize) {
        if count > 0 {
            *self.0.entry(reason.as_str()).or_default() += count;
        }
    }

    /// The number of parts that are left out for this reason.
    pub fn count(&self, reason: LeftOutReason) -> usize {
        self.0.get(reason.as_str()).copied().unwrap_or_default()
    }

    /// Whether everything is imported.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
