//! Redirects that lead nowhere.

use crate::Answer;
use crate::upstream::Received;

/// Back to the same place.
pub fn circle(request: &Received) -> Answer {
    to(request.path())
}

/// To a place that is always another one.
pub fn onward(request: &Received) -> Answer {
    to(&format!("{}/on", request.path()))
}

/// To an address that is none.
pub fn nowhere() -> Answer {
    to("http://[::1")
}

/// To something that is no place on the web.
pub fn file() -> Answer {
    to("file:///etc/passwd")
}

/// To this address.
pub fn to(location: &str) -> Answer {
    Answer::status(302).header("location", location)
}
