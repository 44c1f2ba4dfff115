//! The consent page: who asks for what, and where the answer goes.

use toolgate_domain::oauth::client::{ClientKind, OAuthClient};
use toolgate_domain::oauth::redirect_uri::RedirectTarget;
use toolgate_domain::oauth::scopes::{McpScope, McpScopes};
use toolgate_storage::OAuthServer;
use url::Url;

use super::html::Html;
use super::layout::{document, hidden_field, problem};

/// The server that the person decides about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ConsentServer<'a> {
    /// The one that the client names.
    Named(&'a OAuthServer),
    /// One of these, with the URLs of their endpoints; the client names none.
    AnyOf(&'a [(String, OAuthServer)]),
}

/// The consent page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConsentPage<'a> {
    pub(crate) base_path: &'a str,
    pub(crate) user_name: &'a str,
    pub(crate) client: &'a OAuthClient,
    pub(crate) target: &'a RedirectTarget,
    pub(crate) servers: ConsentServer<'a>,
    /// The scopes that the client asks for.
    pub(crate) scopes: McpScopes,
    /// The path and query of the client's request, for signing in as another person.
    pub(crate) next: &'a str,
    pub(crate) tx: &'a str,
    /// Signs both forms of the page.
    pub(crate) csrf: &'a str,
    /// What is wrong with the last decision.
    pub(crate) problem: Option<&'a str>,
}

impl ConsentPage<'_> {
    pub(crate) fn to_html(self) -> Html {
        let content = Html::template(
            "<h1>Allow access?</h1>\n<p>The program <strong>“<bdi>{client}</bdi>”</strong> asks to use {server}.</p>\n\
             {problem}<dl>\n<dt>Signed in as</dt><dd>{person}</dd>\n<dt>Program</dt><dd>“<bdi>{client}</bdi>”, as it \
             calls itself. {origin}</dd>\n<dt>The answer goes to</dt><dd>{target}</dd>\n</dl>\n\
             <form method=\"post\" action=\"{base}/authorize\">{csrf}{tx}\n{choice}{scopes}\
             <p class=\"buttons\"><button class=\"primary\" name=\"decision\" value=\"allow\">Allow</button>\n\
             <button name=\"decision\" value=\"deny\" formnovalidate>Deny</button></p>\n</form>\n\
             <p class=\"quiet\">You can end this access at any time under “My connections” in the console, and so can the \
             owner of the server.</p>",
            &[
                ("client", Html::text(&self.client.name)),
                ("server", self.server()),
                ("problem", problem(self.problem)),
                ("person", self.person()),
                ("origin", self.origin()),
                ("target", self.target()),
                ("base", Html::text(self.base_path)),
                ("csrf", hidden_field("csrf", Some(self.csrf))),
                ("tx", hidden_field("tx", Some(self.tx))),
                ("choice", self.choice()),
                ("scopes", self.scopes()),
            ],
        );
        document(self.base_path, Html::text("Allow access?"), content)
    }

    fn server(self) -> Html {
        match self.servers {
            ConsentServer::Named(server) => Html::template(
                "the server <strong><bdi>{name}</bdi></strong> of <bdi>{owner}</bdi>",
                &server_values(server),
            ),
            ConsentServer::AnyOf(_) => Html::text("one of your servers"),
        }
    }

    fn person(self) -> Html {
        Html::template(
            "<bdi>{user}</bdi>\n<form class=\"inline\" method=\"post\" action=\"{base}/signout\">{csrf}{next}\
             <button class=\"link\">Not you?</button></form>",
            &[
                ("user", Html::text(self.user_name)),
                ("base", Html::text(self.base_path)),
                ("csrf", hidden_field("csrf", Some(self.csrf))),
                ("next", hidden_field("next", Some(self.next))),
            ],
        )
    }

    /// What is known about the client.
    fn origin(self) -> Html {
        match self.client.kind {
            ClientKind::Registered => Html::text("It registered itself, unverified: it may be any program."),
            ClientKind::Preregistered => Html::text("An administrator registered it."),
            ClientKind::MetadataDocument => {
                let host = Url::parse(&self.client.client_id).ok().and_then(|url| url.host_str().map(str::to_owned));
                Html::template(
                    "It is described by the site <strong>{host}</strong>; only this name is verified.",
                    &[("host", Html::text(host.as_deref().unwrap_or(&self.client.client_id)))],
                )
            }
        }
    }

    fn target(self) -> Html {
        let values = [("name", Html::text(self.target.name()))];
        match self.target {
            RedirectTarget::Site(_) => Html::template("the site <strong>{name}</strong>", &values),
            RedirectTarget::Loopback(_) => Html::template(
                "<strong>a program on this computer</strong> ({name})\n<span class=\"note warn\">Allow it only if you \
                 have just started to sign in from a program on this computer. If a page or a message of someone else \
                 brought you here, deny.</span>",
                &values,
            ),
            RedirectTarget::Program(_) => {
                Html::template("the program on this device that opens <strong>{name}:</strong> links", &values)
            }
        }
    }

    /// Radio buttons, none of them selected, if the client names no server.
    fn choice(self) -> Html {
        let ConsentServer::AnyOf(servers) = self.servers else { return Html::default() };
        let options = servers.iter().map(|(url, server)| {
            let [name, owner] = server_values(server);
            Html::template(
                "<label class=\"option\"><input type=\"radio\" name=\"resource\" value=\"{url}\" required>\
                 <span><strong><bdi>{name}</bdi></strong> of <bdi>{owner}</bdi></span></label>\n",
                &[("url", Html::text(url)), name, owner],
            )
        });
        let options = Html::concat(options);
        Html::template("<fieldset><legend>Which server?</legend>\n{options}</fieldset>\n", &[("options", options)])
    }

    fn scopes(self) -> Html {
        let boxes = [
            (McpScope::Read, "Read", "See its tools, prompts and resources, and use those that only read."),
            (McpScope::Write, "Change", "Use all tools and resources, also those that change something."),
        ];
        let asked = self.scopes.names();
        let boxes = boxes.into_iter().filter(|(scope, ..)| asked.contains(&scope.as_str()));
        let boxes = boxes.map(|(scope, name, meaning)| {
            Html::template(
                "<label class=\"option\"><input type=\"checkbox\" name=\"scope\" value=\"{scope}\" checked>\
                 <span><strong>{name}</strong> {meaning}</span></label>\n",
                &[("scope", Html::text(scope.as_str())), ("name", Html::text(name)), ("meaning", Html::text(meaning))],
            )
        });
        let boxes = Html::concat(boxes);
        Html::template("<fieldset><legend>It may</legend>\n{boxes}</fieldset>\n", &[("boxes", boxes)])
    }
}

fn server_values(server: &OAuthServer) -> [(&'static str, Html); 2] {
    [("name", Html::text(&server.server.spec.name)), ("owner", Html::text(&server.owner_name))]
}
