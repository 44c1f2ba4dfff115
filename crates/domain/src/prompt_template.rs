//! `{{name}}` placeholders of prompts and static resources.
