//! The objects of replies: a struct declares each field with the value it gets.

/// Defines an object of replies: `field: Type = value`. The values are computed from the parameters of `new`, which
/// follow the name of the struct. The JSON Schema has the same fields, and their doc comments as descriptions.
///
/// `..field: Object = value` includes the fields of another object.
macro_rules! reply_object {
    (
        $(#[doc = $doc:literal])+
        $vis:vis struct $name:ident $(<$lifetime:lifetime>)? ($($parameter:ident: $parameter_type:ty),* $(,)?) {
            $(..$group:ident: $group_type:ty = $group_value:expr,)?
            $($(#[doc = $field_doc:literal])* $field:ident: $type:ty = $value:expr,)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(serde::Serialize)]
        $vis struct $name $(<$lifetime>)? {
            $(#[serde(flatten)] $group: $group_type,)?
            $(
                #[serde(skip_serializing_if = "crate::schema::ReplyValue::is_omitted")]
                $field: $type,
            )+
        }

        impl $(<$lifetime>)? $name $(<$lifetime>)? {
            $vis fn new($($parameter: $parameter_type),*) -> Self {
                Self {
                    $($group: $group_value,)?
                    $($field: $value,)+
                }
            }
        }

        impl $(<$lifetime>)? $crate::schema::ReplyValue for $name $(<$lifetime>)? {
            fn schema() -> serde_json::Value {
                $crate::schema::ObjectSchema::new(&[$($doc),+])
                    $(.fields_of::<$group_type>())?
                    $(.field::<$type>(stringify!($field), &[$($field_doc),*]))+
                    .finish()
            }
        }

        impl $(<$lifetime>)? $crate::schema::ReplyObject for $name $(<$lifetime>)? {
            fn name() -> &'static str {
                stringify!($name).trim_end_matches("Out")
            }
        }
    };
}
pub(crate) use reply_object;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::{Omittable, ReplyObject, ReplyValue};

    reply_object! {
        /// A book,
        /// or a magazine.
        struct BookOut<'a>(title: &'a str, pages: Option<u16>) {
            title: &'a str = title,
            /// Null if unknown.
            pages: Option<u16> = pages,
        }
    }

    reply_object! {
        /// A lent book.
        struct LentBookOut<'a>(title: &'a str, reader: Option<String>) {
            ..book: BookOut<'a> = BookOut::new(title, None),
            reader: Omittable<String> = Omittable(reader),
        }
    }

    #[test]
    fn the_schema_has_the_declared_fields_and_their_comments() {
        let expected = json!({
            "type": "object",
            "description": "A book, or a magazine.",
            "required": ["title", "pages"],
            "properties": {
                "title": {"type": "string"},
                "pages": {
                    "type": ["integer", "null"],
                    "format": "int32",
                    "minimum": 0,
                    "description": "Null if unknown.",
                },
            },
        });
        assert_eq!((BookOut::name(), BookOut::schema()), ("Book", expected));
    }

    #[test]
    fn an_object_can_include_another_one_and_leave_fields_out() {
        let schema = LentBookOut::schema();
        assert_eq!(schema["required"], json!(["title", "pages"]));
        let names: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["title", "pages", "reader"]);
        let json = |reader: Option<&str>| json!(LentBookOut::new("Emma", reader.map(str::to_owned)));
        assert_eq!(json(None), json!({"title": "Emma", "pages": null}));
        assert_eq!(json(Some("Ann")), json!({"title": "Emma", "pages": null, "reader": "Ann"}));
    }
}
