//! Which tool lists the objects that another one reads or changes: `list_tickets` for `read_ticket`.

use http::Method;

use super::CompiledTool;

/// The rank of a tool in the same group whose name begins like that of a list.
const GROUP_RANK: usize = 100;

impl CompiledTool {
    /// How well this tool lists the objects that `other` reads or changes; a lower rank is better. `None` if it does
    /// not list them. `GET /tickets` lists the objects of `/tickets/{id}` and of `/tickets/{id}/notes`.
    pub fn listing_rank(&self, other: &Self) -> Option<usize> {
        if self.method != Method::GET || self.id == other.id {
            return None;
        }
        let (list, object) = (self.path_shape()?, other.path_shape()?);
        let (list, object): (Vec<&str>, Vec<&str>) = (list.split('/').collect(), object.split('/').collect());
        let is_list = ["list", "search", "find"].iter().any(|word| self.name.to_lowercase().starts_with(word));
        if object.starts_with(&list) && object.get(list.len()).is_some_and(|segment| segment.contains("{}")) {
            return Some(2 * (object.len() - list.len()) + usize::from(!is_list));
        }
        let reads_one_object = list.last().is_some_and(|segment| segment.contains("{}"));
        let has_same_tag = self.tag.is_some() && self.tag == other.tag;
        (has_same_tag && is_list && !reads_one_object).then_some(GROUP_RANK)
    }

    fn path_shape(&self) -> Option<String> {
        self.target.as_ref().map(|target| target.endpoint.path_shape())
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::ToolId;
    use toolgate_domain::tool::Tags;

    use crate::tool::CompiledTool;
    use crate::tool::tests::TestTool;

    fn tool(id: i64, name: &str, method: &str, path: &str, tag: &str) -> CompiledTool {
        let mut tool = TestTool::new(method, &format!("https://api.example{path}"));
        tool.spec.name = name.to_owned();
        tool.spec.tags = Tags::from_stored(tag);
        CompiledTool { id: ToolId(id), ..tool.compile() }
    }

    #[test]
    fn the_list_of_an_object_is_found_by_path_or_tag() {
        let read = tool(1, "read_ticket", "GET", "/v1/tickets/{id}", "tickets");
        let notes = tool(2, "add_note", "POST", "/v1/tickets/{id}/notes/{note}", "tickets");
        let list = tool(3, "all", "GET", "/v1/tickets", "");
        let list_notes = tool(4, "notes", "GET", "/v1/tickets/{ticket}/notes", "");
        let search = tool(5, "search_tickets", "GET", "/v1/find?q={q}", "tickets");
        let create = tool(6, "list_create", "POST", "/v1/tickets", "tickets");
        let ranks = |other: &CompiledTool| [&list, &list_notes, &search, &create].map(|tool| tool.listing_rank(other));
        assert_eq!(ranks(&read), [Some(3), None, Some(100), None]);
        assert_eq!(ranks(&notes), [Some(7), Some(3), Some(100), None]);
        assert_eq!(list.listing_rank(&list), None);
        assert_eq!(list.listing_rank(&search), None);
    }
}
