//! A virus scanner that speaks clamd's protocol and detects one virus: the EICAR test file.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The standard antivirus test file, which is harmless.
pub(crate) const EICAR: &[u8] = br"X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*";

/// How the scanner behaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// It scans and replies.
    Scans,
    /// It reads everything and never replies.
    IsSilent,
    /// It disconnects in the middle of a file.
    Cuts,
    /// It rejects the file as too large.
    IsTooSmall,
}

/// A scanner on its own port, for the duration of the test.
pub(crate) struct Clamd {
    /// "127.0.0.1:40123".
    pub(crate) address: String,
    scanned: Arc<AtomicUsize>,
}

impl Clamd {
    pub(crate) fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let scanned = Arc::<AtomicUsize>::default();
        let count = scanned.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let count = count.clone();
                std::thread::spawn(move || drop(handle_connection(stream.unwrap(), behaviour, &count)));
            }
        });
        Self { address, scanned }
    }

    /// The number of files scanned.
    pub(crate) fn scanned(&self) -> usize {
        self.scanned.load(Ordering::SeqCst)
    }
}

fn handle_connection(mut stream: TcpStream, behaviour: Behaviour, scanned: &AtomicUsize) -> std::io::Result<()> {
    let mut command = Vec::new();
    let mut byte = [0];
    loop {
        stream.read_exact(&mut byte)?;
        if byte == [0] {
            break;
        }
        command.extend(byte);
    }
    if behaviour == Behaviour::IsSilent {
        return stream.read_to_end(&mut command).map(drop);
    }
    match command.as_slice() {
        b"zPING" => stream.write_all(b"PONG\0"),
        b"zINSTREAM" => {
            let mut file = Vec::new();
            loop {
                let mut length = [0; 4];
                stream.read_exact(&mut length)?;
                let length = u32::from_be_bytes(length) as usize;
                if length == 0 {
                    break;
                }
                let begins = file.len();
                file.resize(begins + length, 0);
                stream.read_exact(&mut file[begins..])?;
                if behaviour == Behaviour::Cuts {
                    return Ok(());
                }
            }
            scanned.fetch_add(1, Ordering::SeqCst);
            let found = file.windows(EICAR.len()).any(|part| part == EICAR);
            stream.write_all(match (behaviour, found) {
                (Behaviour::IsTooSmall, _) => b"INSTREAM size limit exceeded. ERROR\0".as_slice(),
                (_, true) => b"stream: Win.Test.EICAR_HDB-1 FOUND\0",
                (_, false) => b"stream: OK\0",
            })
        }
        _ => stream.write_all(b"UNKNOWN COMMAND\0"),
    }
}
