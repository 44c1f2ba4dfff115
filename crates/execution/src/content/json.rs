//! Blocks as the JSON of an MCP reply, written straight into the reply's buffer: a body passes through here once,
//! and is never held a second time as a value or a string.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::Block;

/// So many bytes are looked at together; the compiler makes a few vector instructions of it.
const STRIDE: usize = 32;

/// Appends the content block.
pub fn write_json(block: &Block, out: &mut Vec<u8>) {
    match block {
        Block::Text(text) => {
            out.extend_from_slice(br#"{"type":"text","text":"#);
            write_string(text.as_bytes(), out);
            out.push(b'}');
        }
        Block::Image { data, mime } => write_media("image", data, mime, out),
        Block::Audio { data, mime } => write_media("audio", data, mime, out),
    }
}

/// Appends `text` as a JSON string, quotes included.
pub fn write_json_string(text: &str, out: &mut Vec<u8>) {
    write_string(text.as_bytes(), out);
}

fn write_media(kind: &str, data: &[u8], mime: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"type":"#);
    write_json_string(kind, out);
    out.extend_from_slice(br#","data":""#);
    write_base64(data, out);
    out.extend_from_slice(br#"","mimeType":"#);
    write_json_string(mime, out);
    out.push(b'}');
}

fn write_base64(data: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + data.len().div_ceil(3) * 4, 0);
    // The room is made to measure, so nothing can be missing.
    let written = out.get_mut(start..).and_then(|room| BASE64_STANDARD.encode_slice(data, room).ok());
    out.truncate(start + written.unwrap_or_default());
}

/// `text` is UTF-8, of which only ASCII is ever escaped: bytes will do.
fn write_string(text: &[u8], out: &mut Vec<u8>) {
    // JSON inside JSON, the usual case, grows by about an eighth.
    out.reserve(text.len() + text.len() / 8 + 2);
    out.push(b'"');
    let (strides, rest) = text.as_chunks::<STRIDE>();
    for stride in strides {
        // No early end, on purpose: that is what makes it vector code.
        if stride.iter().fold(false, |found, byte| found | is_escaped(*byte)) {
            write_escaped(stride, out);
        } else {
            out.extend_from_slice(stride);
        }
    }
    write_escaped(rest, out);
    out.push(b'"');
}

fn write_escaped(mut text: &[u8], out: &mut Vec<u8>) {
    while let Some(at) = text.iter().position(|byte| is_escaped(*byte)) {
        let (run, tail) = text.split_at(at);
        out.extend_from_slice(run);
        let Some((byte, after)) = tail.split_first() else { return };
        write_escape(*byte, out);
        text = after;
    }
    out.extend_from_slice(text);
}

fn is_escaped(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

fn write_escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        b'"' | b'\\' => byte,
        _ => return out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
    };
    out.extend_from_slice(&[b'\\', short]);
}
