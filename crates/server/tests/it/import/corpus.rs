//! The commands of `tests/curl`, each with what is known of it.
//!
//! A file begins with a sentence about its subject. Each command has a title line (`### …`), then lines that say more
//! about it, then the text as a user would paste it, to the next title:
//!
//! ```text
//! ### Headers from a file
//! differs: header x-filed -- files of the machine that the command is for are not here
//! file: headers.txt X-Filed: yes\n
//! curl http://UPSTREAM/headers/file -H @headers.txt
//! ```
//!
//! - `UPSTREAM` is the address that everything is sent to.
//! - `differs: WHAT -- WHY`: a difference that is right. It has to exist, or the line has to go.
//! - `file: NAME TEXT`: a file that the command finds where it runs; `\n` and `\t` in it are a line break and a tab.
//! - `shell: cmd` or `shell: powershell`: whose quotes the text has, if not bash's.
//! - `lines: crlf`: the text is pasted with the line ends of Windows.
//! - A line `=== bash` ends the text, and what follows is run in its place: for texts of another shell, and for options
//!   that this curl does not have or that would lead away from the upstream.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What stands for the upstream's address.
const UPSTREAM_PLACEHOLDER: &str = "UPSTREAM";

/// One command.
#[derive(Debug, Default)]
pub(super) struct CurlCase {
    /// The name of its file.
    pub(super) subject: String,
    pub(super) title: String,
    pub(super) shell: CaseShell,
    /// Names and contents.
    pub(super) files: Vec<(String, String)>,
    /// What differs, and why that is right.
    pub(super) differs: BTreeMap<String, String>,
    text: String,
    /// What is run if it is not the text itself.
    run: Option<String>,
    has_crlf: bool,
}

/// Whose quotes a text has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CaseShell {
    #[default]
    Bash,
    Cmd,
    PowerShell,
}

impl CurlCase {
    /// What is pasted.
    pub(super) fn pasted(&self, upstream: &str) -> String {
        let text = self.text.replace(UPSTREAM_PLACEHOLDER, upstream);
        if self.has_crlf { text.replace('\n', "\r\n") } else { text }
    }

    /// What bash runs.
    pub(super) fn run(&self, upstream: &str) -> String {
        self.run.as_ref().unwrap_or(&self.text).replace(UPSTREAM_PLACEHOLDER, upstream)
    }

    /// Reads a case without its `### `.
    fn parse(subject: &str, text: &str) -> Self {
        let (title, mut rest) = text.split_once('\n').unwrap_or_else(|| panic!("{subject}: {text} is only a title"));
        let mut case = Self { subject: subject.to_owned(), title: title.trim().to_owned(), ..Self::default() };
        while let Some((_, after)) = rest.split_once('\n').filter(|(line, _)| case.take(line)) {
            rest = after;
        }
        let (text, run) = match rest.split_once("=== bash\n") {
            Some((text, run)) => (text, Some(run)),
            None => (rest, None),
        };
        case.text = text.trim_end_matches('\n').to_owned();
        case.run = run.map(|run| run.trim_end_matches('\n').to_owned());
        assert!(
            case.shell == CaseShell::Bash || case.run.is_some(),
            "{case}: bash cannot run the text of another shell"
        );
        case
    }

    /// Takes a line that says more about the command; `false` for one that belongs to the command.
    fn take(&mut self, line: &str) -> bool {
        let Some((key, value)) = line.split_once(": ") else { return false };
        match key {
            "differs" => {
                let (what, why) = value.split_once(" -- ").unwrap_or_else(|| panic!("{self}: {line} says not why"));
                self.differs.insert(what.to_owned(), why.to_owned());
            }
            "file" => {
                let (name, content) = value.split_once(' ').unwrap_or_else(|| panic!("{self}: {line} has no content"));
                self.files.push((name.to_owned(), content.replace("\\n", "\n").replace("\\t", "\t")));
            }
            "shell" => {
                self.shell = match value {
                    "cmd" => CaseShell::Cmd,
                    "powershell" => CaseShell::PowerShell,
                    _ => panic!("{self}: there is no shell {value}"),
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

/// All commands, in the order of their files' names.
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
fn every_dialect_has_its_commands_and_no_title_stands_twice() {
    let cases = cases();
    let count = |shell| cases.iter().filter(|case| case.shell == shell).count();
    for shell in [CaseShell::Bash, CaseShell::Cmd, CaseShell::PowerShell] {
        assert!(count(shell) >= 8, "{shell:?} has only {} commands", count(shell));
    }
    let mut titles = BTreeSet::new();
    for case in &cases {
        assert!(titles.insert(case.to_string()), "{case} stands twice");
    }
}

#[test]
fn a_case_is_read_with_all_that_is_said_of_it() {
    let text = "About.\n\n### One\ncurl UPSTREAM/a\n\n### Two\ndiffers: header x -- so\nfile: f a\\n\\tb\nshell: cmd\n\
        lines: crlf\ncurl ^\n  UPSTREAM/b: c\n=== bash\ncurl UPSTREAM/b\n";
    let cases = parse("subject", text);
    let [one, two] = cases.as_slice() else { panic!("{cases:?}") };
    assert_eq!((one.to_string().as_str(), one.shell), ("subject: One", CaseShell::Bash));
    assert_eq!((one.pasted("h:1"), one.run("h:1")), ("curl h:1/a".to_owned(), "curl h:1/a".to_owned()));
    assert_eq!((two.pasted("h"), two.run("h")), ("curl ^\r\n  h/b: c".to_owned(), "curl h/b".to_owned()));
    assert_eq!(two.differs, BTreeMap::from([("header x".to_owned(), "so".to_owned())]));
    assert_eq!((two.files.as_slice(), two.shell), ([("f".to_owned(), "a\n\tb".to_owned())].as_slice(), CaseShell::Cmd));
}
