//! `festival mail list` and `festival mail retry`.

use super::smtp::{Behaviour, SmtpServer};
use super::{attempts, count_sent, enqueue_all, mail_to, site, wait_until};
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(waiting_mails_are_listed_and_retried);

fn run(app: &TestApp, arguments: &[&str]) -> CommandOutput {
    let elsewhere = tempfile::tempdir().unwrap();
    let url = app.database.url(app.directory.path());
    let environment = [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
        ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
    ];
    festival(elsewhere.path(), arguments, &environment)
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
