//! The peak memory of shaping a large body, measured in a separate process in which nothing else allocates.

use std::fs;
use std::hint::black_box;
use std::process::{self, Command};

use toolgate_domain::json::JsonObject;
use toolgate_domain::shaping::{NEW_TOOL_SHAPING, Shaping};
use toolgate_shaping::{Part, ShapingInput, shape};
use toolgate_testkit::process::{peak_rss_kib, rss_kib};

use crate::responses;

/// The argument with which this program starts itself as the measured process.
const ARGUMENT: &str = "--shape-once";
const BODY_BYTES: usize = 2_000_000;

/// In the measured process, prints the figure and returns true.
pub(crate) fn print_if_measured_process() -> bool {
    let is_measured = std::env::args().nth(1).as_deref() == Some(ARGUMENT);
    if is_measured {
        println!("{}", peak_bytes());
    }
    is_measured
}

/// The peak memory of shaping 2 MB, without the body itself, as a multiple of the body.
pub(crate) fn measure() -> Option<f64> {
    let output = Command::new(std::env::current_exe().ok()?).arg(ARGUMENT).output().ok()?;
    let bytes: u32 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    Some(f64::from(bytes) / f64::from(u32::try_from(BODY_BYTES).ok()?))
}

fn peak_bytes() -> u64 {
    let body = responses::issues(BODY_BYTES);
    let shaping = Shaping::parse(&JsonObject::from_stored(NEW_TOOL_SHAPING.to_owned())).unwrap_or_default();
    let answer = ShapingInput { body: &body, media_type: "application/json", reference: Some("r_7Kq2mDxYz0123456") };
    // Memory that was freed before still belongs to the process. Writing 5 resets the recorded peak to the memory
    // that is resident now.
    let is_reset = fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = if is_reset { rss_kib(process::id()) } else { peak_rss_kib(process::id()) };
    let shaped = black_box(shape(&answer, &shaping, Part::Start, None));
    let peak = peak_rss_kib(process::id());
    drop(shaped);
    peak.saturating_sub(before) * 1024
}
