//! Content blocks as JSON, written directly into the buffer of the reply: a body is not copied into a value or a string
//! first.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::ContentBlock;

/// Bytes scanned at a time; the compiler vectorises the scan.
const STRIDE: usize = 32;

/// Appends the content block.
pub fn write_json(block: &ContentBlock, out: &mut Vec<u8>) {
    match block {
        ContentBlock::Text(text) => {
            out.extend_from_slice(br#"{"type":"text","text":"#);
            write_string(text.as_bytes(), out);
            out.push(b'}');
        }
        ContentBlock::Media { kind, data, mime } => {
            out.extend_from_slice(br#"{"type":"#);
            write_json_string(kind, out);
            out.extend_from_slice(br#","data":""#);
            write_base64(data, out);
            out.extend_from_slice(br#"","mimeType":"#);
            write_json_string(mime, out);
            out.push(b'}');
        }
        ContentBlock::ResourceLink { uri, name, mime, bytes } => {
            out.extend_from_slice(br#"{"type":"resource_link","uri":"#);
            write_json_string(uri, out);
            out.extend_from_slice(br#","name":"#);
            write_json_string(name, out);
            if !mime.is_empty() {
                out.extend_from_slice(br#","mimeType":"#);
                write_json_string(mime, out);
            }
            out.extend_from_slice(format!(",\"size\":{bytes}}}").as_bytes());
        }
    }
}

/// Appends `text` as a JSON string, quotes included.
pub fn write_json_string(text: &str, out: &mut Vec<u8>) {
    write_string(text.as_bytes(), out);
}

fn write_base64(data: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + data.len().div_ceil(3) * 4, 0);
    // The buffer has exactly the encoded length, so encoding cannot fail.
    let written = out.get_mut(start..).and_then(|buffer| BASE64_STANDARD.encode_slice(data, buffer).ok());
    out.truncate(start + written.unwrap_or_default());
}

/// Writes a JSON string. `text` is UTF-8; only ASCII characters are escaped, so it can be scanned as bytes.
fn write_string(text: &[u8], out: &mut Vec<u8>) {
    // JSON inside JSON, the common case, grows by about an eighth.
    out.reserve(text.len() + text.len() / 8 + 2);
    out.push(b'"');
    let (strides, rest) = text.as_chunks::<STRIDE>();
    for stride in strides {
        // The fold has no early exit, so that the compiler can vectorise it.
        if stride.iter().fold(false, |found, byte| found | needs_escape(*byte)) {
            write_escaped(stride, out);
        } else {
            out.extend_from_slice(stride);
        }
    }
    write_escaped(rest, out);
    out.push(b'"');
}

fn write_escaped(mut text: &[u8], out: &mut Vec<u8>) {
    while let Some(at) = text.iter().position(|byte| needs_escape(*byte)) {
        let (run, tail) = text.split_at(at);
        out.extend_from_slice(run);
        let Some((byte, after)) = tail.split_first() else { return };
        write_escape(*byte, out);
        text = after;
    }
    out.extend_from_slice(text);
}

fn needs_escape(byte: u8) -> bool {
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
