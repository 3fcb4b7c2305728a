//! `festival`: the server and the command line.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// glibc's allocator does not return memory that was freed by other threads: after many uploads of pictures, the
/// process would stay large.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    // This program draws PDFs in a process of its own, which has no use for the rest.
    festival_core::pdf_pages::run_if_requested(std::env::args_os()).unwrap_or_else(run)
}

#[tokio::main]
async fn run() -> ExitCode {
    // Files are readable by the program's own account only.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    festival_cli::commands::main(&festival_cli::modules::modules()).await
}
