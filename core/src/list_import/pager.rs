//! Shows long reports in a terminal through the user's pager.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::{Command, Stdio};

/// Shows a text in the program that `PAGER` names, otherwise in `less`, which exits by itself if all of it fits.
/// Returns whether it was shown: only in a terminal, and if there is such a program.
pub(super) fn show(text: &str) -> bool {
    io::stdout().is_terminal() && run(text).is_ok()
}

fn run(text: &str) -> io::Result<()> {
    let command = std::env::var("PAGER").unwrap_or_default();
    let mut words = command.split_whitespace();
    let mut pager = Command::new(words.next().unwrap_or("less"));
    pager.args(words).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // Exit at once if the text fits, show control characters unescaped, and leave the text on the screen.
        pager.env("LESS", "FRX");
    }
    let mut pager = pager.spawn()?;
    if let Some(mut input) = pager.stdin.take() {
        // Writing fails if the user quits before the end, which is no error.
        let _ = input.write_all(text.as_bytes());
    }
    pager.wait().map(drop)
}
