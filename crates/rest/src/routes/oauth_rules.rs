//! Rules for servers that require sign-in (`auth_type: "oauth"`): the public URL of the service, and the issuer.

use toolgate_domain::change::Change;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::json::{JsonObject, is_null};
use toolgate_domain::oauth::settings::{OAUTH, OAuthIssuer, OAuthSettings};
use toolgate_domain::server::{EndpointAuth, ServerPatch, ServerSpec};

use crate::base_url::{BaseUrl, IssuerProblem};
use crate::error::RestError;
use crate::request::ApiRequest;

/// Whether a change can make a server require sign-in, or change who issues its tokens.
pub(super) fn affects_sign_in(patch: &ServerPatch) -> bool {
    let changes_settings = match &patch.settings {
        Change::Keep => false,
        Change::Clear => true,
        Change::Set(sent) => sent.get(OAUTH).is_some(),
    };
    patch.auth_type == Some(EndpointAuth::OAuth) || (patch.auth_type.is_none() && changes_settings)
}

/// Checks the server that results from `patch`. Reads the metadata of an issuer that was not verified before.
pub(super) async fn check(request: &ApiRequest, stored: &ServerSpec, patch: &ServerPatch) -> Result<(), RestError> {
    let Some(issuer) = new_issuer(stored, patch, &request.context.config.base_url)? else { return Ok(()) };
    request.context.services.issuers.check(&issuer).await.map_err(|error| {
        let message = format!("issuer cannot be used: {error} Set verify to false to save it without this check.");
        in_oauth(Fault::invalid_value("issuer", message)).into()
    })
}

/// Checks the settings. Returns the external issuer, if it is to be verified and was not verified before.
fn new_issuer(stored: &ServerSpec, patch: &ServerPatch, base_url: &BaseUrl) -> Result<Option<String>, Faults> {
    if patch.auth_type.unwrap_or(stored.auth_type) != EndpointAuth::OAuth {
        return Ok(None);
    }
    check_base_url(base_url)?;
    let settings = patched_settings(stored, patch);
    check_combination(&settings)?;
    let last =
        (stored.auth_type == EndpointAuth::OAuth).then(|| OAuthSettings::from_settings(stored.settings.as_ref()));
    let is_new = last.is_none_or(|last| last.issuer != settings.issuer || !last.verifies_issuer);
    match settings.issuer {
        OAuthIssuer::External(issuer) if is_new && settings.verifies_issuer => Ok(Some(issuer)),
        OAuthIssuer::BuiltIn | OAuthIssuer::External(_) => Ok(None),
    }
}

/// Refuses keys that have no effect with the issuer, because the owner may rely on them. Default values are accepted.
fn check_combination(settings: &OAuthSettings) -> Result<(), Faults> {
    let default = OAuthSettings::default();
    let (ignored, reason) = match settings.issuer {
        OAuthIssuer::BuiltIn => {
            let ignored = [
                ("audience", settings.audience != default.audience),
                ("subject_claim", settings.subject_claim != default.subject_claim),
                ("name_claim", settings.name_claim != default.name_claim),
                ("allow", settings.allow != default.allow),
                ("scope_read", settings.scope_read != default.scope_read),
                ("scope_write", settings.scope_write != default.scope_write),
            ];
            (ignored.to_vec(), "has no effect with the built-in issuer; set issuer to the URL of another one.")
        }
        OAuthIssuer::External(_) => {
            let ignored = [
                ("access", settings.access != default.access),
                ("access_token_ttl", settings.access_token_ttl != default.access_token_ttl),
            ];
            (ignored.to_vec(), "has no effect with an external issuer; use allow, and the settings of the issuer.")
        }
    };
    let mut faults = Faults::default();
    for (key, _) in ignored.into_iter().filter(|(_, is_set)| *is_set) {
        faults.push(in_oauth(Fault::invalid_value(key, format!("{key} {reason}"))));
    }
    faults.into_result(())
}

fn in_oauth(fault: Fault) -> Fault {
    fault.inside(OAUTH).inside("settings")
}

/// `settings.oauth` after the patch.
fn patched_settings(stored: &ServerSpec, patch: &ServerPatch) -> OAuthSettings {
    let stored_settings = || OAuthSettings::from_settings(stored.settings.as_ref());
    match &patch.settings {
        Change::Keep => stored_settings(),
        Change::Clear => OAuthSettings::default(),
        Change::Set(sent) => match sent.get(OAUTH) {
            None => stored_settings(),
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
        let faults = new_issuer(&ServerSpec::new("S".to_owned()), patch, base_url).err()?;
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

    const EXTERNAL: &str = r#"{"oauth":{"issuer":"https://login.example"}}"#;

    fn patch(json: &str) -> ServerPatch {
        ServerPatch { auth_type: Some(EndpointAuth::OAuth), settings: settings(json), ..ServerPatch::default() }
    }

    #[test]
    fn an_issuer_is_verified_when_a_server_begins_to_use_it() {
        let base_url = BaseUrl::Fixed("https://x.example".to_owned());
        let empty = ServerSpec::new("S".to_owned());
        let verified = |spec: &ServerSpec, patch: &ServerPatch| new_issuer(spec, patch, &base_url).unwrap();
        let expected = Some("https://login.example".to_owned());
        assert_eq!(verified(&empty, &patch(EXTERNAL)), expected);
        assert!(affects_sign_in(&patch(EXTERNAL)));
        let skipped = r#"{"oauth":{"issuer":"https://login.example","verify":false}}"#;
        assert_eq!(verified(&empty, &patch(skipped)), None);
        let stored = JsonObject::from_stored(EXTERNAL.into());
        let mut spec = ServerSpec { settings: Some(stored), ..ServerSpec::new("S".to_owned()) };
        let only_type = ServerPatch { auth_type: Some(EndpointAuth::OAuth), ..ServerPatch::default() };
        assert_eq!(verified(&spec, &only_type), expected, "the settings were stored with another type");
        spec.auth_type = EndpointAuth::OAuth;
        assert_eq!(verified(&spec, &patch(EXTERNAL)), None, "it is used already");
        assert_eq!(
            verified(&spec, &patch(r#"{"oauth":{"issuer":"https://b.example"}}"#)),
            Some("https://b.example".into())
        );
        assert_eq!(verified(&spec, &patch(r#"{"oauth":null}"#)), None);
        assert!(!affects_sign_in(&ServerPatch {
            settings: settings(r#"{"description":"d"}"#),
            ..ServerPatch::default()
        }));
    }

    #[test]
    fn keys_without_effect_are_refused() {
        let base_url = BaseUrl::Fixed("https://x.example".to_owned());
        for (json, key) in [
            (r#"{"oauth":{"audience":"a"}}"#, "audience"),
            (r#"{"oauth":{"allow":[{"claim":"g","any_of":["x"]}]}}"#, "allow"),
            (r#"{"oauth":{"scope_read":"r"}}"#, "scope_read"),
            (r#"{"oauth":{"issuer":"https://login.example","access":"users"}}"#, "access"),
            (r#"{"oauth":{"issuer":"https://login.example","access_token_ttl":300}}"#, "access_token_ttl"),
        ] {
            let (field, message) = fault(&patch(json), &base_url).unwrap();
            assert_eq!(field, format!("settings[oauth][{key}]"), "{message}");
        }
        assert_eq!(fault(&patch(r#"{"oauth":{"issuer":"https://login.example","access":"owner"}}"#), &base_url), None);
    }
}
