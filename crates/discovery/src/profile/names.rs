//! Adapts the names of tools to each profile.

use std::borrow::Cow;

use toolgate_domain::client_profile::ClientProfile;

/// The name under which a tool is listed: characters that clients refuse are replaced by `_`, and the name is cut to
/// the maximum length. Different names can become equal; the caller numbers them.
pub fn profile_name(profile: ClientProfile, name: &str) -> Cow<'_, str> {
    let Some(chars_max) = profile.name_chars_max() else { return Cow::Borrowed(name) };
    let is_accepted = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let needs_letter = |name: &str| {
        profile == ClientProfile::Gemini && !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    };
    if !name.is_empty() && name.len() <= chars_max && name.chars().all(is_accepted) && !needs_letter(name) {
        return Cow::Borrowed(name);
    }
    let prefix = if name.is_empty() || needs_letter(name) { "_" } else { "" };
    let replaced = name.chars().map(|c| if is_accepted(c) { c } else { '_' });
    Cow::Owned(prefix.chars().chain(replaced).take(chars_max).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_rewritten_only_where_a_client_refuses_them() {
        let long = "a".repeat(80);
        for (profile, name, expected) in [
            (ClientProfile::Common, "a.b", "a.b"),
            (ClientProfile::Claude, "a.b", "a_b"),
            (ClientProfile::Openai, "list_issues-2", "list_issues-2"),
            (ClientProfile::Gemini, "2fa", "_2fa"),
            (ClientProfile::Openai, "2fa", "2fa"),
            (ClientProfile::Gemini, "-x", "_-x"),
            (ClientProfile::Openai, &long, &"a".repeat(64)),
            (ClientProfile::Cursor, &long, &"a".repeat(60)),
            (ClientProfile::Vscode, "é", "_"),
            (ClientProfile::Vscode, "", "_"),
        ] {
            assert_eq!(profile_name(profile, name), expected, "{profile:?} {name}");
            assert_eq!(profile_name(profile, expected), expected);
        }
    }
}
