//! A request that is printed as a command in any dialect is parsed as the same request.

use proptest::prelude::*;
use serde_json::Value;
use toolgate_import::curl;

use crate::choices::Choices;
use crate::request::GeneratedRequest;
use crate::{argv, bash, cases, cmd, expected, powershell};

/// Prints a command from its words.
type Printer = fn(&[String], &mut Choices) -> String;

fn check_round_trip(request: &GeneratedRequest, choices: &mut Choices, printer: Printer) -> Result<(), TestCaseError> {
    let words = argv::words(request, choices);
    let command = printer(&words, choices);
    let draft = curl::import(&command);
    let draft = draft.map_err(|error| TestCaseError::fail(format!("{error}: {command}")))?;
    let mut draft = serde_json::to_value(&draft).expect("a draft is JSON");
    draft.as_object_mut().expect("a draft is an object").shift_remove("warnings");
    let expected = expected::draft(request);
    prop_assert_eq!(&draft, &expected, "{}", command);
    for pointer in ["/body", "/input_schema/properties"] {
        prop_assert_eq!(
            member_names(&draft, pointer),
            member_names(&expected, pointer),
            "the order of {} differs: {}",
            pointer,
            command
        );
    }
    Ok(())
}

fn member_names<'a>(draft: &'a Value, pointer: &str) -> Vec<&'a String> {
    draft.pointer(pointer).and_then(Value::as_object).expect("the pointer is that of an object").keys().collect()
}

proptest! {
    #![proptest_config(cases(0.2))]

    #[test]
    fn a_request_printed_for_bash_is_parsed_back(request in GeneratedRequest::any(), mut choices in Choices::any()) {
        check_round_trip(&request, &mut choices, bash::command)?;
    }

    #[test]
    fn a_request_copied_for_cmd_is_parsed_back(request in GeneratedRequest::any(), mut choices in Choices::any()) {
        check_round_trip(&request, &mut choices, cmd::command_as_copied)?;
    }

    #[test]
    fn a_request_typed_for_cmd_is_parsed_back(request in GeneratedRequest::any(), mut choices in Choices::any()) {
        check_round_trip(&request, &mut choices, cmd::command_as_typed)?;
    }

    #[test]
    fn a_request_for_powershell_is_parsed_back(request in GeneratedRequest::any(), mut choices in Choices::any()) {
        check_round_trip(&request, &mut choices, powershell::command)?;
    }
}
