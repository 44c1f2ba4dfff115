//! The provider's claims about a person.

use serde_json::{Map, Value};
use toolgate_auth::jwt::Claims;
use toolgate_domain::oauth::allowed_people::ProviderPerson;
use toolgate_domain::oauth::identity::Identity;
use toolgate_domain::text;

/// Longest name of a user that comes from the provider, in characters.
const NAME_LENGTH_MAX: usize = 100;
/// The name of a person for whom the provider has no usable name.
const UNNAMED: &str = "user";

/// Claims about a person. They do not identify the person: only the subject does, which is not part of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PersonClaims {
    email: Option<String>,
    is_email_verified: bool,
    hosted_domain: Option<String>,
    name: Option<String>,
    preferred_username: Option<String>,
}

impl PersonClaims {
    pub(super) fn from_token(claims: &Claims) -> Self {
        let text = |name: &str| claims.text(name).map(str::to_owned);
        Self {
            email: text("email"),
            // Some providers write it as a text.
            is_email_verified: claims.boolean("email_verified") == Some(true)
                || claims.text("email_verified") == Some("true"),
            hosted_domain: text("hd"),
            name: text("name"),
            preferred_username: text("preferred_username"),
        }
    }

    /// The claims of the userinfo endpoint, which are accepted for the same subject only.
    pub(super) fn from_user_claims(members: &Map<String, Value>, subject: &str) -> Option<Self> {
        let text = |name: &str| members.get(name).and_then(Value::as_str).map(str::to_owned);
        let verified = members.get("email_verified");
        (text("sub").as_deref() == Some(subject)).then(|| Self {
            email: text("email"),
            is_email_verified: verified.is_some_and(|value| *value == true || *value == "true"),
            hosted_domain: text("hd"),
            name: text("name"),
            preferred_username: text("preferred_username"),
        })
    }

    pub(super) fn has_email(&self) -> bool {
        self.email.is_some()
    }

    /// The address, if the provider has verified it.
    pub(super) fn verified_email(&self) -> Option<&str> {
        self.email.as_deref().filter(|_| self.is_email_verified)
    }

    /// What decides whether the person may sign in.
    pub(super) fn as_provider_person<'a>(&'a self, identity: &'a Identity) -> ProviderPerson<'a> {
        ProviderPerson {
            issuer: &identity.issuer,
            subject: &identity.subject,
            verified_email: self.verified_email(),
            hosted_domain: self.hosted_domain.as_deref(),
        }
    }

    /// The name of a new user. It is not unique yet.
    pub(super) fn user_name(&self) -> String {
        let candidates = [self.name.as_deref(), self.preferred_username.as_deref(), self.verified_email()];
        let candidates = candidates.into_iter().flatten();
        let cut = |name: &str| name.trim().chars().take(NAME_LENGTH_MAX).collect::<String>();
        let mut names = candidates.filter_map(|name| text::display_name("name", &cut(name)).ok());
        names.next().unwrap_or_else(|| UNNAMED.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgate_domain::oauth::allowed_people::AllowedPeople;

    use super::*;

    fn person(members: &Value) -> PersonClaims {
        PersonClaims::from_user_claims(members.as_object().unwrap(), "1").unwrap()
    }

    #[test]
    fn an_address_counts_only_if_it_is_verified() {
        for (verified, counts) in [
            (json!(true), true),
            (json!("true"), true),
            (json!(false), false),
            (json!("false"), false),
            (json!(1), false),
            (json!("yes"), false),
            (Value::Null, false),
        ] {
            let claims = person(&json!({"sub": "1", "email": "a@example.com", "email_verified": verified}));
            assert_eq!(claims.verified_email().is_some(), counts, "{verified}");
        }
        let members = json!({"sub": "2", "email": "a@example.com", "email_verified": true});
        assert_eq!(PersonClaims::from_user_claims(members.as_object().unwrap(), "1"), None, "another person");
    }

    #[test]
    fn the_organisation_of_a_google_account_is_read_from_its_claims() {
        let people = AllowedPeople::parse("example.com").unwrap();
        let identity = Identity { issuer: "https://accounts.google.com".to_owned(), subject: "1".to_owned() };
        let is_allowed = |members: &Value| people.allow(&person(members).as_provider_person(&identity));
        let private = json!({"sub": "1", "email": "a@example.com", "email_verified": true});
        let hosted = json!({"sub": "1", "email": "a@example.com", "email_verified": true, "hd": "example.com"});
        assert!(!is_allowed(&private) && is_allowed(&hosted));
    }

    #[test]
    fn the_name_is_the_first_that_can_be_shown() {
        for (members, name) in [
            (json!({"sub": "1", "name": " Ada Lovelace ", "email": "a@example.com"}), "Ada Lovelace"),
            (json!({"sub": "1", "name": "", "preferred_username": "ada"}), "ada"),
            (
                json!({"sub": "1", "name": "A\u{202e}da", "email": "a@example.com", "email_verified": true}),
                "a@example.com",
            ),
            (json!({"sub": "1", "email": "a@example.com"}), "user"),
            (json!({"sub": "1", "name": 7}), "user"),
        ] {
            assert_eq!(person(&members).user_name(), name);
        }
        assert_eq!(person(&json!({"sub": "1", "name": "x".repeat(500)})).user_name().len(), 100);
    }
}
