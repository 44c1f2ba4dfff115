//! The kinds of credentials that a server accepts from its callers.

use std::sync::Arc;

use toolgate_domain::oauth::settings::{OAuthIssuer, OAuthSettings};
use toolgate_domain::server::{EndpointAuth, ServerSpec};

use super::external_access::ExternalAccess;

/// The kinds of credentials that a server accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EndpointAccess {
    /// None is required, and none is read.
    Open,
    /// A key.
    Keys,
    /// A token, and keys if they are accepted.
    OAuth { tokens: AcceptedTokens, accepts_keys: bool },
}

/// The tokens that a server accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AcceptedTokens {
    /// Those of the built-in issuer.
    BuiltIn,
    /// Those of another issuer.
    External(Arc<ExternalAccess>),
}

impl EndpointAccess {
    pub(super) fn from_spec(spec: &ServerSpec) -> Self {
        match spec.auth_type {
            EndpointAuth::None => Self::Open,
            EndpointAuth::ApiKey => Self::Keys,
            EndpointAuth::OAuth => {
                let settings = OAuthSettings::from_settings(spec.settings.as_ref());
                let accepts_keys = settings.accepts_keys;
                let tokens = match settings.issuer.clone() {
                    OAuthIssuer::BuiltIn => AcceptedTokens::BuiltIn,
                    OAuthIssuer::External(issuer) => {
                        let external = ExternalAccess::new(issuer, settings, spec.settings.as_ref());
                        AcceptedTokens::External(Arc::new(external))
                    }
                };
                Self::OAuth { tokens, accepts_keys }
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

    /// The accepted tokens, if clients are asked to sign in.
    pub(crate) fn tokens(&self) -> Option<&AcceptedTokens> {
        if let Self::OAuth { tokens, .. } = self { Some(tokens) } else { None }
    }
}
