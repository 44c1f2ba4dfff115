//! Why an endpoint refuses a request before it becomes a call.

use crate::closed_set::closed_set;

closed_set! {
    /// The reason of a refusal.
    pub enum RefusalReason {
        /// The server requires a key or an access token, and the request has none.
        MissingKey = "missing_key",
        /// The key or access token does not exist, was revoked, or belongs to another server.
        UnknownKey = "unknown_key",
        /// The key or access token has expired.
        ExpiredKey = "expired_key",
        /// The user of the key is disabled.
        DisabledUser = "disabled_user",
        /// The `Host` header does not name this service.
        ForbiddenHost = "forbidden_host",
        /// The `Origin` header is not allowed.
        ForbiddenOrigin = "forbidden_origin",
        /// The rate limit of the server is exceeded.
        RateLimit = "rate_limit",
        /// The rate limit of the key is exceeded.
        KeyRateLimit = "key_rate_limit",
        /// The scopes of the access token do not include the tool.
        InsufficientScope = "insufficient_scope",
        /// The claims of the access token do not fit the rules of the server.
        NotAllowed = "not_allowed",
    }
}

impl RefusalReason {
    /// Every reason, in the order of the names.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::NAMES.iter().copied().filter_map(Self::parse)
    }

    /// The HTTP status of the response.
    pub fn status(self) -> u16 {
        match self {
            Self::MissingKey | Self::UnknownKey | Self::ExpiredKey | Self::DisabledUser => 401,
            Self::ForbiddenHost | Self::ForbiddenOrigin | Self::InsufficientScope | Self::NotAllowed => 403,
            Self::RateLimit | Self::KeyRateLimit => 429,
        }
    }
}
