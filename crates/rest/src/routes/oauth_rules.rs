//! Rules for servers that require sign-in (`auth_type: "oauth"`), which depend on the public URL of the service.

use toolgate_domain::change::Change;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::json::{JsonObject, is_null};
use toolgate_domain::oauth::settings::{OAUTH, OAuthIssuer, OAuthSettings};
use toolgate_domain::server::{EndpointAuth, ServerPatch, ServerSpec};

use crate::base_url::{BaseUrl, IssuerProblem};

/// Whether a change can make a server require sign-in, or change who issues its tokens.
pub(super) fn concerns(patch: &ServerPatch) -> bool {
    let changes_settings = match &patch.settings {
        Change::Keep => false,
        Change::Clear => true,
        Change::Set(sent) => sent.get(OAUTH).is_some(),
    };
    patch.auth_type == Some(EndpointAuth::OAuth) || (patch.auth_type.is_none() && changes_settings)
}

/// Checks the server that a patch makes of `stored`.
pub(super) fn check(stored: &ServerSpec, patch: &ServerPatch, base_url: &BaseUrl) -> Result<(), Faults> {
    if patch.auth_type.unwrap_or(stored.auth_type) != EndpointAuth::OAuth {
        return Ok(());
    }
    match patched_settings(stored, patch).issuer {
        OAuthIssuer::BuiltIn => Ok(check_base_url(base_url)?),
        OAuthIssuer::External(_) => {
            let fault = Fault::invalid_value("issuer", "issuer: external issuers are not supported yet.");
            Err(fault.inside(OAUTH).inside("settings").into())
        }
    }
}

/// `settings.oauth` after the patch.
fn patched_settings(stored: &ServerSpec, patch: &ServerPatch) -> OAuthSettings {
    let of_stored = || OAuthSettings::from_settings(stored.settings.as_ref());
    match &patch.settings {
        Change::Keep => of_stored(),
        Change::Clear => OAuthSettings::default(),
        Change::Set(sent) => match sent.get(OAUTH) {
            None => of_stored(),
            Some(value) if is_null(value) => OAuthSettings::default(),
            Some(value) => {
                let object = JsonObject::from_raw(value);
                object.and_then(|object| OAuthSettings::parse(&object).ok()).unwrap_or_default()
            }
        },
    }
}

/// Fails unless this service can issue tokens.
fn check_base_url(base_url: &BaseUrl) -> Result<(), Fault> {
    let Err(problem) = base_url.issuer() else { return Ok(()) };
    let reason = match (problem, base_url) {
        (IssuerProblem::NotHttps, BaseUrl::Fixed(url)) => format!("needs https, and the URL of the service is {url}"),
        _ => "needs the public URL of the service".to_owned(),
    };
    let message = format!("auth_type oauth {reason}; set TOOLGATE_BASE_URL to the https URL of this service.");
    Err(Fault::invalid_value("auth_type", message))
}

#[cfg(test)]
mod tests {
    use toolgate_domain::settings::SentSettings;

    use super::*;

    fn settings(json: &str) -> Change<SentSettings> {
        Change::Set(SentSettings::parse(&JsonObject::from_stored(json.into())).unwrap())
    }

    fn fault(patch: &ServerPatch, base_url: &BaseUrl) -> Option<(String, String)> {
        let faults = check(&ServerSpec::new("S".to_owned()), patch, base_url).err()?;
        let first = faults.iter().next().unwrap();
        Some((first.field.clone(), first.message.clone()))
    }

    #[test]
    fn sign_in_needs_a_fixed_url_with_https_or_on_loopback() {
        let oauth = ServerPatch { auth_type: Some(EndpointAuth::OAuth), ..ServerPatch::default() };
        for good in ["https://x.example", "http://127.0.0.1:8080", "http://localhost:1", "http://[::1]:8080"] {
            assert_eq!(fault(&oauth, &BaseUrl::Fixed(good.to_owned())), None, "{good}");
        }
        for bad in [
            BaseUrl::FromRequest,
            BaseUrl::Fixed("http://10.0.0.1:80".into()),
            BaseUrl::Fixed("http://x.example".into()),
        ] {
            let (field, message) = fault(&oauth, &bad).unwrap();
            assert_eq!(field, "auth_type");
            assert!(message.contains("TOOLGATE_BASE_URL"), "{message}");
            assert_eq!(fault(&ServerPatch::default(), &bad), None, "another type needs no URL");
        }
    }

    #[test]
    fn external_issuers_are_refused_wherever_they_come_from() {
        let base_url = BaseUrl::Fixed("https://x.example".to_owned());
        let external = || settings(r#"{"oauth":{"issuer":"https://login.example"}}"#);
        let oauth = Some(EndpointAuth::OAuth);
        let patch = ServerPatch { auth_type: oauth, settings: external(), ..ServerPatch::default() };
        let expected = "settings[oauth][issuer]: external issuers are not supported yet.";
        assert_eq!(fault(&patch, &base_url), Some(("settings[oauth][issuer]".to_owned(), expected.to_owned())));
        assert!(concerns(&patch));
        let stored = JsonObject::from_stored(r#"{"oauth":{"issuer":"https://login.example"}}"#.into());
        let spec = ServerSpec { settings: Some(stored), ..ServerSpec::new("S".to_owned()) };
        let later = ServerPatch { auth_type: oauth, ..ServerPatch::default() };
        assert!(check(&spec, &later, &base_url).is_err());
        let cleared =
            ServerPatch { auth_type: oauth, settings: settings(r#"{"oauth":null}"#), ..ServerPatch::default() };
        assert!(check(&spec, &cleared, &base_url).is_ok());
        assert!(!concerns(&ServerPatch { settings: settings(r#"{"description":"d"}"#), ..ServerPatch::default() }));
    }
}
