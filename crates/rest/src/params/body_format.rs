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
    /// Arguments as JSON, as a form or as `multipart/form-data`, or a document itself. The document is the upload of
    /// the request, in each of these forms.
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
