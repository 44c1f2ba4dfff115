//! Bodies: every media type, and which properties become separate arguments.

use serde_json::{Value, json};
use toolgate_domain::tool::BodyType;

use super::{codes, document, import, mapping, only_candidate, post, problems, properties, required};
use crate::api::candidate::Candidate;

fn body(content: &Value) -> Candidate {
    post(&json!({"requestBody": {"required": true, "content": content}}))
}

fn json_body(schema: &Value) -> Candidate {
    body(&json!({"application/json": {"schema": schema}}))
}

#[test]
fn properties_of_a_json_object_are_arguments() {
    let candidate = json_body(&json!({
        "type": "object",
        "required": ["name", "id", "kind"],
        "properties": {
            "id": {"type": "integer", "readOnly": true},
            "name": {"type": "string", "description": "Its name."},
            "@type": {"type": "string"},
            "secret": {"type": "string", "writeOnly": true},
            "owner": {"type": "object", "properties": {"@id": {"type": "string"}}},
            "kind": {"const": "pet"},
        },
    }));
    assert_eq!(
        mapping(&candidate),
        json!({
            "name": {"location": "body"},
            "type": {"location": "body", "name": "@type"},
            "secret": {"location": "body"},
            "owner": {"location": "body"},
            "kind": {"location": "body", "value": "pet"},
        })
    );
    assert_eq!(required(&candidate), json!(["name"]));
    assert_eq!(properties(&candidate)["name"], json!({"type": "string", "description": "Its name."}));
    assert_eq!((candidate.body_type, candidate.body_required), (BodyType::Json, true));
    assert!(candidate.headers.is_empty());
}

#[test]
fn other_json_is_one_argument() {
    let many: serde_json::Map<String, Value> = (0..61).map(|n| (format!("p{n}"), json!({}))).collect();
    let a = json!({"a": {"type": "string"}});
    for schema in [
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"type": "string"}),
        json!({"type": "object"}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"type": "object", "properties": a, "additionalProperties": true}),
        json!({"oneOf": [{"type": "string"}, {"type": "object", "properties": a}]}),
        json!({"type": "object", "properties": a, "anyOf": [{"required": ["a"]}]}),
        json!({"type": ["object", "null"], "properties": a}),
        json!({"type": "object", "properties": many}),
        json!({"type": "object", "properties": {"a": {"type": "string", "readOnly": true}}}),
        json!({}),
    ] {
        let candidate = json_body(&schema);
        assert_eq!(mapping(&candidate), json!({"body": {"location": "body", "whole": true}}), "{schema}");
        assert_eq!(required(&candidate), json!(["body"]), "{schema}");
        assert_eq!(candidate.body_type, BodyType::Json);
    }
    let closed = json_body(&json!({"type": "object", "properties": a, "additionalProperties": false}));
    assert_eq!(mapping(&closed), json!({"a": {"location": "body"}}));
    let without_schema = body(&json!({"application/json": {}}));
    assert_eq!(mapping(&without_schema), json!({"body": {"location": "body", "whole": true}}));
}

#[test]
fn properties_behind_references_and_all_of_are_arguments() {
    let mut document = document(&json!({"/x": {"post": {"requestBody": {"$ref": "#/components/requestBodies/B"}}}}));
    document["components"] = json!({
        "requestBodies": {"B": {"required": true, "content": {"application/json": {"schema": {"allOf": [
            {"$ref": "#/components/schemas/A"},
            {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
        ]}}}}},
        "schemas": {"A": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}},
    });
    let candidate = only_candidate(&document);
    assert_eq!(mapping(&candidate), json!({"a": {"location": "body"}, "b": {"location": "body"}}));
    assert_eq!(required(&candidate), json!(["a", "b"]));
}

#[test]
fn an_optional_body_has_no_required_arguments_and_no_constants() {
    let schema =
        json!({"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {"const": 1}}});
    let candidate = post(&json!({"requestBody": {"content": {"application/json": {"schema": schema}}}}));
    assert_eq!(mapping(&candidate), json!({"a": {"location": "body"}, "b": {"location": "body"}}));
    assert_eq!((required(&candidate), candidate.body_required), (json!([]), false));
    let none = post(&json!({}));
    assert!(!none.body_required);
    assert_eq!(mapping(&none), json!({}));
}

#[test]
fn the_media_type_is_a_header_unless_it_is_implied() {
    for (media_type, body_type, content_type) in [
        ("application/json", BodyType::Json, None),
        ("application/json; charset=utf-8", BodyType::Json, Some("application/json; charset=utf-8")),
        ("application/vnd.api+json", BodyType::Json, Some("application/vnd.api+json")),
        ("*/*", BodyType::Json, None),
        ("application/x-www-form-urlencoded", BodyType::Form, None),
        ("multipart/form-data", BodyType::Multipart, None),
        ("text/plain", BodyType::Raw, Some("text/plain")),
        ("application/xml", BodyType::Raw, Some("application/xml")),
        ("application/octet-stream", BodyType::Raw, Some("application/octet-stream")),
        ("image/*", BodyType::Raw, None),
        ("multipart/mixed", BodyType::Raw, None),
    ] {
        let candidate =
            body(&json!({media_type: {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}}}));
        assert_eq!(candidate.body_type, body_type, "{media_type}");
        assert_eq!(candidate.headers.get("Content-Type").map(String::as_str), content_type, "{media_type}");
    }
}

#[test]
fn json_is_preferred_and_a_warning_names_the_other_media_types() {
    let schema = json!({"schema": {"type": "object", "properties": {"a": {"type": "string"}}}});
    let candidate = body(&json!({"application/xml": schema, "application/json": schema}));
    assert_eq!(candidate.body_type, BodyType::Json);
    assert_eq!(codes(&candidate), ["other_media_types"]);
    assert_eq!(
        candidate.warnings[0].message,
        "The body is sent as application/json. The API also accepts application/xml."
    );
}

#[test]
fn forms_have_the_style_of_their_encoding() {
    let object = json!({"type": "object", "properties": {"k": {"type": "string"}}});
    let list = json!({"type": "array", "items": {"type": "string"}});
    let candidate = body(&json!({"application/x-www-form-urlencoded": {
        "schema": {"type": "object", "required": ["a"], "properties": {
            "a": {"type": "string"}, "b": list, "c": list, "d": object, "e": object, "f": object, "g[]": list,
        }},
        "encoding": {
            "c": {"style": "pipeDelimited"},
            "d": {"style": "deepObject", "explode": true},
            "e": {"explode": true},
            "f": {"contentType": "application/json"},
        },
    }}));
    assert_eq!(
        mapping(&candidate),
        json!({
            "a": {"location": "body"},
            "b": {"location": "body"},
            "c": {"location": "body", "style": "pipeDelimited", "explode": false},
            "d": {"location": "body", "style": "deepObject", "explode": true},
            "e": {"location": "body", "style": "form", "explode": true},
            "f": {"location": "body"},
            "g": {"location": "body", "name": "g[]"},
        })
    );
    assert_eq!((required(&candidate), candidate.body_type), (json!(["a"]), BodyType::Form));
    let map =
        body(&json!({"application/x-www-form-urlencoded": {"schema": {"additionalProperties": {"type": "string"}}}}));
    assert_eq!(mapping(&map), json!({"body": {"location": "body", "whole": true}}));
    assert_eq!(properties(&map)["body"]["type"], "object");
}

#[test]
fn the_parts_of_a_multipart_body_are_files_texts_or_json() {
    let candidate = body(&json!({"multipart/form-data": {
        "schema": {"type": "object", "required": ["file"], "properties": {
            "file": {"type": "string", "format": "binary", "description": "The picture."},
            "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
            "media": {"contentMediaType": "image/png"},
            "empty": {},
            "base64": {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"},
            "meta": {"type": "object", "properties": {"a": {"type": "string"}}},
            "metas": {"type": "array", "items": {"type": "object"}},
            "shape": {"oneOf": [{"type": "object"}, {"allOf": [{"properties": {"a": {"type": "string"}}}]}]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "note": {"type": "string"},
        }},
        "encoding": {
            "file": {"contentType": "image/png, image/jpeg", "headers": {
                "X-A": {"schema": {"type": "string", "enum": ["1"]}},
                "X-B": {"schema": {"type": "string"}},
                "Content-Type": {"schema": {"type": "string"}},
            }},
            "empty": {"contentType": "application/pdf"},
            "note": {"contentType": "text/markdown"},
        },
    }}));
    assert_eq!(
        mapping(&candidate),
        json!({
            "file": {"location": "body", "headers": {"X-A": "1"}, "file": true},
            "files": {"location": "body", "file": true},
            "media": {"location": "body", "file": true},
            "empty": {"location": "body", "content_type": "application/pdf", "file": true},
            "base64": {"location": "body"},
            "meta": {"location": "body", "content_type": "application/json"},
            "metas": {"location": "body", "content_type": "application/json"},
            "shape": {"location": "body", "content_type": "application/json"},
            "tags": {"location": "body"},
            "note": {"location": "body", "content_type": "text/markdown"},
        })
    );
    let properties = properties(&candidate);
    assert_eq!(properties["file"]["description"], "The picture. A file: its content as `text` or as `base64`.");
    assert_eq!(properties["files"]["items"]["additionalProperties"], false);
    assert_eq!((required(&candidate), codes(&candidate)), (json!(["file"]), vec!["part_header"]));
}

#[test]
fn texts_xml_and_files_are_one_argument() {
    let text = body(&json!({"text/csv": {"schema": {"type": "string"}, "example": "a,b"}}));
    assert_eq!(mapping(&text), json!({"body": {"location": "body", "whole": true}}));
    assert_eq!(
        properties(&text)["body"],
        json!({"type": "string", "description": "A text of the type text/csv. Example: a,b"})
    );
    let schema = json!({"type": "object", "xml": {"name": "Pet"}, "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}});
    let xml = body(&json!({"application/xml": {"schema": schema, "examples": {"x": {"value": "<Pet/>"}}}}));
    assert_eq!(
        properties(&xml)["body"]["description"],
        "An XML document with the root element Pet and the elements id, name. Example: <Pet/>"
    );
    let file = body(&json!({"application/pdf": {}}));
    assert_eq!(mapping(&file), json!({"body": {"location": "body", "file": true, "whole": true}}));
    assert_eq!(properties(&file)["body"]["oneOf"], json!([{"required": ["text"]}, {"required": ["base64"]}]));
    let any = body(&json!({"image/*": {}}));
    assert_eq!(properties(&any)["body"]["required"], json!(["media_type"]));
}

#[test]
fn methods_that_usually_have_no_body_get_a_content_type_for_a_required_body() {
    for method in ["get", "head", "delete"] {
        let candidate = only_candidate(&document(&json!({"/x/{id}": {method: {
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "properties": {"id": {"type": "string"}}}}}},
        }}})));
        assert_eq!(
            mapping(&candidate),
            json!({"id": {"location": "path"}, "id_body": {"location": "body", "name": "id"}})
        );
        assert_eq!(candidate.headers["Content-Type"], "application/json", "announces the required body");
    }
    let optional = only_candidate(&document(&json!({"/x": {"delete": {"requestBody": {"content": {
        "application/json": {"schema": {"type": "object", "properties": {"id": {"type": "string"}}}},
    }}}}})));
    assert!(optional.headers.is_empty());
}

#[test]
fn a_form_that_is_not_an_object_is_a_problem() {
    for (media_type, kind) in [
        ("application/x-www-form-urlencoded", "array"),
        ("multipart/form-data", "array"),
        ("multipart/form-data", "string"),
    ] {
        let import = import(&document(&json!({"/x": {"post": {
            "requestBody": {"content": {media_type: {"schema": {"type": kind}}}},
        }}})));
        assert_eq!(problems(&import), [(json!("malformed"), Some("POST /x"))], "{media_type} {kind}");
    }
    let encoded = body(&json!({"application/x-www-form-urlencoded": {"schema": {"type": "string"}}}));
    assert_eq!(
        (encoded.body_type, mapping(&encoded)),
        (BodyType::Raw, json!({"body": {"location": "body", "whole": true}}))
    );
    assert_eq!(encoded.headers["Content-Type"], "application/x-www-form-urlencoded");
}

#[test]
fn a_body_without_media_types_is_not_sent_and_a_broken_reference_is_a_problem() {
    let candidate = post(&json!({"requestBody": {"required": true, "content": {}}}));
    assert_eq!((codes(&candidate), candidate.body_required), (vec!["body_without_content"], false));
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}});
    let import = import(&document(&json!({"/x": {"post": {
        "requestBody": {"content": {"application/json": {"schema": schema}}},
    }}})));
    assert_eq!(problems(&import), [(json!("ref_unresolved"), Some("POST /x"))]);
}
