//! A mail server whose behaviour and failures a test controls.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// How the server treats new connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behaviour {
    /// Accepts every mail.
    Accepts,
    /// Accepts every mail and acknowledges it half a second late.
    AcceptsSlowly,
    /// Greets with this line and disconnects.
    Greets(&'static str),
    /// Replies with the second text to recipients whose address contains the first.
    AnswersRecipient(&'static str, &'static str),
    /// Accepts the connection and never replies.
    Silent,
    /// Stops replying when the text of the mail begins.
    StallsAtText,
    /// Disconnects in the middle of the text.
    DisconnectsInText,
    /// Receives the text and never acknowledges it.
    NeverAcknowledges,
    /// Receives the text and disconnects instead of acknowledging it.
    DisconnectsAfterText,
    /// Requires authentication.
    RequiresLogin,
}

/// A mail as the server received it.
#[derive(Clone, Debug)]
pub(super) struct Delivery {
    /// The recipients of the envelope.
    pub(super) recipients: Vec<String>,
    /// Headers and text.
    pub(super) text: String,
}

#[derive(Default)]
struct Record {
    deliveries: Vec<Delivery>,
    commands: Vec<String>,
    connections: usize,
}

/// The mail server, stopped when dropped.
pub(super) struct SmtpServer {
    pub(super) port: u16,
    behaviour: Arc<Mutex<Behaviour>>,
    seen: Arc<Mutex<Record>>,
    task: JoinHandle<()>,
}

impl SmtpServer {
    /// Starts it on a free port.
    pub(super) async fn start(behaviour: Behaviour) -> Self {
        Self::start_at(0, behaviour).await
    }

    /// Starts it on this port.
    pub(super) async fn start_at(port: u16, behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let behaviour = Arc::new(Mutex::new(behaviour));
        let seen = Arc::<Mutex<Record>>::default();
        let (behaviours, records) = (behaviour.clone(), seen.clone());
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                records.lock().unwrap().connections += 1;
                let behaviour = *behaviours.lock().unwrap();
                tokio::spawn(Connection::new(stream, behaviour, records.clone()).run());
            }
        });
        Self { port, behaviour, seen, task }
    }

    /// Sets the behaviour for new connections.
    pub(super) fn set(&self, behaviour: Behaviour) {
        *self.behaviour.lock().unwrap() = behaviour;
    }

    /// The mails received so far.
    pub(super) fn deliveries(&self) -> Vec<Delivery> {
        self.seen.lock().unwrap().deliveries.clone()
    }

    /// Every line received, without the texts of mails.
    pub(super) fn commands(&self) -> Vec<String> {
        self.seen.lock().unwrap().commands.clone()
    }

    /// The number of connections so far.
    pub(super) fn connections(&self) -> usize {
        self.seen.lock().unwrap().connections
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A client's connection.
struct Connection {
    lines: Lines<BufReader<OwnedReadHalf>>,
    out: OwnedWriteHalf,
    behaviour: Behaviour,
    seen: Arc<Mutex<Record>>,
    recipients: Vec<String>,
}

impl Connection {
    fn new(stream: TcpStream, behaviour: Behaviour, seen: Arc<Mutex<Record>>) -> Self {
        let (read, out) = stream.into_split();
        Self { lines: BufReader::new(read).lines(), out, behaviour, seen, recipients: Vec::new() }
    }

    async fn reply(&mut self, line: &str) {
        let _ = self.out.write_all(format!("{line}\r\n").as_bytes()).await;
    }

    async fn run(mut self) {
        match self.behaviour {
            Behaviour::Silent => return tokio::time::sleep(Duration::from_secs(600)).await,
            Behaviour::Greets(line) => return self.reply(line).await,
            _ => self.reply("220 mail.example ready").await,
        }
        while let Ok(Some(line)) = self.lines.next_line().await {
            self.seen.lock().unwrap().commands.push(line.clone());
            let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
            match verb.as_str() {
                "EHLO" if self.behaviour == Behaviour::RequiresLogin => {
                    self.reply("250-mail.example\r\n250 AUTH PLAIN").await
                }
                "EHLO" => self.reply("250-mail.example\r\n250 8BITMIME").await,
                "AUTH" => self.reply("235 welcome").await,
                "MAIL" => {
                    self.recipients.clear();
                    self.reply("250 ok").await;
                }
                "RCPT" => self.recipient(&line).await,
                "DATA" => {
                    self.reply("354 go on").await;
                    if !self.text().await {
                        return;
                    }
                }
                "QUIT" => return self.reply("221 bye").await,
                _ => self.reply("250 ok").await,
            }
        }
    }

    async fn recipient(&mut self, line: &str) {
        if let Behaviour::AnswersRecipient(whom, response) = self.behaviour
            && line.contains(whom)
        {
            return self.reply(response).await;
        }
        self.recipients.push(line.split(['<', '>']).nth(1).unwrap_or_default().to_owned());
        self.reply("250 ok").await;
    }

    /// Reads a mail's text; returns false if the connection is to be closed.
    async fn text(&mut self) -> bool {
        let mut text = String::new();
        while let Ok(Some(line)) = self.lines.next_line().await {
            match self.behaviour {
                Behaviour::StallsAtText => tokio::time::sleep(Duration::from_secs(600)).await,
                Behaviour::DisconnectsInText => return false,
                _ => {}
            }
            if line == "." {
                break;
            }
            text.push_str(line.strip_prefix('.').unwrap_or(&line));
            text.push_str("\r\n");
        }
        self.seen.lock().unwrap().deliveries.push(Delivery { recipients: self.recipients.clone(), text });
        match self.behaviour {
            Behaviour::NeverAcknowledges => tokio::time::sleep(Duration::from_secs(600)).await,
            Behaviour::DisconnectsAfterText => return false,
            Behaviour::AcceptsSlowly => tokio::time::sleep(Duration::from_millis(500)).await,
            _ => {}
        }
        self.reply("250 taken").await;
        true
    }
}
