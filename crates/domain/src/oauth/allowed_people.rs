//! Who may sign in through an OpenID provider for the first time.

/// The prefix of an entry that is a subject.
const SUBJECT_PREFIX: &str = "sub:";
/// Longest name of a domain.
const DOMAIN_LENGTH_MAX: usize = 253;

/// Domains of verified e-mail addresses, and subjects. If it is empty, only people whose account was linked before may
/// sign in.
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

    /// Whether a person may sign in. `verified_email` is an address that the provider has verified.
    pub fn allow(&self, subject: &str, verified_email: Option<&str>) -> bool {
        let domain = verified_email.and_then(domain_of).map(str::to_ascii_lowercase);
        let is_allowed_domain = domain.is_some_and(|domain| self.domains.contains(&domain));
        is_allowed_domain || self.subjects.iter().any(|allowed| allowed == subject)
    }

    /// Whether addresses decide, so that they must be known.
    pub fn has_domains(&self) -> bool {
        !self.domains.is_empty()
    }
}

/// What follows the only `@`. An address with several could be read in two ways, so it has no domain.
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

    #[test]
    fn only_the_exact_domain_of_a_verified_address_is_allowed() {
        let people = AllowedPeople::parse(" Example.com , sub:1234,").unwrap();
        for email in ["ada@example.com", "ada@EXAMPLE.COM", "a.b+c@Example.Com"] {
            assert!(people.allow("9", Some(email)), "{email}");
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
            assert!(!people.allow("9", Some(email)), "{email:?}");
        }
        assert!(people.allow("1234", None));
        assert!(!people.allow("123", None) && !people.allow("12345", None) && !people.allow("sub:1234", None));
        assert!(!AllowedPeople::default().allow("1234", Some("ada@example.com")));
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
