//! Output of commands.

/// Prints a line to standard output. Where its reader has gone, as in `| head`, the command goes on and the line is lost;
/// the standard macro panics.
#[macro_export]
macro_rules! println {
    ($($arguments:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($arguments)*);
    }};
}

/// Prints text to standard output, as [`println!`](crate::println) does.
#[macro_export]
macro_rules! print {
    ($($arguments:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stdout(), $($arguments)*);
    }};
}
