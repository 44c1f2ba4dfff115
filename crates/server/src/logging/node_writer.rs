//! Adds the name of the node to every line of a JSON log.

use std::io::{self, Write};

use tracing_subscriber::fmt::MakeWriter;

/// Writes lines to standard error.
pub(super) struct NodeWriter {
    /// The start of every line, which replaces its brace. The characters of a node name need no escaping.
    line_start: String,
}

impl NodeWriter {
    pub(super) fn new(node: &str) -> Self {
        Self { line_start: format!("{{\"node\":\"{node}\",") }
    }
}

/// Writes one line of the log.
pub(super) struct LineWriter<'a>(&'a str);

impl<'a> MakeWriter<'a> for NodeWriter {
    type Writer = LineWriter<'a>;

    fn make_writer(&'a self) -> Self::Writer {
        LineWriter(&self.line_start)
    }
}

impl Write for LineWriter<'_> {
    /// `line` is a whole line: the subscriber writes each line with one call.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match line.split_first() {
            // One write, so that the lines of several threads do not mix.
            Some((b'{', rest)) => io::stderr().write_all(&[self.0.as_bytes(), rest].concat())?,
            _ => io::stderr().write_all(line)?,
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
