//! Redirects that are not followed.

/// Why a redirect is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRedirect {
    /// More than the limit.
    #[error("The upstream redirected more than 5 times.")]
    TooMany,
    /// `Location` is not a valid address.
    #[error("The upstream redirected to an invalid address.")]
    BadLocation,
    /// Neither http nor https.
    #[error("The upstream redirected to an address that is neither http nor https, which is not followed.")]
    NotHttp,
    /// A request with a body, or with a method other than GET or HEAD, is redirected to another origin.
    #[error(
        "The upstream redirected a request that is not a plain GET or HEAD to another origin, which is not \
         followed."
    )]
    OtherOrigin,
}

impl BadRedirect {
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::TooMany | Self::BadLocation | Self::OtherOrigin => {
                "Set the tool's endpoint_url to the final address."
            }
            Self::NotHttp => "Set the tool's endpoint_url to an http or https address that does not redirect.",
        }
    }
}
