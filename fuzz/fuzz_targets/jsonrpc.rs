//! Any body is parsed as messages or rejected with an error code of the specification.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| toolgate_mcp::envelope::assert_parsed_or_refused(body));
