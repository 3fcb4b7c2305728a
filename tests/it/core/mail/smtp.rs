//! A mail server that does what a test tells it to, well or badly.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// How the server behaves from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    /// Takes every mail.
    Takes,
    /// Takes every mail, and says so half a second late.
    TakesSlowly,
    /// Greets with this line, and hangs up.
    Greets(&'static str),
    /// Answers the recipients whose address holds the first word with this line.
    Answers(&'static str, &'static str),
    /// Takes the connection and says nothing.
    SaysNothing,
    /// Says nothing any more when the text begins.
    HangsAtText,
    /// Hangs up in the middle of the text.
    HangsUpInText,
    /// Takes the text and never says so.
    TakesSilently,
    /// Takes the text and hangs up instead of saying so.
    TakesAndHangsUp,
    /// Wants a login.
    WantsLogin,
}

/// A mail as the server got it.
#[derive(Clone, Debug)]
pub(super) struct Delivery {
    /// The recipients of the envelope.
    pub(super) recipients: Vec<String>,
    /// Headers and text.
    pub(super) text: String,
}

#[derive(Default)]
struct Seen {
    deliveries: Vec<Delivery>,
    commands: Vec<String>,
    connections: usize,
}

/// The server. Dropped, it is down.
pub(super) struct SmtpServer {
    pub(super) port: u16,
    mood: Arc<Mutex<Mood>>,
    seen: Arc<Mutex<Seen>>,
    task: JoinHandle<()>,
}

impl SmtpServer {
    /// Starts it on a free port.
    pub(super) async fn start(mood: Mood) -> Self {
        Self::start_at(0, mood).await
    }

    /// Starts it on this port.
    pub(super) async fn start_at(port: u16, mood: Mood) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let mood = Arc::new(Mutex::new(mood));
        let seen = Arc::<Mutex<Seen>>::default();
        let (moods, records) = (mood.clone(), seen.clone());
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                records.lock().unwrap().connections += 1;
                let mood = *moods.lock().unwrap();
                tokio::spawn(Talk::new(stream, mood, records.clone()).run());
            }
        });
        Self { port, mood, seen, task }
    }

    /// Connections from now on are served so.
    pub(super) fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// What was taken so far.
    pub(super) fn deliveries(&self) -> Vec<Delivery> {
        self.seen.lock().unwrap().deliveries.clone()
    }

    /// Every line that was said to the server, without the texts.
    pub(super) fn commands(&self) -> Vec<String> {
        self.seen.lock().unwrap().commands.clone()
    }

    /// How often somebody connected.
    pub(super) fn connections(&self) -> usize {
        self.seen.lock().unwrap().connections
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// One connection.
struct Talk {
    lines: Lines<BufReader<OwnedReadHalf>>,
    out: OwnedWriteHalf,
    mood: Mood,
    seen: Arc<Mutex<Seen>>,
    recipients: Vec<String>,
}

impl Talk {
    fn new(stream: TcpStream, mood: Mood, seen: Arc<Mutex<Seen>>) -> Self {
        let (read, out) = stream.into_split();
        Self { lines: BufReader::new(read).lines(), out, mood, seen, recipients: Vec::new() }
    }

    async fn say(&mut self, line: &str) {
        let _ = self.out.write_all(format!("{line}\r\n").as_bytes()).await;
    }

    async fn run(mut self) {
        match self.mood {
            Mood::SaysNothing => return tokio::time::sleep(Duration::from_secs(600)).await,
            Mood::Greets(line) => return self.say(line).await,
            _ => self.say("220 mail.example ready").await,
        }
        while let Ok(Some(line)) = self.lines.next_line().await {
            self.seen.lock().unwrap().commands.push(line.clone());
            let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
            match verb.as_str() {
                "EHLO" if self.mood == Mood::WantsLogin => self.say("250-mail.example\r\n250 AUTH PLAIN").await,
                "EHLO" => self.say("250-mail.example\r\n250 8BITMIME").await,
                "AUTH" => self.say("235 welcome").await,
                "MAIL" => {
                    self.recipients.clear();
                    self.say("250 ok").await;
                }
                "RCPT" => self.recipient(&line).await,
                "DATA" => {
                    self.say("354 go on").await;
                    if !self.text().await {
                        return;
                    }
                }
                "QUIT" => return self.say("221 bye").await,
                _ => self.say("250 ok").await,
            }
        }
    }

    async fn recipient(&mut self, line: &str) {
        if let Mood::Answers(whom, answer) = self.mood
            && line.contains(whom)
        {
            return self.say(answer).await;
        }
        self.recipients.push(line.split(['<', '>']).nth(1).unwrap_or_default().to_owned());
        self.say("250 ok").await;
    }

    /// Reads a mail to its end; false hangs up.
    async fn text(&mut self) -> bool {
        let mut text = String::new();
        while let Ok(Some(line)) = self.lines.next_line().await {
            match self.mood {
                Mood::HangsAtText => tokio::time::sleep(Duration::from_secs(600)).await,
                Mood::HangsUpInText => return false,
                _ => {}
            }
            if line == "." {
                break;
            }
            text.push_str(line.strip_prefix('.').unwrap_or(&line));
            text.push_str("\r\n");
        }
        self.seen.lock().unwrap().deliveries.push(Delivery { recipients: self.recipients.clone(), text });
        match self.mood {
            Mood::TakesSilently => tokio::time::sleep(Duration::from_secs(600)).await,
            Mood::TakesAndHangsUp => return false,
            Mood::TakesSlowly => tokio::time::sleep(Duration::from_millis(500)).await,
            _ => {}
        }
        self.say("250 taken").await;
        true
    }
}
