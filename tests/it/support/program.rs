//! The real program: its commands, and its server on a port of its own.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt as _;

use super::{Answer, repository};

/// What a command answered.
pub(crate) struct Program {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Program {
    /// All of it, for a snapshot: exit code, output, errors.
    pub(crate) fn whole(&self) -> String {
        format!("exit {}\n--- stdout\n{}--- stderr\n{}", self.code, self.out, self.err)
    }
}

/// The program as the present sources make it.
pub(crate) fn path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        // With the tests, so that no dependency is built a second time with other features.
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(repository(".")).args(["build", "--quiet", "--workspace", "--bins", "--test", "it"]);
        cargo.assert().success();
        // This test stands in target/<profile>/deps/.
        let test = std::env::current_exe().unwrap();
        test.parent().and_then(Path::parent).unwrap().join("festival")
    })
}

/// `festival` with `arguments` in `directory`, with nothing of ours in the environment but `environment`.
pub(crate) fn command(directory: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Command {
    let mut command = Command::new(path());
    command.current_dir(directory).args(arguments);
    for (name, _) in std::env::vars() {
        if name.starts_with("FESTIVAL_") || name.starts_with("ROCKET_") {
            command.env_remove(name);
        }
    }
    command.envs(environment.iter().copied());
    command
}

/// Runs `festival` to its end.
pub(crate) fn festival(directory: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Program {
    let output = command(directory, arguments, environment).output().unwrap();
    Program {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// `festival serve`, stopped when it is dropped.
pub(crate) struct Server {
    child: Child,
    /// "127.0.0.1:40123".
    pub(crate) address: String,
    /// Where its figures are, "127.0.0.1:40124"; empty where it has none.
    figures: String,
    /// The lines of its log.
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts it on a free port and waits until it says where it is.
    pub(crate) fn start(directory: &Path, environment: &[(&str, &str)]) -> Self {
        Self::run(command(directory, &["serve"], environment))
    }

    /// The same with at most so many open files.
    pub(crate) fn start_with_files(directory: &Path, environment: &[(&str, &str)], files: u32) -> Self {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("ulimit -n {files} && exec \"$0\" serve")).arg(path());
        shell.current_dir(directory).envs(environment.iter().copied());
        Self::run(shell)
    }

    fn run(mut command: Command) -> Self {
        let mut child = command.env("ROCKET_PORT", "0").stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (mut seen, mut figures) = (String::new(), String::new());
        for line in lines.by_ref() {
            let line = line.unwrap();
            if let Some(address) = line.strip_prefix("Metrics are at http://") {
                figures = address.trim_end_matches("/metrics").to_owned();
            }
            if let Some(address) = line.strip_prefix("The site is at http://") {
                let address = address.to_owned();
                let log = Arc::<Mutex<Vec<String>>>::default();
                let written = log.clone();
                std::thread::spawn(move || lines.for_each(|line| written.lock().unwrap().push(line.unwrap())));
                return Self { child, address, figures, log };
            }
            seen.push_str(&line);
            seen.push('\n');
        }
        child.wait().unwrap();
        panic!("the server did not start:\n{seen}");
    }

    /// What it has written so far since it answers.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// Asks it to stop, as systemd does.
    pub(crate) fn terminate(&self) {
        let kill = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(kill.success());
    }

    /// Waits for its end, and answers its exit code; none where it is still there.
    pub(crate) fn ended(&mut self, patience: Duration) -> Option<i32> {
        let until = Instant::now() + patience;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status.code().unwrap_or(-1));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }

    /// Files, connections and the like that it has open.
    pub(crate) fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// Its figures, asked for with these lines of headers.
    pub(crate) fn figures(&self, headers: &str) -> Answer {
        let host = &self.figures;
        let request = format!("GET /metrics HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n");
        send(host, &request)
    }

    /// One of its figures.
    pub(crate) fn figure(&self, name: &str) -> i64 {
        let text = self.figures("").text();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
    }

    /// Sends these bytes and reads what comes back until the server closes.
    pub(crate) fn send(&self, request: &str) -> Answer {
        send(&self.address, request)
    }

    /// POST of a body on a connection of its own.
    pub(crate) fn post(&self, path: &str, content_type: &str, body: &[u8]) -> Answer {
        let (address, length) = (&self.address, body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n"
        );
        send(&self.address, [head.as_bytes(), body].concat())
    }

    /// GET of a path exactly as it is written, on a connection of its own.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address))
    }
}

/// Sends these bytes to `address` and reads what comes back until it closes.
fn send(address: &str, request: impl AsRef<[u8]>) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(request.as_ref()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has headers");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.filter_map(|line| line.split_once(": ")).map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    Answer::new(status, headers, bytes[end + 4..].to_vec())
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
