//! The pages of `/signin`: the ways to sign in, a sign-in link, and the person who is signed in.

use toolgate_domain::oauth::sign_in::SignInLinkPurpose;

use super::html::Html;
use super::layout::{document, hidden_field, problem};
use super::linked_accounts::LinkedAccounts;

/// The page with the ways to sign in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignInPage<'a> {
    pub(crate) base_path: &'a str,
    /// Where to go after sign-in: the path and query of the client's request, or of a page of the console.
    pub(crate) next: Option<&'a str>,
    /// The name of the OpenID provider, if there is one.
    pub(crate) provider: Option<&'a str>,
    /// What is wrong with the last attempt.
    pub(crate) problem: Option<&'a str>,
}

impl SignInPage<'_> {
    /// A link and not a form: the policy of the page keeps forms from leading to other sites.
    fn provider(self) -> Html {
        let Some(name) = self.provider else { return Html::default() };
        let query = self
            .next
            .map(|next| form_urlencoded::Serializer::for_suffix("?".to_owned(), 1).append_pair("next", next).finish());
        Html::template(
            "<p class=\"buttons\"><a class=\"button primary\" href=\"{base}/signin/oidc{query}\"><span>Sign in \
             with <bdi>{name}</bdi></span></a></p>\n<p class=\"divider\">or with a name and a password</p>\n",
            &[
                ("base", Html::text(self.base_path)),
                ("query", Html::text(query.as_deref().unwrap_or_default())),
                ("name", Html::text(name)),
            ],
        )
    }

    pub(crate) fn to_html(self) -> Html {
        let intro = match self.next {
            Some(next) if is_program_request(next) => {
                "A program asks for access to a server. Sign in first; then you decide."
            }
            _ => "Sign in to use the console, and to allow programs access to your servers.",
        };
        let content = Html::template(
            "<h1>Sign in</h1>\n<p>{intro}</p>\n{problem}{provider}\
             <form method=\"post\" action=\"{base}/signin\">{next}\n\
             <label>Name<input name=\"user\" autocomplete=\"username\" autocapitalize=\"none\" spellcheck=\"false\" \
             required></label>\n\
             <label>Password<input name=\"password\" type=\"password\" autocomplete=\"current-password\" required>\
             </label>\n<button class=\"primary\">Sign in</button>\n</form>\n\
             <p class=\"divider\">or with a key</p>\n\
             <form method=\"post\" action=\"{base}/signin\">{next}\n\
             <label>Management key<input name=\"key\" type=\"password\" autocomplete=\"off\" spellcheck=\"false\" \
             aria-describedby=\"key-help\" required></label>\n\
             <p class=\"quiet\" id=\"key-help\">A key with the scope mcp or admin, such as the one of the first start. \
             Deleting the key signs you out and ends the access that you allow now.</p>\n\
             <button>Sign in with the key</button>\n</form>",
            &[
                ("intro", Html::text(intro)),
                ("problem", problem(self.problem)),
                ("provider", self.provider()),
                ("base", Html::text(self.base_path)),
                ("next", hidden_field("next", self.next)),
            ],
        );
        document(self.base_path, Html::text("Sign in"), content)
    }
}

/// Whether a person goes on to the request of a program, and not to a page of the console.
fn is_program_request(next: &str) -> bool {
    next.starts_with("/authorize?")
}

/// The page of a sign-in link. Opening it does not use the link up, because programs open links for previews.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignInLinkPage<'a> {
    pub(crate) base_path: &'a str,
    /// The secret of the link.
    pub(crate) link: &'a str,
    pub(crate) user_name: &'a str,
    pub(crate) purpose: SignInLinkPurpose,
    /// What is wrong with the last attempt.
    pub(crate) problem: Option<&'a str>,
}

impl SignInLinkPage<'_> {
    pub(crate) fn to_html(self) -> Html {
        let (title, field, button) = match self.purpose {
            SignInLinkPurpose::SignIn => ("Sign in", Html::default(), "Sign in"),
            SignInLinkPurpose::SetPassword => (
                "Choose a password",
                Html::template(
                    "<label>New password<input name=\"password\" type=\"password\" autocomplete=\"new-password\" \
                     minlength=\"10\" maxlength=\"256\" aria-describedby=\"password-help\" required></label>\n\
                     <p class=\"quiet\" id=\"password-help\">10 to 256 characters. You are signed out everywhere \
                     else.</p>\n",
                    &[],
                ),
                "Set password and sign in",
            ),
        };
        let content = Html::template(
            "<h1>{title}</h1>\n<p>This link is for <strong><bdi>{user}</bdi></strong>. It works once.</p>\n{problem}\
             <form method=\"post\" action=\"{base}/signin\">{link}\n{field}\
             <button class=\"primary\">{button}</button>\n</form>",
            &[
                ("title", Html::text(title)),
                ("user", Html::text(self.user_name)),
                ("problem", problem(self.problem)),
                ("base", Html::text(self.base_path)),
                ("link", hidden_field("link", Some(self.link))),
                ("field", field),
                ("button", Html::text(button)),
            ],
        );
        document(self.base_path, Html::text(title), content)
    }
}

/// The page for a person who is signed in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccountPage<'a> {
    pub(crate) base_path: &'a str,
    pub(crate) user_name: &'a str,
    /// The page of the console, or the request of a client, from which the person came.
    pub(crate) next: Option<&'a str>,
    /// The OpenID provider, if there is one.
    pub(crate) provider: Option<AccountProvider<'a>>,
    /// The accounts of the person at OpenID providers.
    pub(crate) accounts: LinkedAccounts<'a>,
    /// The signature of the form that signs out.
    pub(crate) csrf: &'a str,
}

/// The OpenID provider on the page for a person who is signed in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccountProvider<'a> {
    pub(crate) name: &'a str,
    /// Whether the person has linked an account.
    pub(crate) is_linked: bool,
    /// The signature of the form that links one.
    pub(crate) csrf: &'a str,
}

impl AccountProvider<'_> {
    fn to_html(self, base_path: &str) -> Html {
        let values = [
            ("name", Html::text(self.name)),
            ("base", Html::text(base_path)),
            ("csrf", hidden_field("csrf", Some(self.csrf))),
        ];
        if self.is_linked {
            return Html::template(
                "<p>You can also sign in with <bdi>{name}</bdi>: an account is linked.</p>\n",
                &values,
            );
        }
        Html::template(
            "<form method=\"post\" action=\"{base}/signin/oidc\">{csrf}\n<p class=\"quiet\">Link your account at \
             <bdi>{name}</bdi> to sign in with it from now on.</p>\n<button><span>Link an account \
             at <bdi>{name}</bdi></span></button>\n</form>\n",
            &values,
        )
    }
}

impl AccountPage<'_> {
    /// How to go on, with a link to the page from which the person came.
    fn advice(self) -> Html {
        let values = [("base", Html::text(self.base_path)), ("next", Html::text(self.next.unwrap_or("/")))];
        match self.next {
            Some(next) if is_program_request(next) => Html::template(
                "A program asks for access to a server: <a href=\"{base}{next}\">decide about its request</a>.",
                &values,
            ),
            _ => Html::template(
                "Go back to your program and connect it, or open the <a href=\"{base}{next}\">console</a>.",
                &values,
            ),
        }
    }

    pub(crate) fn to_html(self) -> Html {
        let content = Html::template(
            "<h1>You are signed in</h1>\n<p>You are signed in as <strong><bdi>{user}</bdi></strong> in this browser. \
             {advice}</p>\n{provider}\
             {accounts}<form method=\"post\" action=\"{base}/signout\">{csrf}\n<button>Sign out</button>\n</form>",
            &[
                ("user", Html::text(self.user_name)),
                ("base", Html::text(self.base_path)),
                ("advice", self.advice()),
                ("provider", self.provider.map_or_else(Html::default, |provider| provider.to_html(self.base_path))),
                ("accounts", self.accounts.to_html()),
                ("csrf", hidden_field("csrf", Some(self.csrf))),
            ],
        );
        document(self.base_path, Html::text("Signed in"), content)
    }
}
