//! The caller of a call, in replies.

use toolgate_domain::call::{CallCredential, IdentityKind};

use crate::reply_object::reply_object;
use crate::schema::reply_values;

reply_values! {
    IdentityKind => {"type": "string", "enum": IdentityKind::NAMES},
}

reply_object! {
    /// Who made a call. Tokens, clients and management keys of a user change; the caller stays the same.
    pub(crate) struct CallerOut<'a>(credential: CallCredential, name: Option<&'a str>) {
        /// A user with an access token or a management key, a person of an external issuer, an endpoint key, or an
        /// unknown caller.
        kind: IdentityKind = credential.caller_kind(),
        /// Id of the user, the person of an external issuer, or the endpoint key.
        id: Option<i64> = Some(credential.numbers().1).filter(|_| credential != CallCredential::None),
        /// Name of the user, the person or the endpoint key. A person without a name has the subject of the tokens.
        name: Option<&'a str> = name,
    }
}
