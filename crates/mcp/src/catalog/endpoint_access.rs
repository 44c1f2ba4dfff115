//! What a caller of a server must present.

use toolgate_domain::oauth::settings::{OAuthIssuer, OAuthSettings};
use toolgate_domain::server::{EndpointAuth, ServerSpec};

/// The kinds of credentials that a server accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EndpointAccess {
    /// None is required, and none is read.
    Open,
    /// A key.
    Keys,
    /// A token of the issuer, and keys if they are accepted.
    OAuth { issuer: OAuthIssuer, accepts_keys: bool },
}

impl EndpointAccess {
    pub(super) fn from_spec(spec: &ServerSpec) -> Self {
        match spec.auth_type {
            EndpointAuth::None => Self::Open,
            EndpointAuth::ApiKey => Self::Keys,
            EndpointAuth::OAuth => {
                let OAuthSettings { issuer, accepts_keys, .. } = OAuthSettings::from_settings(spec.settings.as_ref());
                Self::OAuth { issuer, accepts_keys }
            }
        }
    }

    /// Whether keys are accepted.
    pub(crate) fn accepts_keys(&self) -> bool {
        match self {
            Self::Open => false,
            Self::Keys => true,
            Self::OAuth { accepts_keys, .. } => *accepts_keys,
        }
    }

    /// Whether tokens of the built-in issuer are accepted.
    pub(crate) fn accepts_own_tokens(&self) -> bool {
        matches!(self, Self::OAuth { issuer: OAuthIssuer::BuiltIn, .. })
    }

    /// Whether clients are asked to sign in.
    pub(crate) fn is_oauth(&self) -> bool {
        matches!(self, Self::OAuth { .. })
    }
}
