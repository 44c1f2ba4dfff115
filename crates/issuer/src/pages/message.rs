//! A page with a message, and a way back to the program.

use super::html::Html;
use super::layout::document;

/// A page that ends a sign-in or an authorization with a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessagePage<'a> {
    pub(crate) base_path: &'a str,
    pub(crate) title: &'a str,
    pub(crate) text: &'a str,
    pub(crate) link: Option<ReturnLink<'a>>,
}

/// A link back to the program, which then gets the error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReturnLink<'a> {
    /// The redirect URI with the error.
    pub(crate) url: &'a str,
    /// The host or scheme of the redirect URI.
    pub(crate) target: &'a str,
}

impl MessagePage<'_> {
    pub(crate) fn to_html(self) -> Html {
        let link = self.link.map_or_else(Html::default, |link| {
            Html::template(
                "<p class=\"buttons\"><a class=\"button\" href=\"{url}\">Back to <bdi>{target}</bdi></a></p>\n\
                 <p class=\"quiet\"><a href=\"{base}/signin\">Sign in as another person</a></p>",
                &[
                    ("url", Html::text(link.url)),
                    ("target", Html::text(link.target)),
                    ("base", Html::text(self.base_path)),
                ],
            )
        });
        let content = Html::template(
            "<h1>{title}</h1>\n<p>{text}</p>\n{link}",
            &[("title", Html::text(self.title)), ("text", Html::text(self.text)), ("link", link)],
        );
        document(self.base_path, Html::text(self.title), content)
    }
}
