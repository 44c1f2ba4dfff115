//! Tools that need input from the client: the first result requests the input, and the client repeats the call with it.

use serde_json::{Value, json};

/// One call of a tool that needs input, as its upstream receives it. The upstream is stateless, so `requestState`
/// carries the state from one call to the next.
pub(super) struct InputRequiredCall<'a> {
    message: &'a Value,
}

impl<'a> InputRequiredCall<'a> {
    pub(super) fn new(message: &'a Value) -> Self {
        Self { message }
    }

    pub(super) fn ask_name(&self) -> Value {
        match self.text("/user_name/content/name") {
            Some(name) => complete_result(&format!("Hello, {name}!")),
            None => {
                input_required_result(&json!({"user_name": question("What is your name?", "name", "string")}), None)
            }
        }
    }

    pub(super) fn ask_capital(&self) -> Value {
        match self.text("/capital_question/content/text") {
            Some(text) => complete_result(text),
            None => {
                input_required_result(&json!({"capital_question": sampling("What is the capital of France?")}), None)
            }
        }
    }

    pub(super) fn ask_roots(&self) -> Value {
        match self.response("/client_roots/roots").and_then(Value::as_array) {
            Some(roots) => complete_result(&format!("{} roots", roots.len())),
            None => input_required_result(&json!({"client_roots": roots_list()}), None),
        }
    }

    pub(super) fn ask_confirmation(&self) -> Value {
        let is_confirmed = self.response("/confirm/content/ok") == Some(&json!(true));
        if is_confirmed && self.state() == Some("to be confirmed") {
            return complete_result("state-ok");
        }
        input_required_result(&json!({"confirm": question("Please confirm", "ok", "boolean")}), Some("to be confirmed"))
    }

    pub(super) fn ask_everything(&self) -> Value {
        let is_complete = ["/user_name", "/greeting", "/client_roots"].iter().all(|key| self.response(key).is_some());
        if is_complete && self.state() == Some("all requested") {
            return complete_result("All three are here.");
        }
        let requests = json!({
            "user_name": question("What is your name?", "name", "string"),
            "greeting": sampling("Generate a greeting"),
            "client_roots": roots_list(),
        });
        input_required_result(&requests, Some("all requested"))
    }

    pub(super) fn ask_in_two_steps(&self) -> Value {
        match self.state() {
            Some("step 2") if self.text("/step2/content/color").is_some() => complete_result("Both steps are done."),
            Some("step 1") if self.text("/step1/content/name").is_some() => {
                let request = question("Step 2: What is your favorite color?", "color", "string");
                input_required_result(&json!({"step2": request}), Some("step 2"))
            }
            _ => input_required_result(
                &json!({"step1": question("Step 1: What is your name?", "name", "string")}),
                Some("step 1"),
            ),
        }
    }

    pub(super) fn ask_supported_inputs(&self) -> Value {
        let mut requests = json!({});
        for (capability, request) in [
            ("elicitation", question("What is your name?", "name", "string")),
            ("sampling", sampling("Generate a greeting")),
            ("roots", roots_list()),
        ] {
            if self.message["clientCapabilities"].get(capability).is_some() {
                requests[capability] = request;
            }
        }
        input_required_result(&requests, None)
    }

    fn state(&self) -> Option<&str> {
        self.message["requestState"].as_str()
    }

    fn response(&self, pointer: &str) -> Option<&Value> {
        self.message["inputResponses"].pointer(pointer)
    }

    fn text(&self, pointer: &str) -> Option<&str> {
        self.response(pointer)?.as_str()
    }
}

fn complete_result(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn input_required_result(requests: &Value, state: Option<&str>) -> Value {
    let mut result = json!({"resultType": "input_required", "inputRequests": requests});
    if let Some(state) = state {
        result["requestState"] = json!(state);
    }
    result
}

fn question(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({"type": "object", "properties": {field: {"type": kind}}, "required": [field]});
    json!({"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}})
}

fn sampling(text: &str) -> Value {
    let message = json!({"role": "user", "content": {"type": "text", "text": text}});
    json!({"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": 100}})
}

fn roots_list() -> Value {
    json!({"method": "roots/list", "params": {}})
}
