//! The accounts at OpenID providers on the page for a person who is signed in, with forms that remove them.

use toolgate_domain::oauth::identity::LinkedIdentity;

use super::html::Html;
use super::layout::hidden_field;

/// Path of the form that removes an account, below the base URL.
pub(crate) const LINKED_ACCOUNTS_PATH: &str = "/signin/accounts/remove";

/// The accounts of a person.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkedAccounts<'a> {
    pub(crate) base_path: &'a str,
    pub(crate) identities: &'a [LinkedIdentity],
    /// The signature of the forms; none if the person may not remove accounts.
    pub(crate) csrf: Option<&'a str>,
}

impl LinkedAccounts<'_> {
    /// The list with its explanation; nothing without accounts.
    pub(super) fn to_html(self) -> Html {
        if self.identities.is_empty() {
            return Html::default();
        }
        let items = Html::concat(self.identities.iter().map(|linked| self.item(linked)));
        let note = match self.csrf {
            Some(_) => "Removing an account signs you out everywhere, except where you signed in with a key.",
            None => {
                "You are signed in with a limited key. Sign in with a password or a linked account to remove an account."
            }
        };
        Html::template(
            "<dl>\n<dt>Linked accounts</dt>\n{items}</dl>\n<p class=\"quiet\">{note}</p>\n",
            &[("items", items), ("note", Html::text(note))],
        )
    }

    fn item(self, linked: &LinkedIdentity) -> Html {
        let values = [
            ("subject", Html::text(&linked.identity.subject)),
            ("issuer", Html::text(&linked.identity.issuer)),
            ("base", Html::text(self.base_path)),
            ("path", Html::text(LINKED_ACCOUNTS_PATH)),
            ("csrf", hidden_field("csrf", self.csrf)),
            ("id", hidden_field("id", Some(&linked.id.to_string()))),
        ];
        if self.csrf.is_none() {
            return Html::template("<dd><bdi>{subject}</bdi> at <bdi>{issuer}</bdi></dd>\n", &values);
        }
        Html::template(
            "<dd><bdi>{subject}</bdi> at <bdi>{issuer}</bdi>\n<form class=\"inline\" method=\"post\" \
             action=\"{base}{path}\">{csrf}{id}<button class=\"link\" \
             aria-label=\"Remove {subject} at {issuer}\">Remove</button></form></dd>\n",
            &values,
        )
    }
}
