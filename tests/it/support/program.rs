//! The real program: its commands, and its server on a free port.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt as _;

use super::{Response, repository};

/// The result of a command.
pub(crate) struct CommandOutput {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl CommandOutput {
    /// Exit code, output and errors as one text, for snapshots and messages.
    pub(crate) fn transcript(&self) -> String {
        format!("exit {}\n--- stdout\n{}--- stderr\n{}", self.code, self.out, self.err)
    }
}

/// The path of the program, built from the current sources.
pub(crate) fn path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        // Built together with the tests, so that no dependency is compiled again with other features.
        let mut cargo = cargo();
        cargo.current_dir(repository(".")).args(["build", "--quiet", "--workspace", "--bins", "--test", "it"]);
        cargo.assert().success();
        // The test binary lies in target/<profile>/deps/.
        let test = std::env::current_exe().unwrap();
        test.parent().and_then(Path::parent).unwrap().join("festival")
    })
}

/// Cargo, without the variables that the Cargo running the tests sets for their crate: they would make ring's build
/// script run again, and everything that uses ring would be recompiled.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_CRATE_", "CARGO_BIN_"].iter().any(|prefix| text.starts_with(prefix))
        {
            cargo.env_remove(&name);
        }
    }
    cargo
}

/// `festival` with these arguments in `directory`. The only environment variables of the project are those in
/// `environment`.
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

/// Runs `festival` until it exits.
pub(crate) fn festival(directory: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> CommandOutput {
    output_of(command(directory, arguments, environment).output().unwrap())
}

/// Runs `festival` with `input` on its standard input until it exits.
pub(crate) fn festival_with_input(directory: &Path, arguments: &[&str], input: &str) -> CommandOutput {
    let mut command = command(directory, arguments, &[]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The program may have ended before it reads anything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    output_of(child.wait_with_output().unwrap())
}

fn output_of(output: std::process::Output) -> CommandOutput {
    CommandOutput {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// `festival serve`, killed when dropped.
pub(crate) struct Server {
    child: Child,
    /// "127.0.0.1:40123".
    pub(crate) address: String,
    /// The address of its metrics, "127.0.0.1:40124"; empty if they are disabled.
    metrics: String,
    /// The lines of its log.
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts it on a free port and waits until it reports its address.
    pub(crate) fn start(directory: &Path, environment: &[(&str, &str)]) -> Self {
        Self::run(command(directory, &["serve"], environment))
    }

    /// Starts it with a limit on open files.
    pub(crate) fn start_with_files(directory: &Path, environment: &[(&str, &str)], files: u32) -> Self {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("ulimit -n {files} && exec \"$0\" serve")).arg(path());
        shell.current_dir(directory).envs(environment.iter().copied());
        Self::run(shell)
    }

    /// Starts it with `socket` as file descriptor 3 and the variables that systemd sets for it.
    pub(crate) fn start_on(directory: &Path, socket: &TcpListener) -> Self {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg("exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" serve").arg(path());
        let socket: OwnedFd = socket.try_clone().unwrap().into();
        shell.current_dir(directory).stdin(Stdio::from(socket));
        Self::run(shell)
    }

    fn run(mut command: Command) -> Self {
        let mut child = command.env("ROCKET_PORT", "0").stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (mut seen, mut metrics) = (String::new(), String::new());
        for line in lines.by_ref() {
            let line = line.unwrap();
            if let Some(address) = line.strip_prefix("Metrics are at http://") {
                metrics = address.trim_end_matches("/metrics").to_owned();
            }
            if let Some(address) = line.strip_prefix("The site is at http://") {
                let address = address.to_owned();
                let log = Arc::<Mutex<Vec<String>>>::default();
                let written = log.clone();
                std::thread::spawn(move || lines.for_each(|line| written.lock().unwrap().push(line.unwrap())));
                return Self { child, address, metrics, log };
            }
            seen.push_str(&line);
            seen.push('\n');
        }
        child.wait().unwrap();
        panic!("the server did not start:\n{seen}");
    }

    /// The log lines since it started.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// Sends SIGTERM, as systemd does.
    pub(crate) fn terminate(&self) {
        let kill = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(kill.success());
    }

    /// Waits up to `patience` for it to exit, and returns its exit code; none if it is still running.
    pub(crate) fn wait_for_exit(&mut self, patience: Duration) -> Option<i32> {
        let until = Instant::now() + patience;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status.code().unwrap_or(-1));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }

    /// The number of its open file descriptors.
    pub(crate) fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// The ports that it listens on.
    pub(crate) fn listening_ports(&self) -> Vec<u16> {
        let pid = self.child.id();
        let files = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap();
        let open: Vec<String> =
            files.filter_map(|file| Some(std::fs::read_link(file.ok()?.path()).ok()?.display().to_string())).collect();
        let table = std::fs::read_to_string(format!("/proc/{pid}/net/tcp")).unwrap();
        let sockets = table.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
        // Columns 1, 3 and 9: the local address, the state (0A is "listening"), the inode.
        let listening =
            sockets.filter(|columns| columns[3] == "0A" && open.contains(&format!("socket:[{}]", columns[9])));
        listening.map(|columns| u16::from_str_radix(columns[1].split(':').nth(1).unwrap(), 16).unwrap()).collect()
    }

    /// Requests its metrics with these header lines.
    pub(crate) fn metrics(&self, headers: &str) -> Response {
        let host = &self.metrics;
        let request = format!("GET /metrics HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n");
        send(host, &request)
    }

    /// The value of a metric.
    pub(crate) fn metric(&self, name: &str) -> i64 {
        let text = self.metrics("").text();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
    }

    /// Sends bytes and reads until the server closes the connection.
    pub(crate) fn send(&self, request: &str) -> Response {
        send(&self.address, request)
    }

    /// Sends a POST request on its own connection.
    pub(crate) fn post(&self, path: &str, content_type: &str, body: &[u8]) -> Response {
        let (address, length) = (&self.address, body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n"
        );
        send(&self.address, [head.as_bytes(), body].concat())
    }

    /// Sends a GET request on its own connection, with the path exactly as given.
    pub(crate) fn get(&self, path: &str) -> Response {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address))
    }
}

/// Sends bytes to `address` and reads until the connection is closed.
fn send(address: &str, request: impl AsRef<[u8]>) -> Response {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(request.as_ref()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("the response has headers");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.filter_map(|line| line.split_once(": ")).map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    Response::new(status, headers, bytes[end + 4..].to_vec())
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
