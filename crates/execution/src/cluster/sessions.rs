//! The state of MCP sessions that all nodes share. Each session is a hash that expires with the session. Names and
//! values are hashed or encrypted, because URIs of resources may be confidential.

use std::collections::HashMap;
use std::time::Duration;

use toolgate_domain::session::{SessionIdentity, SessionNonce};

use super::ClusterState;
use super::session_events::SessionMessage;

/// The field that every change sets. Its value is not encrypted.
const STORED_FIELD: &str = "v";
/// The field with the number of the state. Its value is not encrypted. Nodes of earlier releases do not set it.
const NUMBER_FIELD: &str = "number";
/// The field with the number of the newest event stream. Its value is not encrypted.
const STREAM_FIELD: &str = "stream";
/// The field of the end of the session.
const ENDED_FIELD: &str = "ended";
/// The field of the log level.
const LEVEL_FIELD: &str = "level";
/// The first letter of the fields of subscriptions.
const SUBSCRIPTION_PREFIX: &str = "s";

/// The shared state of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedSession {
    /// Whether Redis has a change that a node stored. A restarted Redis may have forgotten it.
    pub is_stored: bool,
    /// A random number that Redis has stored with the first change. If it differs from an earlier one, Redis has
    /// forgotten the state in between.
    pub number: Option<u64>,
    /// Whether the session has ended.
    pub has_ended: bool,
    /// The log level.
    pub level: Option<String>,
    /// The URIs of the resources that the session is subscribed to.
    pub subscriptions: Vec<String>,
    /// The number of the newest event stream; 0 if none was opened.
    pub newest_stream: u64,
}

/// A change to the shared state of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionChange {
    /// Sets the log level.
    Level(&'static str),
    /// Subscribes to the resource with this URI.
    Subscribe(String),
    /// Unsubscribes from the resource with this URI.
    Unsubscribe(String),
}

impl ClusterState {
    /// The shared state of a session; `None` if Redis is unavailable.
    pub async fn load_session(&self, nonce: &SessionNonce) -> Option<SharedSession> {
        let name = self.keys.session_key(nonce)?;
        let load = |mut connection| {
            let mut command = redis::cmd("HGETALL");
            command.arg(&name);
            async move { command.query_async::<HashMap<String, Vec<u8>>>(&mut connection).await }
        };
        let fields = self.connection.query(load).await?;
        let number = |field| fields.get(field).and_then(|number| std::str::from_utf8(number).ok()?.parse().ok());
        let mut session = SharedSession {
            is_stored: fields.contains_key(STORED_FIELD),
            number: number(NUMBER_FIELD),
            newest_stream: number(STREAM_FIELD).unwrap_or(0),
            ..SharedSession::default()
        };
        for (field, encrypted) in fields {
            // The field is part of the name, so that a value moved to another field cannot be decrypted.
            let Some(value) = self.keys.decrypt(&format!("{name}:{field}"), &encrypted) else { continue };
            let Ok(value) = String::from_utf8(value) else { continue };
            match field.as_str() {
                ENDED_FIELD => session.has_ended = true,
                LEVEL_FIELD => session.level = Some(value),
                _ => session.subscriptions.push(value),
            }
        }
        Some(session)
    }

    /// Changes the shared state of a session and notifies the other nodes. Returns the number of the state; `None` if
    /// Redis is unavailable.
    pub async fn change_session(&self, nonce: &SessionNonce, changes: &[SessionChange], ttl: Duration) -> Option<u64> {
        let (mut set, mut deleted) = (Vec::new(), Vec::new());
        for change in changes {
            match change {
                SessionChange::Level(level) => set.push((LEVEL_FIELD.to_owned(), (*level).to_owned())),
                SessionChange::Subscribe(uri) => {
                    set.extend(self.subscription_field(uri).map(|name| (name, uri.clone())));
                }
                SessionChange::Unsubscribe(uri) => deleted.extend(self.subscription_field(uri)),
            }
        }
        self.write_session(nonce, set, deleted, ttl, SessionMessage::Changed).await
    }

    /// Stores that a session has ended, and notifies the other nodes.
    pub async fn end_session(&self, session: &SessionIdentity, ttl: Duration) {
        let set = vec![(ENDED_FIELD.to_owned(), String::new())];
        let message = SessionMessage::Ended { expires_at: session.expires_at };
        self.write_session(&session.nonce, set, Vec::new(), ttl, message).await;
    }

    /// The number of a new event stream of the session; `None` if Redis is unavailable. It is greater than the numbers
    /// of all earlier streams, also of those that Redis has forgotten.
    pub async fn next_stream(&self, nonce: &SessionNonce, ttl: Duration) -> Option<u64> {
        if !self.connection.is_connected() {
            return None;
        }
        let mut script = self.stream_script.prepare_invoke();
        script.key(self.keys.session_key(nonce)?).arg(u64::try_from(ttl.as_millis()).ok()?.max(1));
        self.connection.query(|mut connection| async move { script.invoke_async(&mut connection).await }).await
    }

    fn subscription_field(&self, uri: &str) -> Option<String> {
        self.keys.field_name(uri.as_bytes()).map(|hash| format!("{SUBSCRIPTION_PREFIX}{hash}"))
    }

    /// Returns the number of the state; `None` if Redis is unavailable.
    async fn write_session(
        &self,
        nonce: &SessionNonce,
        set: Vec<(String, String)>,
        deleted: Vec<String>,
        ttl: Duration,
        message: SessionMessage,
    ) -> Option<u64> {
        if !self.connection.is_connected() {
            return None;
        }
        let name = self.keys.session_key(nonce)?;
        let (channel, message) = self.encode_message(nonce, message)?;
        let mut script = self.session_script.prepare_invoke();
        script.key(&name).arg(u64::try_from(ttl.as_millis()).ok()?.max(1)).arg(channel).arg(message);
        script.arg(getrandom::u64().ok()?).arg(set.len());
        for (field, value) in set {
            let encrypted = self.keys.encrypt(&format!("{name}:{field}"), value.as_bytes())?;
            script.arg(field).arg(encrypted);
        }
        for field in deleted {
            script.arg(field);
        }
        self.connection.query(|mut connection| async move { script.invoke_async(&mut connection).await }).await
    }
}
