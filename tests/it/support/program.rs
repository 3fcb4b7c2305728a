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
fn path() -> &'static Path {
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
    /// The lines of its log.
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts it on a free port and waits until it says where it is.
    pub(crate) fn start(directory: &Path, environment: &[(&str, &str)]) -> Self {
        let mut command = command(directory, &["serve"], environment);
        let mut child = command.env("ROCKET_PORT", "0").stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut seen = String::new();
        for line in lines.by_ref() {
            let line = line.unwrap();
            if let Some(address) = line.strip_prefix("The site is at http://") {
                let address = address.to_owned();
                let log = Arc::<Mutex<Vec<String>>>::default();
                let written = log.clone();
                std::thread::spawn(move || lines.for_each(|line| written.lock().unwrap().push(line.unwrap())));
                return Self { child, address, log };
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

    /// Sends these bytes and reads what comes back until the server closes.
    pub(crate) fn send(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has headers");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers =
            lines.filter_map(|line| line.split_once(": ")).map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
        Answer::new(status, headers, bytes[end + 4..].to_vec())
    }

    /// GET of a path exactly as it is written, on a connection of its own.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
