//! An imported command is parsed and never run: no file, socket or shell is opened. Row 6 of the security requirements.

use std::net::TcpListener;
use std::process::Command;

use serde_json::json;

use super::Setup;

/// The content of a file that must not be read.
const CANARY: &str = "this-stays-in-its-file";

/// Commands that would read the file, create another one next to it, or request this URL.
fn commands(file: &str, made: &str, visited: &str) -> Vec<String> {
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
        "-o MADE",
        "-c MADE",
        "--trace MADE",
        "-D MADE",
        "--url-query a@FILE",
        "--variable v@FILE",
        "-w @FILE",
        "-d \"$(cat FILE)\"",
        "-d \"`cat FILE`\"",
        "-d \"$(touch MADE)\"",
        "-d \"`touch MADE`\"",
        "> MADE",
        "< FILE",
        "-d @- < FILE",
        "-x VISITED",
        "--resolve a:80:127.0.0.1",
        "--doh-url VISITED",
        "--proxy VISITED",
        "; touch MADE",
        "&& touch MADE",
        "| tee MADE",
        "-d \"$(curl VISITED)\"",
        "--unix-socket FILE",
    ];
    let whole = |option: &str| {
        let option = option.replace("FILE", file).replace("MADE", made).replace("VISITED", visited);
        format!("curl {visited} {option}")
    };
    options.into_iter().map(whole).chain([format!("cat {file} | curl {visited} -d @-")]).collect()
}

#[tokio::test]
async fn nothing_of_a_command_is_opened_or_run() {
    let service = Setup::sqlite().start();
    let folder = tempfile::tempdir().unwrap();
    let (file, made) = (folder.path().join("file"), folder.path().join("made"));
    std::fs::write(&file, CANARY).unwrap();
    // Opening this pipe would block forever.
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let canary = TcpListener::bind("127.0.0.1:0").unwrap();
    canary.set_nonblocking(true).unwrap();
    let visited = format!("http://{}/", canary.local_addr().unwrap());
    for read in [&file, &pipe] {
        for command in commands(read.to_str().unwrap(), made.to_str().unwrap(), &visited) {
            for infer in ["0", "1"] {
                let request = service.api.post("/tools/import-curl").query("infer", infer);
                let reply = request.json(json!({"curl": command})).send().await;
                assert!(matches!(reply.status, 200 | 400), "{command}: {reply:?}");
                assert!(!reply.text().contains(CANARY), "{command}: {reply:?}");
            }
        }
    }
    assert!(!made.exists(), "a command was run");
    assert!(canary.accept().is_err(), "a connection was made");
}
