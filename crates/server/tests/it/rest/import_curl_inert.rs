//! An imported command is parsed and never run: no file, socket or shell is opened (guarantee 6 in SECURITY.md).

use std::net::TcpListener;
use std::process::Command;

use serde_json::json;
use toolgate_testkit::ApiFixture;

use crate::toolgate;

/// The content of a file that must not be read.
const CANARY: &str = "this-stays-in-its-file";

/// Commands that would read `file`, create the file `output`, or request `url`.
fn commands(file: &str, output: &str, url: &str) -> Vec<String> {
    let options = [
        "-d @FILE",
        "--data-binary @FILE",
        "--data-urlencode a@FILE",
        "--json @FILE",
        "-F f=@FILE",
        "-F 'f=<FILE'",
        "-T FILE",
        "-K FILE",
        "-H @FILE",
        "-b FILE",
        "--netrc-file FILE",
        "--cert FILE",
        "--cacert FILE",
        "-o OUTPUT",
        "-c OUTPUT",
        "--trace OUTPUT",
        "-D OUTPUT",
        "--url-query a@FILE",
        "--variable v@FILE",
        "-w @FILE",
        "-d \"$(cat FILE)\"",
        "-d \"`cat FILE`\"",
        "-d \"$(touch OUTPUT)\"",
        "-d \"`touch OUTPUT`\"",
        "> OUTPUT",
        "< FILE",
        "-d @- < FILE",
        "-x URL",
        "--resolve a:80:127.0.0.1",
        "--doh-url URL",
        "--proxy URL",
        "; touch OUTPUT",
        "&& touch OUTPUT",
        "| tee OUTPUT",
        "-d \"$(curl URL)\"",
        "--unix-socket FILE",
    ];
    let to_command = |option: &str| {
        let option = option.replace("FILE", file).replace("OUTPUT", output).replace("URL", url);
        format!("curl {url} {option}")
    };
    options.into_iter().map(to_command).chain([format!("cat {file} | curl {url} -d @-")]).collect()
}

#[tokio::test]
async fn nothing_of_a_command_is_opened_or_run() {
    let service = ApiFixture::start(toolgate());
    let folder = tempfile::tempdir().unwrap();
    let (file, output) = (folder.path().join("file"), folder.path().join("output"));
    std::fs::write(&file, CANARY).unwrap();
    // Opening this pipe would block forever.
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    for input in [&file, &pipe] {
        for command in commands(input.to_str().unwrap(), output.to_str().unwrap(), &url) {
            for infer in ["0", "1"] {
                let request = service.api.post("/tools/import-curl").query("infer", infer);
                let reply = request.json(json!({"curl": command})).send().await;
                assert!(matches!(reply.status, 200 | 400), "{command}: {reply:?}");
                assert!(!reply.text().contains(CANARY), "{command}: {reply:?}");
            }
        }
    }
    assert!(!output.exists(), "a command created a file");
    assert!(listener.accept().is_err(), "a command opened a connection");
}
