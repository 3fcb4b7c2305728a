//! Macros: output of commands, and joining of contributions.

/// Prints a line to standard output. If the reader has gone, as with `| head`, the line is lost and the command
/// continues; the standard macro would panic.
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

/// Extends the collections of a value, one in each of its fields, with those of another value of the same type.
#[macro_export]
macro_rules! extend_fields {
    ($own:expr, $other:expr, $($field:ident),+) => {{
        let Self { $($field),+ } = $other;
        $($own.$field.extend($field);)+
    }};
}
