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
