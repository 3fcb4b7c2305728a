//! `festival admin`: exit codes, output and messages; and what the server's log must not contain.

use std::fs;
use std::io::Write as _;

use crate::support::{festival, festival_with_input, program_command};

const PASSWORD: &str = "lantern-ferry-gramophone-42";

#[test]
fn accounts_are_managed_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert_eq!(festival(here, &["migrate"], &[]).code, 0);
    let mut transcript = Vec::new();
    let mut run = |arguments: &[&str], input: &str| {
        let program = festival_with_input(here, arguments, input);
        assert!(!program.transcript().contains(PASSWORD));
        transcript.push(format!("$ festival {}\n{}", arguments.join(" "), program.transcript()));
    };
    run(&["admin", "list"], "");
    let create = ["admin", "create", "Asha@example.org", "--name", "Asha Menon", "--role", "owner", "--password-stdin"];
    run(&create, "short\n");
    run(&create, "ashamenonashamenon\n");
    run(&create, &format!("{PASSWORD}\n"));
    run(&create, &format!("{PASSWORD}\n"));
    run(&["admin", "create", "ravi", "--role", "desk", "--password-stdin"], PASSWORD);
    run(&["admin", "create", "ravi@example.org", "--role", "desk"], "");
    run(&["admin", "create", "ravi@example.org", "--role", "desk", "--password-stdin"], PASSWORD);
    run(&["admin", "disable", "asha@example.org"], "");
    run(&["admin", "disable", "ravi@example.org"], "");
    run(&["admin", "disable", "ravi@example.org"], "");
    run(&["admin", "limit", "ravi@example.org", "section=asian,indian"], "");
    run(&["admin", "limit", "ravi@example.org", "section=brazilian", "colour=red"], "");
    run(&["admin", "limit", "asha@example.org", "section=asian"], "");
    run(&["admin", "list"], "");
    run(&["admin", "limit", "ravi@example.org"], "");
    run(&["admin", "enable", "ravi@example.org"], "");
    run(&["admin", "password", "ravi@example.org", "--password-stdin", "--without-second-factor"], PASSWORD);
    run(&["admin", "password", "nobody@example.org", "--password-stdin"], PASSWORD);
    run(&["admin", "list"], "");
    snapshot!("admin commands", transcript.join("\n"));
    let (_, wrong) = ((), festival(here, &["admin", "create", "a@example.org", "--role", "king"], &[]));
    assert_eq!(wrong.code, 2, "{}", wrong.transcript());
    snapshot!("admin help", festival(here, &["admin", "--help"], &[]).transcript());
    snapshot!("admin create help", festival(here, &["admin", "create", "--help"], &[]).transcript());
}

#[test]
fn server_log_contains_no_account_data() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert_eq!(festival(here, &["migrate"], &[]).code, 0);
    let create =
        ["admin", "create", "canary@example.org", "--name", "Canary Person", "--role", "owner", "--password-stdin"];
    assert_eq!(festival_with_input(here, &create, PASSWORD).code, 0);
    let log = fs::File::create(here.join("log")).unwrap();
    let environment = [("ROCKET_PORT", "0"), ("FESTIVAL_LOG__FILTER", "trace")];
    let mut server = program_command(here, &["serve"], &environment).stderr(log).spawn().unwrap();
    let read_log = || fs::read_to_string(here.join("log")).unwrap();
    let address = loop {
        let text = read_log();
        if let Some((_, rest)) = text.split_once("The site is at http://")
            && rest.contains('\n')
        {
            break rest.lines().next().unwrap().to_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    let request = |head: &str, body: &str| {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        let length = body.len();
        write!(stream, "{head} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n")
            .unwrap();
        write!(
            stream,
            "Content-Type: application/x-www-form-urlencoded\r\nCookie: festival-admin={}\r\n\r\n{body}",
            "ca".repeat(32)
        )
        .unwrap();
        let mut response = String::new();
        std::io::Read::read_to_string(&mut stream, &mut response).unwrap();
        response
    };
    let page = request("GET /admin/sign-in?next=/admin/canary-next", "");
    let (_, token) = page.split_once("name=\"csrf\" value=\"").unwrap();
    let token = &token[..64];
    for (email, password) in
        [("canary@example.org", "canary-wrong"), ("canary2@example.org", PASSWORD), ("canary@example.org", PASSWORD)]
    {
        let email = email.replace('@', "%40");
        request("POST /admin/sign-in", &format!("csrf={token}&email={email}&password={password}"));
    }
    request(&format!("GET /admin/invitation?token={}", "canary"), "");
    // A separate thread writes the log.
    while !read_log().contains("path=/admin/invitation") {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    server.kill().unwrap();
    server.wait().unwrap();
    let log = read_log();
    assert!(log.contains("path=/admin/sign-in") && log.contains("status=303"), "{log}");
    for secret in ["canary", "Canary", PASSWORD, token, &"ca".repeat(32), "argon2id$"] {
        assert!(!log.contains(secret), "{secret} in the log");
    }
}
