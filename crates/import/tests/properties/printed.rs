//! A request, written as a command in any dialect, is read as that request.

use proptest::prelude::*;
use serde_json::Value;
use toolgate_import::curl;

use crate::choices::Choices;
use crate::request::Request;
use crate::{argv, bash, cases, cmd, expected, powershell};

/// Writes the words of a command.
type Printer = fn(&[String], &mut Choices) -> String;

fn reads_as_written(request: &Request, choices: &mut Choices, printer: Printer) -> Result<(), TestCaseError> {
    let words = argv::words(request, choices);
    let command = printer(&words, choices);
    let draft = curl::import(&command);
    let draft = draft.map_err(|error| TestCaseError::fail(format!("{error}: {command}")))?;
    let mut draft = serde_json::to_value(&draft).expect("a draft is JSON");
    draft.as_object_mut().expect("a draft is an object").shift_remove("warnings");
    let expected = expected::draft(request);
    prop_assert_eq!(&draft, &expected, "{}", command);
    for place in ["/body", "/input_schema/properties"] {
        prop_assert_eq!(names(&draft, place), names(&expected, place), "the order of {}: {}", place, command);
    }
    Ok(())
}

fn names<'a>(draft: &'a Value, place: &str) -> Vec<&'a String> {
    draft.pointer(place).and_then(Value::as_object).expect("an object").keys().collect()
}

proptest! {
    #![proptest_config(cases(0.2))]

    #[test]
    fn a_request_written_for_bash_is_read_back(request in Request::any(), mut choices in Choices::any()) {
        reads_as_written(&request, &mut choices, bash::command)?;
    }

    #[test]
    fn a_request_copied_for_cmd_is_read_back(request in Request::any(), mut choices in Choices::any()) {
        reads_as_written(&request, &mut choices, cmd::copied)?;
    }

    #[test]
    fn a_request_typed_for_cmd_is_read_back(request in Request::any(), mut choices in Choices::any()) {
        reads_as_written(&request, &mut choices, cmd::typed)?;
    }

    #[test]
    fn a_request_written_for_powershell_is_read_back(request in Request::any(), mut choices in Choices::any()) {
        reads_as_written(&request, &mut choices, powershell::command)?;
    }
}
