//! The banner printed at startup: the addresses of the service and a first request. Tests and scripts parse it.

use std::fmt;

use secrecy::ExposeSecret;
use toolgate_domain::page::Listing;
use toolgate_domain::server::Server;

use crate::first_key::FirstKey;
use crate::shell;

/// The lines on stdout that report that the service is ready.
#[derive(Debug)]
pub(crate) struct Banner<'a> {
    /// URL of the service without a trailing slash.
    pub(crate) base_url: &'a str,
    /// Path of the management API.
    pub(crate) api_path: &'a str,
    pub(crate) key: &'a FirstKey,
    /// The demo server, if the settings enable it.
    pub(crate) demo: Option<&'a Server>,
    /// The path outside the base URL that a proxy must pass on, so that OAuth clients find the issuer.
    pub(crate) issuer_path: Option<&'a str>,
    /// Servers that other machines can use without a key.
    pub(crate) open_servers: &'a Listing<Server>,
}

impl fmt::Display for Banner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { base_url, api_path, key, demo, issuer_path, open_servers } = self;
        writeln!(f, "Toolgate {}", env!("CARGO_PKG_VERSION"))?;
        // The key is in the fragment, which browsers do not send to servers. No other line shows the key.
        let created = if let FirstKey::Created { key, .. } = key { Some(key.expose_secret()) } else { None };
        let fragment = created.map(|key| format!("#key={key}")).unwrap_or_default();
        line(f, "console", format_args!("{base_url}/{fragment}"))?;
        line(f, "api_base", format_args!("{base_url}{api_path}"))?;
        match key {
            FirstKey::Created { file, .. } | FirstKey::InFile(file) => {
                line(f, "key", format_args!("in {}", file.display()))?;
            }
            FirstKey::OnOtherNode(location) => line(f, "key", format_args!("{location}"))?,
            FirstKey::Configured | FirstKey::Unknown => {}
        }
        if let Some(hint) = sign_in_hint(base_url, key) {
            line(f, "sign_in", format_args!("{hint}"))?;
        }
        if let Some(server) = demo {
            line(f, "demo", format_args!("{base_url}{}", server.endpoint_path()))?;
        }
        if let Some(path) = issuer_path {
            line(f, "proxy", format_args!("for sign-in with OAuth, pass {path} of the host on as well, unchanged"))?;
        }
        if open_servers.total > 0 {
            line(f, "open", format_args!("{}", open_servers_text(open_servers)))?;
        }
        line(f, "try", format_args!("curl -H {} {base_url}{api_path}/servers", authorization(key)))
    }
}

fn line(f: &mut fmt::Formatter<'_>, label: &str, value: fmt::Arguments<'_>) -> fmt::Result {
    writeln!(f, "  {label:<10}{value}")
}

/// How to sign in to the console if the link contains no key: a command that prints a link, or where to get a key.
fn sign_in_hint(base_url: &str, key: &FirstKey) -> Option<String> {
    match key {
        FirstKey::InFile(file) => Some(format!("echo \"{base_url}/#key=$(cat {})\"", shell::quote(file.display()))),
        FirstKey::Unknown => Some("with one of your keys, or a new one: toolgate key create --scopes admin".to_owned()),
        FirstKey::Created { .. } | FirstKey::Configured | FirstKey::OnOtherNode(_) => None,
    }
}

/// Names the servers, so that the operator can decide whether they are meant to be open.
fn open_servers_text(open_servers: &Listing<Server>) -> String {
    let name = |server: &Server| format!("{} (id {})", server.spec.name, server.id);
    let mut names: Vec<String> = open_servers.items.iter().map(name).collect();
    let unnamed_count = open_servers.total - i64::try_from(names.len()).unwrap_or(i64::MAX);
    if unnamed_count > 0 {
        names.push(format!("and {unnamed_count} more"));
    }
    format!(
        "{}: everyone with the URL can call the tools; auth_type api-key or oauth requires a credential",
        names.join(", ")
    )
}

/// The `Authorization` header as a quoted shell word. Double quotes let the shell expand the variable or the command
/// that provides the key.
fn authorization(key: &FirstKey) -> String {
    match key {
        FirstKey::Created { file, .. } | FirstKey::InFile(file) => {
            format!("\"Authorization: Bearer $(cat {})\"", shell::quote(file.display()))
        }
        FirstKey::Configured | FirstKey::OnOtherNode(_) | FirstKey::Unknown => {
            "\"Authorization: Bearer $TOOLGATE_API_KEY\"".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn banner(key: &FirstKey) -> String {
        let open_servers = &Listing { items: Vec::new(), total: 0 };
        let (base_url, api_path) = ("http://127.0.0.1:8080", "/wp-json/toolgate/v1");
        Banner { base_url, api_path, key, demo: None, issuer_path: None, open_servers }.to_string()
    }

    #[test]
    fn a_created_key_is_shown_once_as_part_of_the_link() {
        let version = env!("CARGO_PKG_VERSION");
        let expected = format!(
            "Toolgate {version}\n  \
             console   http://127.0.0.1:8080/#key=tg_abc\n  \
             api_base  http://127.0.0.1:8080/wp-json/toolgate/v1\n  \
             key       in data/admin-key\n  \
             try       curl -H \"Authorization: Bearer $(cat data/admin-key)\" http://127.0.0.1:8080/wp-json/toolgate/v1/servers\n"
        );
        let created = FirstKey::Created { key: "tg_abc".into(), file: "data/admin-key".into() };
        assert_eq!(banner(&created), expected);
        assert!(!banner(&created.without_secret()).contains("tg_abc"));
    }

    #[test]
    fn a_stored_key_is_shown_by_the_path_of_its_file() {
        let text = banner(&FirstKey::InFile("./toolgate-data/admin-key".into()));
        assert!(text.contains("\n  console   http://127.0.0.1:8080/\n"), "{text}");
        assert!(text.contains("\n  key       in ./toolgate-data/admin-key\n"), "{text}");
        assert!(text.contains("curl -H \"Authorization: Bearer $(cat ./toolgate-data/admin-key)\" http"), "{text}");
        let sign_in = "\n  sign_in   echo \"http://127.0.0.1:8080/#key=$(cat ./toolgate-data/admin-key)\"\n";
        assert!(text.contains(sign_in), "{text}");
        let text = banner(&FirstKey::InFile("my data/admin-key".into()));
        assert!(text.contains("$(cat 'my data/admin-key')"), "{text}");
    }

    #[test]
    fn configured_and_unknown_keys_are_not_shown() {
        for key in [FirstKey::Configured, FirstKey::Unknown] {
            let text = banner(&key);
            assert!(!text.contains("\n  key "), "{text}");
            assert!(text.contains("\"Authorization: Bearer $TOOLGATE_API_KEY\""), "{text}");
        }
        let text = banner(&FirstKey::Unknown);
        assert!(text.contains("\n  sign_in   with one of your keys, or a new one: toolgate key create "), "{text}");
    }
}
