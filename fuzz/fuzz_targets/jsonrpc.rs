//! Any body is messages, or is refused with a code of the specification: see the property.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| toolgate_mcp::envelope::holds(body));
