//! HTML pages: sign-in, consent, messages. They are complete without scripts.

mod consent;
mod html;
mod layout;
mod linked_accounts;
mod message;
mod sign_in;

pub(crate) use consent::{ConsentPage, ConsentServer};
pub(crate) use html::Html;
pub(crate) use layout::STYLE_PATH;
pub(crate) use linked_accounts::{LINKED_ACCOUNTS_PATH, LinkedAccounts};
pub(crate) use message::{MessagePage, ReturnLink};
pub(crate) use sign_in::{AccountPage, AccountProvider, SignInLinkPage, SignInPage};

/// The stylesheet: the colours and sizes of the console, and the rules of these pages.
pub(crate) const STYLE: &str =
    concat!(include_str!("../../../console/src/style/tokens.css"), include_str!("../assets/signin.css"));
