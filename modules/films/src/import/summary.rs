//! What `festival films import` prints, and its report as a file.

use std::path::Path;

use festival_core::importing::{Difference, Outcome as Planned, Question, Row, RowOutcome};
use festival_core::list_import::{self, ListArguments, ReportFile, ReportRow, outcome_word};
use festival_core::{Result, println};
use serde::Serialize;

use super::Report;
use super::fields::CATEGORY;

/// What an import did, or would do.
#[derive(Debug, Serialize)]
pub(super) struct Changes<'a> {
    inserted: usize,
    updated: usize,
    unchanged: usize,
    undecided: usize,
    left_out: usize,
    /// The id of the import, if anything was written.
    import: Option<i64>,
    new_sections: Vec<String>,
    questions: Vec<Question>,
    rows: Vec<RowChange<'a>>,
    notes: Vec<String>,
}

/// What happened to one row.
#[derive(Debug, Serialize)]
struct RowChange<'a> {
    line: u64,
    change: RowOutcome,
    name: String,
    category: &'a str,
    /// A film of the same title, or one that the row may describe.
    like: Option<i64>,
    differences: Vec<Difference>,
}

impl<'a> Changes<'a> {
    /// Takes the changes from an outcome; `list` has the lines that were read, in their order.
    pub(super) fn take(outcome: &mut Planned, list: &'a [Row]) -> Self {
        let section = |line: u64| {
            let row = list.binary_search_by_key(&line, |row| row.line).ok().map(|index| &list[index]);
            row.map_or("", |row| &row.values[CATEGORY])
        };
        Self {
            inserted: outcome.count(RowOutcome::New),
            updated: outcome.count(RowOutcome::Changed),
            unchanged: outcome.count(RowOutcome::Unchanged),
            undecided: outcome.count(RowOutcome::Undecided),
            left_out: outcome.count(RowOutcome::LeftOut),
            import: outcome.id,
            new_sections: std::mem::take(&mut outcome.new_targets),
            questions: outcome.questions.clone(),
            rows: std::mem::take(&mut outcome.rows)
                .into_iter()
                .map(|row| RowChange {
                    line: row.line,
                    change: row.outcome,
                    name: row.title,
                    category: section(row.line),
                    like: row.similar,
                    differences: row.differences,
                })
                .collect(),
            notes: std::mem::take(&mut outcome.notes),
        }
    }
}

/// Prints on standard error how the file was read.
pub(super) fn print_columns(report: &Report, file: &Path) {
    let delimiter = match report.delimiter {
        Some('\t') => ", tabs".to_owned(),
        Some(delimiter) => format!(", \"{delimiter}\""),
        None => report.worksheet.as_ref().map_or(String::new(), |name| format!(", worksheet \"{name}\"")),
    };
    eprintln!("{} ({}{delimiter})", file.display(), report.encoding);
    for column in &report.understood {
        eprintln!("  column {:>2} {:<28} is {}", column.column, format!("\"{}\"", column.header), column.field);
    }
    for column in &report.ignored {
        eprintln!(
            "  column {:>2} {:<28} is left out: {}",
            column.column,
            format!("\"{}\"", column.header),
            column.reason
        );
    }
    if !report.other_worksheets.is_empty() {
        let names: Vec<String> = report.other_worksheets.iter().map(|name| format!("\"{name}\"")).collect();
        eprintln!("  note: the other worksheets are {}; --sheet NAME reads one of them", names.join(", "));
    }
    for warning in &report.warnings {
        eprintln!("  note: {warning}");
    }
}

/// Prints the outcome on standard output, and writes the file of the report.
pub(super) fn finish(
    arguments: &ListArguments,
    report: &Report,
    changes: Option<&Changes<'_>>,
    file: Option<ReportFile>,
) -> Result<()> {
    #[derive(Serialize)]
    struct JsonReport<'a> {
        dry_run: bool,
        report: &'a Report,
        changes: Option<&'a Changes<'a>>,
    }
    if arguments.json {
        let json = JsonReport { dry_run: arguments.dry_run, report, changes };
        println!("{}", serde_json::to_string_pretty(&json)?);
        return Ok(());
    }
    if let Some(file) = file {
        let rows = changes.iter().flat_map(|changes| &changes.rows).map(|row| ReportRow {
            line: row.line,
            outcome: row.change,
            title: &row.name,
            details: row.category,
            differences: &row.differences,
        });
        file.write((&report.errors, &report.blanked), changes.map_or(&[], |changes| &changes.questions), rows)?;
    }
    for error in &report.errors {
        println!("{error}");
    }
    if report.errors.len() > 1 {
        println!("{} values cannot be used.", report.errors.len());
    }
    for error in &report.blanked {
        println!("{error}; left empty");
    }
    let Some(changes) = changes else { return Ok(()) };
    for note in &changes.notes {
        eprintln!("  note: {note}");
    }
    list_import::print_questions(&changes.questions);
    let rows = changes.rows.iter().filter(|row| arguments.dry_run && row.change != RowOutcome::Unchanged);
    for row in rows {
        println!("line {:<6} {:<9} {} ({})", row.line, outcome_word(row.change), row.name, row.category);
        list_import::print_differences(&row.differences);
    }
    println!(
        "{} film{}: {} new, {} changed, {} unchanged{}; {} new sections",
        changes.rows.len(),
        if changes.rows.len() == 1 { "" } else { "s" },
        changes.inserted,
        changes.updated,
        changes.unchanged,
        [(changes.undecided, "undecided"), (changes.left_out, "left out")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!(", {count} {word}"))
            .collect::<String>(),
        changes.new_sections.len()
    );
    Ok(())
}
