//! Who makes a call, independent of the token, key or client that is used: those change, and the caller does not.

use std::fmt;
use std::sync::Arc;

use super::origin::CallCredential;
use crate::closed_set::closed_set;
use crate::fault::Fault;
use crate::ids::{EndpointKeyId, SubjectId, UserId};

closed_set! {
    /// The kind of a caller.
    pub enum IdentityKind {
        /// A user of this service, with an access token or a management key.
        User = "user",
        /// A person whom an external issuer identifies.
        Subject = "subject",
        /// The holder of an endpoint key.
        Key = "key",
        /// Unknown: the server requires no credential.
        None = "none",
    }
}

/// The identity of a caller.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CallerIdentity {
    /// Unknown.
    Anonymous,
    /// A user of this service.
    User(UserId),
    /// A person whom an external issuer identifies; the pair is the identity.
    Subject {
        /// The issuer, as configured.
        issuer: Arc<str>,
        /// The subject in its tokens.
        subject: Arc<str>,
    },
    /// The holder of an endpoint key.
    Key(EndpointKeyId),
}

impl fmt::Display for CallerIdentity {
    /// `user:7`, `sub:https://login.example|ada` or `key:4`; empty for an unknown caller. Data of callers is bound to
    /// this text, so it must not change.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anonymous => Ok(()),
            Self::User(id) => write!(f, "user:{id}"),
            Self::Subject { issuer, subject } => write!(f, "sub:{issuer}|{subject}"),
            Self::Key(id) => write!(f, "key:{id}"),
        }
    }
}

impl CallCredential {
    /// The kind of the caller who used it.
    pub const fn caller_kind(self) -> IdentityKind {
        match self {
            Self::None => IdentityKind::None,
            Self::EndpointKey(_) => IdentityKind::Key,
            Self::User(_) => IdentityKind::User,
            Self::Subject(_) => IdentityKind::Subject,
        }
    }

    /// Parses the caller of a filter: `user:7`, `subject:5`, `key:4` or `none`. The fault names the field `caller`.
    pub fn parse_caller(text: &str) -> Result<Self, Fault> {
        let (kind, id) = text.split_once(':').unwrap_or((text, ""));
        let id = (!id.starts_with('+')).then(|| id.parse().ok().filter(|id| *id > 0)).flatten();
        match (IdentityKind::parse(kind), id) {
            (Some(IdentityKind::User), Some(id)) => Ok(Self::User(UserId(id))),
            (Some(IdentityKind::Subject), Some(id)) => Ok(Self::Subject(SubjectId(id))),
            (Some(IdentityKind::Key), Some(id)) => Ok(Self::EndpointKey(EndpointKeyId(id))),
            (Some(IdentityKind::None), None) if kind == text => Ok(Self::None),
            _ => {
                let message = "caller must be user:ID, subject:ID, key:ID or none, such as user:7.";
                Err(Fault::invalid_pattern("caller", message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_identities_never_change() {
        let subject = CallerIdentity::Subject { issuer: "https://login.example/".into(), subject: "auth0|7".into() };
        for (identity, text) in [
            (CallerIdentity::Anonymous, ""),
            (CallerIdentity::User(UserId(7)), "user:7"),
            (CallerIdentity::Key(EndpointKeyId(4)), "key:4"),
            (subject, "sub:https://login.example/|auth0|7"),
        ] {
            assert_eq!(identity.to_string(), text);
        }
    }

    #[test]
    fn a_caller_is_parsed_as_it_is_written() {
        for credential in [
            CallCredential::None,
            CallCredential::User(UserId(7)),
            CallCredential::Subject(SubjectId(5)),
            CallCredential::EndpointKey(EndpointKeyId(4)),
        ] {
            let text = match credential.numbers() {
                (0, _) => "none".to_owned(),
                (_, id) => format!("{}:{id}", credential.caller_kind().as_str()),
            };
            assert_eq!(CallCredential::parse_caller(&text).ok(), Some(credential), "{text}");
        }
        for bad in ["", "7", "user", "user:", "user:x", "user:0", "user:-1", "user:+1", "none:", "none:1", "group:1"] {
            assert_eq!(CallCredential::parse_caller(bad).unwrap_err().field, "caller", "{bad}");
        }
    }
}
