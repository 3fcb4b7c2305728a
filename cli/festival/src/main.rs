//! `festival`: the server and the command line, with the modules of `lib.rs`.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// glibc's allocator does not return memory that was freed by other threads: after many uploads of pictures, the
/// process would stay large.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    festival_cli::run(festival::modules)
}
