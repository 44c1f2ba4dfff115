//! How the body of a request becomes arguments.

/// Largest request body of most routes, in bytes.
pub(crate) const BODY_MAX: usize = 2 * 1024 * 1024;
/// Largest body of a request that contains a document or a manifest, in bytes.
pub(crate) const LARGE_BODY_MAX: usize = 16 * 1024 * 1024;

/// The forms of a request body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyFormat {
    /// Arguments as JSON or as a form.
    Arguments,
    /// Arguments as JSON, or a JSON list that is the argument of this name. Its items are checked by the route, because
    /// together they may exceed the limits of a JSON document.
    List(&'static str),
    /// Arguments with a document among them, as JSON, a form or `multipart/form-data`, or the document as the whole
    /// body. In each case the document becomes the upload of the request.
    Document,
}

impl BodyFormat {
    /// The largest body, in bytes.
    pub(crate) fn bytes_max(self) -> usize {
        match self {
            Self::Arguments => BODY_MAX,
            Self::List(_) | Self::Document => LARGE_BODY_MAX,
        }
    }
}
