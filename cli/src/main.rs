//! `festival`: the server and the command line.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// glibc's allocator does not return memory that was freed by other threads: after many uploads of pictures, the
/// process would stay large.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    // Files are readable by the program's own account only.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    festival_cli::commands::main(&festival_cli::modules::modules()).await
}
