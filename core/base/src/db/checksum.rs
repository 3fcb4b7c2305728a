//! Checksums of migrations, which reveal that one was edited.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// Returns the checksum of the statements in `sql`: comments after `--` and the amount of white space do not change it.
pub(super) fn of_statements(sql: &str) -> String {
    of_text(&statements(sql))
}

/// Returns the checksum of the whole text, which earlier programs stored.
pub(super) fn of_text(sql: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(sql.as_bytes())[..16])
}

fn statements(sql: &str) -> String {
    let mut statements = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            // A doubled quote inside a literal ends it and begins another, with the same result.
            '\'' | '"' => rest[1..].find(next).map_or(rest.len(), |end| end + 2),
            _ => next.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        rest = after;
        if part.starts_with("--") {
            continue;
        }
        if !next.is_whitespace() {
            statements.push_str(part);
        } else if !statements.is_empty() && !statements.ends_with(' ') {
            statements.push(' ');
        }
    }
    statements.truncate(statements.trim_end().len());
    statements
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_white_space_are_not_part_of_the_statements() {
        let sql =
            "-- The festival's lamps.\nCREATE TABLE lamps (\n    -- Watts.\n    power BIGINT -- or less\n);\n-- End";
        assert_eq!(statements(sql), "CREATE TABLE lamps ( power BIGINT );");
        assert_eq!(of_statements(sql), of_statements("CREATE TABLE lamps (\n  power BIGINT\n);"));
        assert_ne!(of_statements(sql), of_statements("CREATE TABLE lamps ( power TEXT );"));
    }

    #[test]
    fn literals_are_part_of_the_statements() {
        let sql = "INSERT INTO lamps VALUES ('it''s  -- on', \"a  b\") -- off";
        assert_eq!(statements(sql), "INSERT INTO lamps VALUES ('it''s  -- on', \"a  b\")");
        assert_eq!(statements("SELECT 'never closed  --"), "SELECT 'never closed  --");
    }
}
