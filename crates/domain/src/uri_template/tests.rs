//! Tests of URI templates: the examples of RFC 6570, typical and hostile matches, and matching as the inverse of
//! expansion.

mod examples;
mod expansion;
mod inversion;
mod matching;
mod properties;

use super::*;

fn template(source: &str) -> UriTemplate {
    UriTemplate::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"))
}

#[test]
fn each_variable_is_listed_once_in_order_of_use() {
    let template = template("{b}/{a,b}{?c.d,a}");
    assert_eq!(template.variables().collect::<Vec<_>>(), ["b", "a", "c.d"]);
}

#[test]
fn literal_characters_are_counted_without_expressions() {
    assert_eq!(template("é://{a}/x{?b}").literal_len(), 6);
}

#[test]
fn errors_say_what_is_wrong_and_at_which_character() {
    let cases = [
        ("a{b", "the expression opened by `{` at character 2 is never closed"),
        ("é}", "`}` at character 2 closes nothing"),
        ("{}", "a variable name is missing at character 2"),
        ("{?}", "a variable name is missing at character 3"),
        ("{a,}", "a variable name is missing at character 4"),
        ("{a.}", "a variable name is missing at character 4"),
        ("{..a}", "a variable name is missing at character 3"),
        ("{=a}", "the operator `=` at character 2 is reserved and has no meaning yet"),
        ("{|a}", "the operator `|` at character 2 is reserved and has no meaning yet"),
        ("{a b}", "` ` at character 3 cannot be part of a variable name (letters, digits, `_`, `.` can)"),
        ("{a-b}", "`-` at character 3 cannot be part of a variable name (letters, digits, `_`, `.` can)"),
        ("{{a}}", "`{` at character 2 cannot be part of a variable name (letters, digits, `_`, `.` can)"),
        ("{a%2}", "`%` at character 3 must be followed by two hexadecimal digits"),
        ("{a:0}", "the prefix length at character 4 must be a number from 1 to 9999"),
        ("{a:}", "the prefix length at character 4 must be a number from 1 to 9999"),
        ("{a:10000}", "the prefix length at character 4 must be a number from 1 to 9999"),
        ("{b,a:+3}", "the prefix length at character 6 must be a number from 1 to 9999"),
        ("x y", "' ' at character 2 must be percent-encoded"),
        ("x\ny", "'\\n' at character 2 must be percent-encoded"),
        ("{a}<", "'<' at character 4 must be percent-encoded"),
        ("{a}%zz", "`%` at character 4 must be followed by two hexadecimal digits"),
    ];
    for (source, message) in cases {
        assert_eq!(UriTemplate::parse(source).map_err(|error| error.to_string()), Err(message.to_owned()), "{source}");
    }
}
