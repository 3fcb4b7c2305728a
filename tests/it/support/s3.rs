//! A real S3 server for the tests, and a proxy in front of it that can fail in several ways.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use assert_cmd::assert::OutputAssertExt as _;
use festival_core::settings::Settings;
use tempfile::TempDir;

use super::{program::cargo, repository};

const ACCESS_KEY: &str = "festival";
const SECRET_KEY: &str = "a-secret-key-for-tests";

/// The path of the server, built from `tests/s3-server`.
fn server_path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let target = repository("target/s3-server");
        let mut cargo = cargo();
        cargo.current_dir(repository("tests/s3-server")).args(["build", "--quiet", "--locked", "--target-dir"]);
        cargo.arg(&target).assert().success();
        target.join("debug/s3-server")
    })
}

/// An S3 server with buckets in folders, killed when dropped.
pub(crate) struct S3Server {
    child: Mutex<Child>,
    folder: TempDir,
    /// "127.0.0.1:40123".
    pub(crate) address: String,
}

impl S3Server {
    /// Starts it on a free port.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (child, address) = start(folder.path(), "127.0.0.1:0");
        Self { child: Mutex::new(child), folder, address }
    }

    /// Builds it unless it is built already.
    pub(crate) fn build() {
        server_path();
    }

    /// The server shared by all tests that do not need their own.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<S3Server> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Kills it, so that connections are refused.
    pub(crate) fn kill(&self) {
        let mut child = self.child.lock().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Starts it again at the same address, after [`S3Server::kill`].
    pub(crate) fn restart(&self) {
        let (child, _) = start(self.folder.path(), &self.address);
        *self.child.lock().unwrap() = child;
    }

    /// Makes an empty bucket.
    pub(crate) fn bucket(&self) -> Bucket {
        self.bucket_of(None)
    }

    /// Makes a bucket of the files in `folder`.
    pub(crate) fn bucket_in(&self, folder: &Path) -> Bucket {
        self.bucket_of(Some(folder))
    }

    fn bucket_of(&self, folder: Option<&Path>) -> Bucket {
        let name = format!("bucket-{}", festival_core::media::random_name().unwrap());
        let path = self.folder.path().join(&name);
        match folder {
            None => std::fs::create_dir(&path).unwrap(),
            Some(folder) => std::os::unix::fs::symlink(folder, &path).unwrap(),
        }
        Bucket { name, folder: path, address: self.address.clone() }
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn start(folder: &Path, address: &str) -> (Child, String) {
    let mut command = Command::new(server_path());
    command.arg(folder).args([address, ACCESS_KEY, SECRET_KEY]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().to_owned())
}

/// A bucket of an [`S3Server`].
#[derive(Clone)]
pub(crate) struct Bucket {
    name: String,
    /// Its objects, as files.
    pub(crate) folder: PathBuf,
    /// The address of the server, or of a proxy in front of it.
    address: String,
}

impl Bucket {
    /// The same bucket, reached through a proxy.
    pub(crate) fn through(&self, proxy: &FaultProxy) -> Self {
        Self { address: proxy.address.clone(), ..self.clone() }
    }

    /// Sets the bucket in the settings of a site.
    pub(crate) fn configure(&self, settings: &mut Settings) {
        let s3 = &mut settings.s3;
        s3.bucket.clone_from(&self.name);
        s3.endpoint = format!("http://{}", self.address);
        s3.access_key = ACCESS_KEY.to_owned();
        s3.secret_key = SECRET_KEY.into();
    }

    /// The same settings for the environment of the program.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        vec![
            ("FESTIVAL_S3__BUCKET", self.name.clone()),
            ("FESTIVAL_S3__ENDPOINT", format!("http://{}", self.address)),
            ("FESTIVAL_S3__ACCESS_KEY", ACCESS_KEY.to_owned()),
            ("FESTIVAL_S3__SECRET_KEY", SECRET_KEY.to_owned()),
        ]
    }

    /// The paths of all objects, sorted.
    pub(crate) fn objects(&self) -> Vec<String> {
        let mut paths = Vec::new();
        let mut open = vec![self.folder.clone()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(&folder).unwrap().flatten() {
                if entry.file_type().unwrap().is_dir() {
                    open.push(entry.path());
                } else {
                    paths.push(entry.path().strip_prefix(&self.folder).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        paths.sort();
        paths
    }
}

/// How a [`FaultProxy`] behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It passes everything on.
    None,
    /// It reads and never answers.
    Silent,
    /// It breaks the connection off after this number of bytes of every response.
    CutAnswers(usize),
    /// It breaks the connection off after this number of bytes of every request.
    CutRequests(usize),
    /// It answers everything with 503.
    Unavailable,
    /// It answers everything with 403.
    Forbidden,
}

/// A proxy in front of an [`S3Server`].
pub(crate) struct FaultProxy {
    /// "127.0.0.1:40123".
    pub(crate) address: String,
    fault: Arc<Mutex<Fault>>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl FaultProxy {
    pub(crate) fn start(server: &S3Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let fault = Arc::new(Mutex::new(Fault::None));
        let open = Arc::<Mutex<Vec<TcpStream>>>::default();
        let (backend, current, connections) = (server.address.clone(), fault.clone(), open.clone());
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                connections.lock().unwrap().push(client.try_clone().unwrap());
                let (backend, fault) = (backend.clone(), *current.lock().unwrap());
                std::thread::spawn(move || drop(handle(client, &backend, fault)));
            }
        });
        Self { address, fault, open }
    }

    /// Sets the behaviour from now on, also for open connections.
    pub(crate) fn set(&self, fault: Fault) {
        *self.fault.lock().unwrap() = fault;
        for connection in self.open.lock().unwrap().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

fn handle(mut client: TcpStream, backend: &str, fault: Fault) -> std::io::Result<()> {
    let status = match fault {
        Fault::Silent => {
            let mut buffer = [0; 4096];
            while client.read(&mut buffer)? > 0 {}
            return Ok(());
        }
        Fault::Unavailable => "503 Slow Down",
        Fault::Forbidden => "403 Forbidden",
        _ => {
            return match TcpStream::connect(backend) {
                Ok(server) => pass_on(client, &server, fault),
                Err(_) => client.shutdown(Shutdown::Both),
            };
        }
    };
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && client.read(&mut byte)? > 0 {
        head.extend(byte);
    }
    client.write_all(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").as_bytes())?;
    client.shutdown(Shutdown::Write)?;
    // Reads the rest of the request, or the client would see a reset instead of the response.
    client.set_read_timeout(Some(Duration::from_secs(1)))?;
    std::io::copy(&mut client, &mut std::io::sink()).map(drop)
}

fn pass_on(client: TcpStream, server: &TcpStream, fault: Fault) -> std::io::Result<()> {
    let (requests, answers) = match fault {
        Fault::CutRequests(limit) => (limit, usize::MAX),
        Fault::CutAnswers(limit) => (usize::MAX, limit),
        _ => (usize::MAX, usize::MAX),
    };
    let (from, to) = (client.try_clone()?, server.try_clone()?);
    let sending = std::thread::spawn(move || copy_at_most(from, to, requests));
    copy_at_most(server.try_clone()?, client, answers);
    sending.join().unwrap();
    Ok(())
}

/// Copies until one side ends or `limit` is reached, then closes both.
fn copy_at_most(mut from: TcpStream, mut to: TcpStream, limit: usize) {
    let _ = std::io::copy(&mut Read::by_ref(&mut from).take(limit as u64), &mut to);
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
