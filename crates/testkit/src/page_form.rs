//! Forms of the pages that the service renders, without a browser: reads their fields and encodes what is sent.

use form_urlencoded::Serializer;

/// The fields of a form as a browser would send them.
#[derive(Clone, Debug)]
pub struct PageForm(pub Vec<(String, String)>);

impl PageForm {
    /// The first form of the page that is sent to this path: hidden fields and ticked boxes.
    #[track_caller]
    pub fn parse(page: &str, path: &str) -> Self {
        let start = format!("action=\"{path}\"");
        let form = page.split("<form ").find(|form| form.contains(&start)).unwrap_or_else(|| panic!("no form: {page}"));
        let form = form.split("</form>").next().unwrap_or_default();
        let sent = |input: &&str| input.contains("type=\"hidden\"") || input.contains(" checked");
        let inputs =
            form.split("<input ").skip(1).map(|input| input.split('>').next().unwrap_or_default()).filter(sent);
        Self(inputs.map(|input| (attribute(input, "name"), attribute(input, "value"))).collect())
    }

    /// The first value of a field.
    #[track_caller]
    pub fn value(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()).expect("the form has the field")
    }

    /// The fields; each of `changes` replaces all fields of its name.
    pub fn with<'a>(&'a self, changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let is_kept = |name: &str| changes.iter().all(|(changed, _)| *changed != name);
        let kept = self.0.iter().filter(|(name, _)| is_kept(name)).map(|(name, value)| (name.as_str(), value.as_str()));
        kept.chain(changes.iter().copied()).collect()
    }
}

fn attribute(input: &str, name: &str) -> String {
    let start = format!("{name}=\"");
    let value = input.split(&start).nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
    value.replace("&quot;", "\"").replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Encodes fields as a form or a query.
pub fn encode(fields: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(fields).finish()
}
