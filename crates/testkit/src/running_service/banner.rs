//! Parses the banner that `toolgate` prints at startup: two spaces, a label, the value.

/// The value after `label`, once its line is complete.
pub(super) fn value(stdout: &str, label: &str) -> Option<String> {
    stdout.split_inclusive('\n').filter(|line| line.ends_with('\n')).find_map(|line| {
        let (name, value) = line.strip_prefix("  ")?.trim_end().split_once(' ')?;
        (name == label).then(|| value.trim_start().to_owned())
    })
}

/// `host:port` of an `http://` URL.
pub(super) fn authority(url: &str) -> Option<&str> {
    url.strip_prefix("http://")?.split('/').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BANNER: &str = "Toolgate 0.1.0\n  console   http://127.0.0.1:41234/\n  \
        api_base  http://127.0.0.1:41234/wp-json/toolgate/v1\n  key       tg_abc\n  try       curl -H 'a: b' x\n";

    #[test]
    fn values_are_found_by_their_label() {
        assert_eq!(value(BANNER, "api_base").as_deref(), Some("http://127.0.0.1:41234/wp-json/toolgate/v1"));
        assert_eq!(value(BANNER, "key").as_deref(), Some("tg_abc"));
        assert_eq!(value(BANNER, "try").as_deref(), Some("curl -H 'a: b' x"));
        assert_eq!(value(BANNER, "other"), None);
    }

    #[test]
    fn an_incomplete_line_has_no_value() {
        assert_eq!(value("  api_base  http://127.0.0.1:41", "api_base"), None);
    }

    #[test]
    fn the_address_is_the_part_before_the_path() {
        let url = "http://127.0.0.1:41234/wp-json/toolgate/v1";
        assert_eq!(authority(url), Some("127.0.0.1:41234"));
        assert_eq!(authority("nonsense"), None);
    }
}
