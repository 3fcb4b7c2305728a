//! `festival mail list`, `festival mail retry` and `festival mail test`, and what `festival check` says of the mail server.

use super::smtp::{Behaviour, SmtpServer};
use super::{attempts, count_sent, enqueue_all, mail_to, site, wait_until};
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(waiting_mails_are_listed_and_retried);

fn run(app: &TestApp, arguments: &[&str]) -> CommandOutput {
    run_with(app, arguments, &[])
}

fn run_with(app: &TestApp, arguments: &[&str], more: &[(&str, &str)]) -> CommandOutput {
    let elsewhere = tempfile::tempdir().unwrap();
    let url = app.database.url(app.directory.path());
    let environment = [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
        ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
    ];
    festival(elsewhere.path(), arguments, &[&environment, more].concat())
}

async fn waiting_mails_are_listed_and_retried(database: Database) {
    let server =
        SmtpServer::start(Behaviour::AnswersRecipient("anna", "550 5.1.1 <anna@example.org> is not here")).await;
    let app = site(database, &server).await;
    let empty = run(&app, &["mail", "list"]);
    assert_eq!((empty.code, empty.out.as_str(), empty.err.as_str()), (0, "", "No mails are waiting.\n"));
    let ids = enqueue_all(&app, &[mail_to(&app, "anna@example.org"), mail_to(&app, "ben@example.org")]).await;
    wait_until("one is sent", async || count_sent(&app).await == 1 && attempts(&app, ids[0]).await == 1).await;
    let waits = run(&app, &["mail", "list"]);
    let error = "the mail server refused: 550 5.1.1 a***@example.org is not here";
    let row = |id: i64, to: &str, state: &str, error: &str| {
        let created = "2025-10-26T12:00:00+05:30";
        let line = format!("{id:>6}  {:<20}  {to:<28}  {created}  {state:<8}  {:>8}  {error}", "film-receipt", 1);
        line.trim_end().to_owned()
    };
    let head = "    id  kind                  to                            created                    state     \
                attempts  last error";
    let refused = row(ids[0], "a***@example.org", "refused", error);
    assert_eq!(waits.out, format!("{head}\n{refused}\n"), "{}", waits.transcript());
    let all = run(&app, &["mail", "list", "--all"]);
    assert_eq!(all.out, format!("{head}\n{refused}\n{}\n", row(ids[1], "b***@example.org", "sent", "")));
    let again = run(&app, &["mail", "retry", &ids[1].to_string()]);
    assert_eq!((again.code, again.err), (1, format!("Mail {} was sent already.\n", ids[1])));
    assert_eq!(run(&app, &["mail", "retry", "999999"]).code, 1);
    assert_eq!(run(&app, &["mail", "retry"]).code, 2);
    assert_eq!(run(&app, &["mail", "retry", "--all", "1"]).code, 2);
    server.set(Behaviour::Accepts);
    // The command uses the real clock and this site's clock shows 2025: move it forward so that the mail is due.
    let retried = run(&app, &["mail", "retry", &ids[0].to_string()]);
    assert_eq!((retried.code, retried.out.as_str()), (0, ""), "{}", retried.transcript());
    app.clock.set(jiff::Timestamp::now());
    wait_until("it is sent", async || count_sent(&app).await == 2).await;
    assert_eq!(run(&app, &["mail", "retry", "--all"]).err, "No mails are waiting.\n");
    assert_eq!(run(&app, &["mail", "list"]).out, "");
}

// The mail server answers while this test waits for the program.
#[tokio::test(flavor = "multi_thread")]
async fn settings_of_mail_are_tried_before_mails_depend_on_them() {
    let server = SmtpServer::start(Behaviour::Accepts).await;
    let port = server.port.to_string();
    let app = site(Database::Sqlite, &server).await;
    let settings = [
        ("FESTIVAL_MAIL__HOST", "127.0.0.1"),
        ("FESTIVAL_MAIL__PORT", port.as_str()),
        ("FESTIVAL_MAIL__TLS", "none"),
        ("FESTIVAL_MAIL__FROM", "Office <office@festival.example>"),
    ];
    let test = ["mail", "test", "anna@example.org"];
    let sent = run_with(&app, &test, &settings);
    assert_eq!(sent.code, 0, "{}", sent.transcript());
    assert_eq!(sent.err, "127.0.0.1 accepted the mail. See whether it arrives, and not among the junk.\n");
    let [delivery] = server.deliveries().try_into().unwrap();
    assert_eq!(delivery.recipients, ["anna@example.org"]);
    assert!(delivery.text.contains("From: Office <office@festival.example>"), "{}", delivery.text);
    server.set(Behaviour::AnswersRecipient("anna", "550 5.1.1 no such user"));
    let refused = run_with(&app, &test, &settings);
    let reason = "The mail was not sent: the mail server refused: 550 5.1.1 no such user\n";
    assert_eq!((refused.code, refused.err.as_str()), (1, reason));
    let to_folder = run(&app, &test);
    assert!(to_folder.err.starts_with("mail.host is empty: the mail is a file in "), "{}", to_folder.transcript());

    let check = |more: &[(&str, &str)]| {
        let found = run_with(&app, &["check", "--deploy"], &[&settings, more].concat()).out;
        found.lines().filter_map(|line| line.strip_prefix("P019: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(check(&[]), [""; 0]);
    assert_eq!(
        check(&[("FESTIVAL_MAIL__USER", "office")]).first().unwrap(),
        "mails cannot be sent safely: mail.user is set, but mail.password is empty"
    );
    let unknown = check(&[("FESTIVAL_MAIL__HOST", "mail.invalid")]);
    let plain = "mails cannot be sent safely: mail.tls is \"none\", but mail.invalid is another machine: mails and the \
                 password cross the network unencrypted";
    assert_eq!(unknown[0], plain);
    let start = format!("mails cannot be sent safely: mail.invalid:{port}: no connection to the mail server");
    assert!(unknown[1].starts_with(&start), "{unknown:?}");
}
