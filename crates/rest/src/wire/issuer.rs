//! The built-in issuer.

use crate::base_url::IssuerProblem;
use crate::reply_object::reply_object;

reply_object! {
    /// The built-in issuer of tokens.
    pub(crate) struct IssuerOut<'a>(issuer: Result<&'a str, IssuerProblem>) {
        /// Its URL; null if this service cannot issue tokens.
        issuer: Option<&'a str> = issuer.ok(),
        /// Why it cannot. no_base_url: TOOLGATE_BASE_URL is not set; not_https: it is not an https URL.
        problem: Option<&'static str> = issuer.err().map(IssuerProblem::as_str),
    }
}
