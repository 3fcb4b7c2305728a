//! `festival`: the server and the command line.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// glibc keeps what threads freed for each thread: pictures of a busy evening would stay in memory for ever.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    // Whatever the program writes is for its own account alone.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    festival_cli::commands::main(&festival_cli::modules::modules()).await
}
