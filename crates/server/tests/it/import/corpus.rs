//! Parses the commands of `tests/curl` and their properties.
//!
//! A file begins with a sentence about its subject. Each command has a title line (`### …`), then lines with its
//! properties, then the text as a user would paste it, up to the next title:
//!
//! ```text
//! ### Headers from a file
//! differs: header x-filed -- the importer does not read files
//! file: headers.txt X-Filed: yes\n
//! curl http://UPSTREAM/headers/file -H @headers.txt
//! ```
//!
//! - `UPSTREAM` stands for the address of the upstream.
//! - `differs: WHAT -- WHY`: an accepted difference. The test fails if it does not occur.
//! - `file: NAME TEXT`: a file in the folder in which the command runs; `\n` and `\t` are a line break and a tab.
//! - `shell: cmd` or `shell: powershell`: the shell for which the text is quoted, if it is not bash.
//! - `lines: crlf`: the text is pasted with the line ends of Windows.
//! - A line `=== bash` ends the text, and what follows is run instead: for texts of another shell, and for options that
//!   the installed curl does not have or that would send the request elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Placeholder for the upstream's address.
const UPSTREAM_PLACEHOLDER: &str = "UPSTREAM";

/// One command.
#[derive(Debug, Default)]
pub(super) struct CurlCase {
    /// The name of the file without its extension.
    pub(super) subject: String,
    pub(super) title: String,
    pub(super) shell: CaseShell,
    /// Names and contents of files.
    pub(super) files: Vec<(String, String)>,
    /// Accepted differences and their reasons.
    pub(super) accepted_differences: BTreeMap<String, String>,
    text: String,
    /// The command that is run instead of the text.
    bash_command: Option<String>,
    has_crlf: bool,
}

/// The shell for which a text is quoted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CaseShell {
    #[default]
    Bash,
    Cmd,
    PowerShell,
}

impl CurlCase {
    /// The text that is imported.
    pub(super) fn pasted_text(&self, upstream: &str) -> String {
        let text = self.text.replace(UPSTREAM_PLACEHOLDER, upstream);
        if self.has_crlf { text.replace('\n', "\r\n") } else { text }
    }

    /// The command that bash runs.
    pub(super) fn bash_command(&self, upstream: &str) -> String {
        self.bash_command.as_ref().unwrap_or(&self.text).replace(UPSTREAM_PLACEHOLDER, upstream)
    }

    /// Parses a case whose `### ` has been removed.
    fn parse(subject: &str, text: &str) -> Self {
        let (title, mut rest) = text.split_once('\n').unwrap_or_else(|| panic!("{subject}: {text} has only a title"));
        let mut case = Self { subject: subject.to_owned(), title: title.trim().to_owned(), ..Self::default() };
        while let Some((_, after)) = rest.split_once('\n').filter(|(line, _)| case.parse_property(line)) {
            rest = after;
        }
        let (text, bash_command) = match rest.split_once("=== bash\n") {
            Some((text, bash_command)) => (text, Some(bash_command)),
            None => (rest, None),
        };
        case.text = text.trim_end_matches('\n').to_owned();
        case.bash_command = bash_command.map(|command| command.trim_end_matches('\n').to_owned());
        assert!(
            case.shell == CaseShell::Bash || case.bash_command.is_some(),
            "{case}: bash cannot run the text of another shell"
        );
        case
    }

    /// Parses a line with a property; `false` if the line belongs to the command.
    fn parse_property(&mut self, line: &str) -> bool {
        let Some((key, value)) = line.split_once(": ") else { return false };
        match key {
            "differs" => {
                let (difference, reason) =
                    value.split_once(" -- ").unwrap_or_else(|| panic!("{self}: {line} has no reason"));
                self.accepted_differences.insert(difference.to_owned(), reason.to_owned());
            }
            "file" => {
                let (name, content) = value.split_once(' ').unwrap_or_else(|| panic!("{self}: {line} has no content"));
                self.files.push((name.to_owned(), content.replace("\\n", "\n").replace("\\t", "\t")));
            }
            "shell" => {
                self.shell = match value {
                    "cmd" => CaseShell::Cmd,
                    "powershell" => CaseShell::PowerShell,
                    _ => panic!("{self}: unknown shell {value}"),
                }
            }
            "lines" => self.has_crlf = value == "crlf",
            _ => return false,
        }
        true
    }
}

impl std::fmt::Display for CurlCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.subject, self.title)
    }
}

/// All commands, ordered by file name.
pub(super) fn cases() -> Vec<CurlCase> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/curl");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: &Path| {
        let subject = path.file_stem().unwrap().to_string_lossy().into_owned();
        parse(&subject, &std::fs::read_to_string(path).unwrap())
    };
    files.iter().flat_map(|path| read(path)).collect()
}

fn parse(subject: &str, text: &str) -> Vec<CurlCase> {
    text.split("\n### ").skip(1).map(|case| CurlCase::parse(subject, case)).collect()
}

#[test]
fn every_shell_has_commands_and_titles_are_unique() {
    let cases = cases();
    let count = |shell| cases.iter().filter(|case| case.shell == shell).count();
    for shell in [CaseShell::Bash, CaseShell::Cmd, CaseShell::PowerShell] {
        assert!(count(shell) >= 8, "{shell:?} has only {} commands", count(shell));
    }
    let mut titles = BTreeSet::new();
    for case in &cases {
        assert!(titles.insert(case.to_string()), "{case} occurs twice");
    }
}

#[test]
fn a_case_is_parsed_with_its_properties() {
    let text = "About.\n\n### One\ncurl UPSTREAM/a\n\n### Two\ndiffers: header x -- so\nfile: f a\\n\\tb\nshell: cmd\n\
        lines: crlf\ncurl ^\n  UPSTREAM/b: c\n=== bash\ncurl UPSTREAM/b\n";
    let cases = parse("subject", text);
    let [one, two] = cases.as_slice() else { panic!("{cases:?}") };
    assert_eq!((one.to_string().as_str(), one.shell), ("subject: One", CaseShell::Bash));
    assert_eq!((one.pasted_text("h:1"), one.bash_command("h:1")), ("curl h:1/a".to_owned(), "curl h:1/a".to_owned()));
    assert_eq!((two.pasted_text("h"), two.bash_command("h")), ("curl ^\r\n  h/b: c".to_owned(), "curl h/b".to_owned()));
    assert_eq!(two.accepted_differences, BTreeMap::from([("header x".to_owned(), "so".to_owned())]));
    assert_eq!((two.files.as_slice(), two.shell), ([("f".to_owned(), "a\n\tb".to_owned())].as_slice(), CaseShell::Cmd));
}
