//! The settings of sign-in through an OpenID provider.

use anyhow::{Context, ensure};
use secrecy::SecretString;
use toolgate_domain::host::is_loopback;
use toolgate_domain::oauth::allowed_people::AllowedPeople;
use toolgate_domain::text;
use toolgate_issuer::OpenIdConfig;
use url::Url;

use super::Settings;

const CLIENT_ID_LENGTH_MAX: usize = 255;
const NAME_LENGTH_MAX: usize = 50;

impl Settings {
    /// The provider, if there is one. `issuer` is the public URL of this service, if it is fixed.
    pub(crate) fn openid(&self, issuer: Option<&str>) -> anyhow::Result<Option<OpenIdConfig>> {
        let settings = [
            ("TOOLGATE_OIDC_ISSUER", self.oidc_issuer.is_some()),
            ("TOOLGATE_OIDC_CLIENT_ID", self.oidc_client_id.is_some()),
            ("TOOLGATE_OIDC_CLIENT_SECRET", self.oidc_client_secret.is_some()),
        ];
        let missing: Vec<&str> = settings.iter().filter(|(_, is_set)| !is_set).map(|(name, _)| *name).collect();
        let is_unused = self.oidc_name.is_none() && self.oidc_allow == AllowedPeople::default();
        if missing.len() == settings.len() && is_unused {
            return Ok(None);
        }
        let (Some(provider), Some(client_id), Some(client_secret)) =
            (self.oidc_issuer.clone(), self.oidc_client_id.clone(), self.oidc_client_secret.clone())
        else {
            anyhow::bail!(
                "TOOLGATE_OIDC_ISSUER, TOOLGATE_OIDC_CLIENT_ID and TOOLGATE_OIDC_CLIENT_SECRET must be set together; \
                 not set: {}",
                missing.join(", ")
            );
        };
        ensure!(
            issuer.is_some(),
            "TOOLGATE_OIDC_ISSUER needs a fixed public address: set TOOLGATE_BASE_URL to the https address of the service"
        );
        ensure!(
            provider.starts_with("https:") || !self.is_exposed(),
            "TOOLGATE_OIDC_ISSUER must be an https address, because other machines can reach this service"
        );
        let name = self.oidc_name.clone().unwrap_or_else(|| issuer_host(&provider));
        let (allow, egress_rule) = (self.oidc_allow.clone(), self.egress_rule());
        Ok(Some(OpenIdConfig { issuer: provider, client_id, client_secret, allow, name, egress_rule }))
    }
}

fn issuer_host(issuer: &str) -> String {
    let url = Url::parse(issuer).ok();
    url.as_ref().and_then(Url::host_str).unwrap_or(issuer).to_owned()
}

/// Checks an issuer and returns it unchanged, because it must equal the issuer that the provider states, character by
/// character.
pub(super) fn issuer(text: &str) -> anyhow::Result<String> {
    let url = Url::parse(text).ok().filter(Url::has_host);
    let url = url.context("it must be the issuer of the provider, like https://accounts.example.com")?;
    let is_secure = match url.scheme() {
        "https" => true,
        "http" => url.host().is_some_and(|host| is_loopback(&host)),
        _ => false,
    };
    ensure!(is_secure, "it must be an https address (http only on loopback)");
    let is_plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
    ensure!(is_plain && url.fragment().is_none(), "it must not contain a user, a query or a fragment");
    ensure!(
        !url.path().contains("/.well-known/"),
        "leave out the path of the document: the issuer of https://a.example/.well-known/openid-configuration is \
         https://a.example"
    );
    Ok(text.to_owned())
}

pub(super) fn client_id(text: &str) -> anyhow::Result<String> {
    let is_visible = !text.is_empty() && text.chars().all(|c| !c.is_control());
    ensure!(is_visible && text.len() <= CLIENT_ID_LENGTH_MAX, "it must have 1 to {CLIENT_ID_LENGTH_MAX} characters");
    Ok(text.to_owned())
}

pub(super) fn client_secret(text: &str) -> anyhow::Result<SecretString> {
    ensure!(!text.is_empty(), "it is empty; copy the secret of this client from the provider");
    Ok(text.into())
}

pub(super) fn name(text: &str) -> anyhow::Result<String> {
    let name = text::display_name("name", text).ok().filter(|name| name.chars().count() <= NAME_LENGTH_MAX);
    name.with_context(|| format!("it must have 1 to {NAME_LENGTH_MAX} visible characters, like Example Inc."))
}

#[cfg(test)]
mod tests {
    use super::super::from_flags;
    use super::*;

    const ALL: [&str; 3] =
        ["--oidc-issuer=https://id.example/realms/x", "--oidc-client-id=gate", "--oidc-client-secret=hidden"];

    #[test]
    fn the_provider_is_configured_completely_or_not_at_all() {
        let base = Some("https://tools.example");
        assert!(from_flags(&[]).openid(base).unwrap().is_none());
        let config = from_flags(&ALL).openid(base).unwrap().unwrap();
        assert_eq!((config.name.as_str(), config.issuer.as_str()), ("id.example", "https://id.example/realms/x"));
        let (http, exposed) = ("--oidc-issuer=http://127.0.0.1:9000", "--listen=0.0.0.0:8080");
        assert!(from_flags(&[http, ALL[1], ALL[2]]).openid(base).is_ok());
        let error = from_flags(&[http, ALL[1], ALL[2], exposed]).openid(base).unwrap_err().to_string();
        assert!(error.contains("must be an https address"), "{error}");
        for left_out in 0..3 {
            let flags: Vec<&str> =
                ALL.iter().enumerate().filter(|(index, _)| *index != left_out).map(|(_, flag)| *flag).collect();
            let error = from_flags(&flags).openid(base).unwrap_err().to_string();
            let name = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"][left_out];
            assert!(error.ends_with(&format!("not set: TOOLGATE_OIDC_{name}")) && !error.contains("hidden"), "{error}");
        }
        assert!(from_flags(&["--oidc-allow=example.com"]).openid(base).is_err());
        assert!(from_flags(&["--oidc-name=Example"]).openid(base).is_err());
        let error = from_flags(&ALL).openid(None).unwrap_err().to_string();
        assert!(error.contains("TOOLGATE_BASE_URL"), "{error}");
    }

    #[test]
    fn an_issuer_is_an_https_address_without_the_path_of_its_document() {
        for good in ["https://id.example", "https://id.example/", "http://127.0.0.1:8081/realms/x"] {
            assert_eq!(issuer(good).unwrap(), good);
        }
        for bad in [
            "",
            "id.example",
            "http://id.example",
            "https://user@id.example",
            "https://id.example?x",
            "https://id.example/.well-known/openid-configuration",
        ] {
            assert!(issuer(bad).is_err(), "{bad}");
        }
    }
}
