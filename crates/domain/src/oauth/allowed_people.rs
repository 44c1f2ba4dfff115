//! Who may sign in through an OpenID provider for the first time.

/// The prefix of an entry that is a subject.
const SUBJECT_PREFIX: &str = "sub:";
/// Longest domain name, in bytes (RFC 1035).
const DOMAIN_LENGTH_MAX: usize = 253;

/// Google verifies addresses of every domain for private accounts, also of people who have left the domain. Only its claim
/// `hd` says that an account belongs to an organisation.
const ISSUER_WITH_HOSTED_DOMAINS: &str = "https://accounts.google.com";

/// What a provider says about a person, as far as it decides who may sign in.
#[derive(Clone, Copy, Debug)]
pub struct ProviderPerson<'a> {
    /// The issuer of the provider.
    pub issuer: &'a str,
    /// The id of the person at this issuer.
    pub subject: &'a str,
    /// An address that the provider has verified.
    pub verified_email: Option<&'a str>,
    /// The claim `hd`: the domain of the organisation to which the account belongs.
    pub hosted_domain: Option<&'a str>,
}

impl<'a> ProviderPerson<'a> {
    /// The domain that the provider vouches for.
    fn domain(&self) -> Option<&'a str> {
        match self.issuer {
            ISSUER_WITH_HOSTED_DOMAINS => self.hosted_domain,
            _ => self.verified_email.and_then(domain_of),
        }
    }
}

/// The domains of organisations and of verified e-mail addresses, and the subjects, that may sign in. If both lists are
/// empty, only people whose account was linked before may sign in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedPeople {
    /// In lower case.
    domains: Vec<String>,
    subjects: Vec<String>,
}

impl AllowedPeople {
    /// Parses entries separated by commas: `example.com`, `sub:1234`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut people = Self::default();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            match entry.strip_prefix(SUBJECT_PREFIX) {
                Some("") => return Err("\"sub:\" needs the subject of a person, like sub:1234".to_owned()),
                Some(subject) => people.subjects.push(subject.to_owned()),
                None if is_domain(entry) => people.domains.push(entry.to_ascii_lowercase()),
                None => {
                    let advice = "is not a domain like example.com and not a subject like sub:1234";
                    return Err(format!("{entry:?} {advice}; separate entries by commas"));
                }
            }
        }
        Ok(people)
    }

    /// Whether a person may sign in.
    pub fn allow(&self, person: &ProviderPerson<'_>) -> bool {
        let domain = person.domain().map(str::to_ascii_lowercase);
        let is_allowed_domain = domain.is_some_and(|domain| self.domains.contains(&domain));
        is_allowed_domain || self.subjects.iter().any(|allowed| allowed == person.subject)
    }

    /// Whether people can be allowed by the domain of their e-mail address, so that the provider must reveal it.
    pub fn has_domains(&self) -> bool {
        !self.domains.is_empty()
    }
}

/// The domain of an e-mail address. An address with several `@` is ambiguous, so it has none.
fn domain_of(email: &str) -> Option<&str> {
    let (local, domain) = email.split_once('@')?;
    (!local.is_empty() && is_domain(domain)).then_some(domain)
}

fn is_domain(text: &str) -> bool {
    let is_label = |label: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && label.bytes().all(is_allowed) && !label.starts_with('-') && !label.ends_with('-')
    };
    text.len() <= DOMAIN_LENGTH_MAX && text.contains('.') && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUER: &str = "https://id.example";

    fn allows(people: &AllowedPeople, subject: &str, verified_email: Option<&str>) -> bool {
        people.allow(&ProviderPerson { issuer: ISSUER, subject, verified_email, hosted_domain: None })
    }

    #[test]
    fn at_google_the_organisation_decides_and_not_the_address() {
        let people = AllowedPeople::parse("example.com,sub:1234").unwrap();
        let google = |subject, verified_email, hosted_domain| {
            people.allow(&ProviderPerson {
                issuer: "https://accounts.google.com",
                subject,
                verified_email,
                hosted_domain,
            })
        };
        assert!(google("9", Some("ada@example.com"), Some("example.com")));
        assert!(google("9", Some("ada@example.org"), Some("Example.COM")), "an organisation has several domains");
        for hosted_domain in [None, Some(""), Some("evil.example"), Some("sub.example.com"), Some("example.com.")] {
            assert!(!google("9", Some("ada@example.com"), hosted_domain), "{hosted_domain:?}");
            assert!(google("1234", None, hosted_domain), "{hosted_domain:?}");
        }
        // No other issuer's `hd` means anything.
        for issuer in [ISSUER, "https://accounts.google.com/", "https://accounts.google.com.evil.example"] {
            let hosted_domain = Some("example.com");
            let person =
                ProviderPerson { issuer, subject: "9", verified_email: Some("ada@evil.example"), hosted_domain };
            assert!(!people.allow(&person), "{issuer}");
        }
    }

    #[test]
    fn only_the_exact_domain_of_a_verified_address_is_allowed() {
        let people = AllowedPeople::parse(" Example.com , sub:1234,").unwrap();
        for email in ["ada@example.com", "ada@EXAMPLE.COM", "a.b+c@Example.Com"] {
            assert!(allows(&people, "9", Some(email)), "{email}");
        }
        for email in [
            "ada@example.com.evil",
            "ada@evil-example.com",
            "ada@sub.example.com",
            "ada@evil.org@example.com",
            "ada@example.com@evil.org",
            "\"ada@example.com\"@evil.org",
            "ada@example.com.",
            "ada@example.com ",
            "ada@example.com\0",
            "ada@ex\u{0430}mple.com",
            "@example.com",
            "example.com",
            "",
        ] {
            assert!(!allows(&people, "9", Some(email)), "{email:?}");
        }
        assert!(allows(&people, "1234", None));
        assert!(!allows(&people, "123", None) && !allows(&people, "12345", None) && !allows(&people, "sub:1234", None));
        assert!(!allows(&AllowedPeople::default(), "1234", Some("ada@example.com")));
    }

    #[test]
    fn entries_that_are_neither_domain_nor_subject_are_named() {
        for entry in
            ["@example.com", "ada@example.com", "*.example.com", "example", ".example.com", "-a.com", "a b.com"]
        {
            let error = AllowedPeople::parse(&format!("example.org,{entry}")).unwrap_err();
            assert!(error.contains(entry), "{error}");
        }
        assert!(AllowedPeople::parse("sub:").is_err());
        assert_eq!(AllowedPeople::parse(" , ").unwrap(), AllowedPeople::default());
    }
}
