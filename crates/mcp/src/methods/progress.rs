//! Progress and log notifications of a call: progress if the client sent a token, log messages if it set a level.

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_execution::{CallStage, StageObserver};

use crate::jsonrpc::reply::notification;
use crate::mcp_request::MessageContext;
use crate::session::state::LogLevel;
use crate::sse;

/// The severity of log messages about stages.
const STAGE_LOG_LEVEL: LogLevel = LogLevel::Info;

/// The notifications that a client requested.
pub(crate) struct ProgressSubscription {
    token: Option<Value>,
    /// Whether log messages are sent.
    has_log: bool,
}

impl ProgressSubscription {
    /// The requested notifications, if there are any and the client accepts an event stream.
    pub(crate) fn from_context(context: &MessageContext) -> Option<Self> {
        if !context.mcp_request.accepts_stream() {
            return None;
        }
        let meta = context.meta.as_ref();
        let is_token = |token: &&Value| token.is_string() || token.is_i64() || token.is_u64();
        let token = meta.and_then(|meta| meta.progress_token.as_ref()).filter(is_token).cloned();
        let level = meta.and_then(|meta| meta.log_level.as_ref()).filter(|_| context.era.is_modern());
        let request_level = level.and_then(|name| LogLevel::parse(name.as_str()?));
        let session_level = context.session().and_then(|session| context.service().sessions.level(session));
        let progress =
            Self { token, has_log: request_level.or(session_level).is_some_and(|level| level <= STAGE_LOG_LEVEL) };
        (progress.token.is_some() || progress.has_log).then_some(progress)
    }
}

/// Sends the notifications to a channel.
pub(crate) struct ProgressSender {
    pub(crate) progress: ProgressSubscription,
    pub(crate) events: mpsc::Sender<Bytes>,
}

impl StageObserver for ProgressSender {
    fn on_stage(&self, stage: CallStage) {
        if let Some(token) = &self.progress.token {
            let params = json!({
                "progressToken": token,
                "progress": stage as u8,
                "total": CallStage::Done as u8,
                "message": stage.text(),
            });
            self.send("notifications/progress", &params);
        }
        if self.progress.has_log {
            let params = json!({"level": "info", "logger": "toolgate", "data": stage.text()});
            self.send("notifications/message", &params);
        }
    }
}

impl ProgressSender {
    /// Drops the message if the queue is full, so that a slow client does not delay the call.
    fn send(&self, method: &str, params: &Value) {
        let message = notification(method, &params.to_string());
        let _ = self.events.try_send(sse::event(&message));
    }
}
