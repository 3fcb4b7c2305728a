//! Content and headers of mails, and attempts to inject headers through form fields.

use festival_core::mail::{self, Mailbox, Message};
use mail_parser::{Address, HeaderValue, MessageParser};

use super::smtp::{Behaviour, SmtpServer};
use super::{count_sent, enqueue_all, mail_to, site, wait_until};
use crate::support::{Database, TestApp};

on_both!(mail_arrives_as_written, invalid_address_does_not_block_other_mails);

const MALAYALAM: &str = "വെളിച്ചം: നിങ്ങളുടെ ചിത്രം കിട്ടി";

async fn mail_arrives_as_written(database: Database) {
    let server = SmtpServer::start(Behaviour::Accepts).await;
    let app = site(database, &server).await;
    let body = format!("{MALAYALAM}\n.\n..a line with dots\n\n{}\nFrom here on.\n", "long ".repeat(400));
    enqueue_all(
        &app,
        &[Message {
            to: Mailbox::new("അന്ന മരിയ", "anna@example.org"),
            reply_to: Some(Mailbox::new("Office, Kochi", "office@example.org")),
            subject: MALAYALAM.into(),
            body: body.clone(),
            ..mail_to(&app, "")
        }],
    )
    .await;
    wait_until("the mail is sent", async || count_sent(&app).await == 1).await;
    let [delivery] = server.deliveries().try_into().expect("one mail");
    assert_eq!(delivery.recipients, ["anna@example.org"]);
    assert!(delivery.text.is_ascii() && delivery.text.lines().all(|line| line.len() < 998));
    let mail = MessageParser::default().parse(delivery.text.as_bytes()).unwrap();
    assert_eq!(mail.subject(), Some(MALAYALAM));
    assert_eq!(person(mail.to()), ("അന്ന മരിയ".into(), "anna@example.org".into()));
    assert_eq!(person(mail.reply_to()), ("Office, Kochi".into(), "office@example.org".into()));
    assert_eq!(person(mail.from()), ("Velicham".into(), "office@velicham.example".into()));
    assert_eq!(mail.body_text(0).unwrap().replace("\r\n", "\n").trim_end(), body.trim_end());
    assert_eq!(mail.header_raw("Date").map(str::trim), Some("Sun, 26 Oct 2025 06:30:00 +0000"));
    assert_eq!(mail.header_raw("Auto-Submitted").map(str::trim), Some("auto-generated"));
    assert_eq!(mail.header_raw("Content-Type").map(str::trim), Some("text/plain; charset=utf-8"));
    let id = mail.message_id().unwrap();
    assert!(id.ends_with("@festival.example") && id.len() > 30, "{id}");
}

/// Texts that try to add a header, a recipient or a second mail, or are too long.
fn hostile() -> Vec<String> {
    let mut texts: Vec<String> = [
        "Hello\r\nBcc: evil@evil.example",
        "Hello\nBcc: evil@evil.example\n\nAnother text",
        "Hello\rBcc: evil@evil.example",
        "Hello\r\n.\r\nMAIL FROM:<evil@evil.example>\r\nRCPT TO:<evil@evil.example>",
        "=?utf-8?q?Hello=0D=0ABcc:_evil@evil.example?=",
        "=?utf-8?b?SGVsbG8NCkJjYzogZXZpbEBldmlsLmV4YW1wbGU=?= =?utf-8?q?x?=",
        "\" <evil@evil.example>, \"",
        "evil@evil.example, <evil@evil.example>;",
        "\\\" (comment) \u{85}Bcc: evil@evil.example\u{2028}x",
        "\0\u{1b}[31mred\u{7f}",
        "",
    ]
    .map(str::to_owned)
    .into();
    texts.extend(["x".repeat(1000), "word ".repeat(200), "ക".repeat(1000), "=?".repeat(500), "\r\n".repeat(500)]);
    texts
}

#[tokio::test]
async fn header_injection_is_prevented() {
    let server = SmtpServer::start(Behaviour::Accepts).await;
    let app = site(Database::Sqlite, &server).await;
    let mut messages = Vec::new();
    for text in hostile() {
        let message = mail_to(&app, "anna@example.org");
        messages.push(Message { subject: text.clone(), ..message.clone() });
        messages.push(Message { to: Mailbox::new(text.clone(), "anna@example.org"), ..message.clone() });
        messages.push(Message { reply_to: Some(Mailbox::new(text.clone(), "ben@example.org")), ..message.clone() });
        messages.push(Message { reply_to: Some(Mailbox::new("Ben", format!("ben@example.org{text}"))), ..message });
    }
    enqueue_all(&app, &messages).await;
    wait_until("all are sent", async || count_sent(&app).await == messages.len() as i64).await;
    let deliveries = server.deliveries();
    assert_eq!(deliveries.len(), messages.len());
    assert!(!server.commands().iter().any(|line| line.contains("evil")));
    for (delivery, message) in deliveries.iter().zip(&messages) {
        assert_eq!(delivery.recipients, ["anna@example.org"]);
        let mail = MessageParser::default().parse(delivery.text.as_bytes()).unwrap();
        let mut names: Vec<&str> = mail.headers().iter().map(|header| header.name.as_str()).collect();
        names.sort_unstable();
        names.retain(|name| *name != "Reply-To");
        let expected =
            "Auto-Submitted Content-Transfer-Encoding Content-Type Date From MIME-Version Message-ID Subject To";
        assert_eq!(names.join(" "), expected, "{message:?}\n{}", delivery.text);
        assert_eq!(person(mail.to()).1, "anna@example.org", "{}", delivery.text);
        let text = |value: &str| value.replace('\u{2060}', "");
        let one_line = |value: &str, longest: usize| {
            let plain: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
            let short: String = line.chars().take(longest - 1).collect();
            if line.chars().count() > longest { format!("{short}…") } else { line }
        };
        assert_eq!(text(mail.subject().unwrap_or_default()), one_line(&message.subject, 200), "{}", delivery.text);
        assert_eq!(text(&person(mail.to()).0), one_line(&message.to.name, 100), "{}", delivery.text);
        assert!(delivery.text.lines().all(|line| line.len() <= 998));
        let head = delivery.text.split("\r\n\r\n").next().unwrap();
        assert!(!head.to_lowercase().lines().any(|line| line.starts_with("bcc")), "{head}");
        assert_eq!(mail.body_text(0).unwrap().trim_end(), "Thank you.");
    }
}

async fn invalid_address_does_not_block_other_mails(database: Database) {
    let server = SmtpServer::start(Behaviour::Accepts).await;
    let app = site(database, &server).await;
    let bad = [
        "",
        "nobody",
        "a@b@example.org",
        "anna@example.org, evil@evil.example",
        "anna@example.org\r\nRCPT TO:<evil@evil.example>",
        "\"anna> evil\"@example.org",
        "<evil@evil.example>",
        "anna@example.org\0",
    ];
    let mut messages: Vec<Message> = bad.iter().map(|address| mail_to(&app, address)).collect();
    messages.push(mail_to(&app, "ben@example.org"));
    enqueue_all(&app, &messages).await;
    wait_until("the good one is sent", async || count_sent(&app).await >= 1).await;
    wait_until("the others are marked", async || {
        app.number("SELECT count(*) FROM outbox WHERE is_refused = 1 OR sent_at IS NOT NULL").await as usize
            == messages.len()
    })
    .await;
    for delivery in server.deliveries() {
        assert!(["anna@example.org", "ben@example.org"].contains(&delivery.recipients.join(",").as_str()));
    }
    let all = mail::list(&app.app.db, app.clock.now(), true).await.unwrap();
    assert!(!format!("{all:?}").contains("anna@"), "{all:?}");
}

#[tokio::test]
async fn every_organiser_gets_a_mail() {
    let server = SmtpServer::start(Behaviour::Accepts).await;
    let port = server.port;
    let app = TestApp::with(Database::Sqlite, |settings| {
        super::server_at(port)(settings);
        settings.mail.organisers = vec!["one@example.org".into(), "two@example.org".into()];
    })
    .await;
    let mut write = app.app.db.write().await.unwrap();
    let message = mail_to(&app, "replaced@example.org");
    mail::enqueue_to_organisers(&mut write, &app.app.settings, &message).await.unwrap();
    write.commit().await.unwrap();
    wait_until("both are sent", async || count_sent(&app).await == 2).await;
    let to: Vec<String> = server.deliveries().into_iter().flat_map(|delivery| delivery.recipients).collect();
    assert_eq!(to, ["one@example.org", "two@example.org"]);
    assert_eq!(server.connections(), 1, "all mails share one connection");
}

#[tokio::test]
async fn mails_are_written_to_files_without_a_mail_server() {
    let app = TestApp::new(Database::Sqlite).await;
    let ids = enqueue_all(&app, &[Message { subject: MALAYALAM.into(), ..mail_to(&app, "anna@example.org") }]).await;
    wait_until("the mail counts as sent", async || count_sent(&app).await == 1).await;
    let folder = app.directory.path().join("mails");
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap()).collect();
    let [file] = files.try_into().expect("one file and nothing unfinished");
    assert_eq!(file.file_name().to_str().unwrap(), format!("2025-10-26T06-30-00-film-receipt-{}.eml", ids[0]));
    let bytes = std::fs::read(file.path()).unwrap();
    let mail = MessageParser::default().parse(&bytes).unwrap();
    assert_eq!(mail.subject(), Some(MALAYALAM));
    assert_eq!(person(mail.to()).1, "anna@example.org");
    assert!(matches!(mail.header("Message-ID"), Some(HeaderValue::Text(_))));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
}

/// The only mailbox of a header: name and address.
fn person(address: Option<&Address<'_>>) -> (String, String) {
    let list = address.and_then(Address::as_list).expect("a list of mailboxes");
    let [only] = list else { panic!("{list:?}") };
    (only.name().unwrap_or_default().to_owned(), only.address().unwrap_or_default().to_owned())
}
