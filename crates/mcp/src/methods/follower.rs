//! A client that follows its call: progress where it sent a token, log messages where its session set a level.

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_execution::{Stage, Stages};

use crate::exchange::Context;
use crate::jsonrpc::notification;
use crate::session::LogLevel;
use crate::stream;

/// Severity of what is told about stages.
const LEVEL: LogLevel = LogLevel::Info;

/// What a client wants to be told of.
pub(crate) struct Follower {
    token: Option<Value>,
    wants_log: bool,
}

impl Follower {
    /// What the client wants to be told, where it wants anything and can read a stream.
    pub(crate) fn wanted(context: &Context) -> Option<Self> {
        if !context.exchange.accepts_stream() {
            return None;
        }
        let meta = context.meta.as_ref();
        let is_token = |token: &&Value| token.is_string() || token.is_i64() || token.is_u64();
        let token = meta.and_then(|meta| meta.progress_token.as_ref()).filter(is_token).cloned();
        let level = meta.and_then(|meta| meta.log_level.as_ref()).filter(|_| context.era.is_modern());
        let own_level = level.and_then(|name| LogLevel::parse(name.as_str()?));
        let session_level = context.session().and_then(|session| context.gate().sessions.level(session));
        let follower = Self { token, wants_log: own_level.or(session_level).is_some_and(|level| level <= LEVEL) };
        (follower.token.is_some() || follower.wants_log).then_some(follower)
    }

    /// Tells it through this channel.
    pub(crate) fn through(self, events: mpsc::Sender<Bytes>) -> impl Stages {
        Telling { follower: self, events }
    }
}

struct Telling {
    follower: Follower,
    events: mpsc::Sender<Bytes>,
}

impl Stages for Telling {
    fn reached(&self, stage: Stage) {
        if let Some(token) = &self.follower.token {
            let params = json!({
                "progressToken": token,
                "progress": stage as u8,
                "total": Stage::Done as u8,
                "message": stage.text(),
            });
            self.tell("notifications/progress", &params);
        }
        if self.follower.wants_log {
            let params = json!({"level": "info", "logger": "toolgate", "data": stage.text()});
            self.tell("notifications/message", &params);
        }
    }
}

impl Telling {
    /// A client that does not read misses it: the call does not wait.
    fn tell(&self, method: &str, params: &Value) {
        let message = notification(method, &params.to_string());
        let _ = self.events.try_send(stream::event(&message));
    }
}
