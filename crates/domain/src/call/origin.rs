//! Who made a call, and from where.

use std::fmt;
use std::net::IpAddr;

use serde::de::{EnumAccess, VariantAccess as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::ids::{EndpointKeyId, SubjectId, UserId};

/// The credential and the address from which a call was made. The journal and the call log store this type by the
/// order of its fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CallOrigin {
    /// The credential of the call.
    pub credential: CallCredential,
    /// Address of the client, if it is known and recorded.
    pub client_address: Option<IpAddr>,
}

/// The credential with which a call was made. Variants are stored by number: append new ones at the end, and never
/// reorder them. Each has one id, so that an earlier version can skip those that it does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum CallCredential {
    /// No credential was required, or it was not recorded.
    #[default]
    None,
    /// A key of the server's endpoint.
    EndpointKey(EndpointKeyId),
    /// A management key or an access token of this user.
    User(UserId),
    /// An access token of an external issuer for this person.
    Subject(SubjectId),
}

impl<'de> Deserialize<'de> for CallCredential {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("CallCredential", &["None", "EndpointKey", "User", "Subject"], CredentialVisitor)
    }
}

/// Reads a credential by the number of its variant.
struct CredentialVisitor;

impl<'de> Visitor<'de> for CredentialVisitor {
    type Value = CallCredential;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a credential")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<CallCredential, A::Error> {
        let (kind, content) = data.variant::<u32>()?;
        match kind {
            0 => content.unit_variant().map(|()| CallCredential::None),
            _ => Ok(CallCredential::from_numbers(kind.into(), content.newtype_variant()?)),
        }
    }
}

impl CallCredential {
    /// The numbers that are stored: one for the kind, and the id, which is 0 without a credential.
    pub const fn numbers(self) -> (i64, i64) {
        match self {
            Self::None => (0, 0),
            Self::EndpointKey(id) => (1, id.0),
            Self::User(id) => (2, id.0),
            Self::Subject(id) => (3, id.0),
        }
    }

    /// The credential for stored numbers. A kind written by a newer version reads as no credential.
    pub const fn from_numbers(kind: i64, id: i64) -> Self {
        match kind {
            1 => Self::EndpointKey(EndpointKeyId(id)),
            2 => Self::User(UserId(id)),
            3 => Self::Subject(SubjectId(id)),
            _ => Self::None,
        }
    }

    /// The endpoint key, if one was used.
    pub const fn endpoint_key(self) -> Option<EndpointKeyId> {
        match self {
            Self::EndpointKey(id) => Some(id),
            Self::None | Self::User(_) | Self::Subject(_) => None,
        }
    }

    /// The user, if a management key or an access token was used.
    pub const fn user(self) -> Option<UserId> {
        match self {
            Self::User(id) => Some(id),
            Self::None | Self::EndpointKey(_) | Self::Subject(_) => None,
        }
    }

    /// The person of an external issuer, if a token of one was used.
    pub const fn subject(self) -> Option<SubjectId> {
        match self {
            Self::Subject(id) => Some(id),
            Self::None | Self::EndpointKey(_) | Self::User(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_numbers_of_credentials_never_change() {
        for (credential, numbers) in [
            (CallCredential::None, (0, 0)),
            (CallCredential::EndpointKey(EndpointKeyId(7)), (1, 7)),
            (CallCredential::User(UserId(9)), (2, 9)),
            (CallCredential::Subject(SubjectId(5)), (3, 5)),
        ] {
            assert_eq!(credential.numbers(), numbers);
            assert_eq!(CallCredential::from_numbers(numbers.0, numbers.1), credential);
        }
        assert_eq!(CallCredential::from_numbers(4, 1), CallCredential::None);
    }
}
