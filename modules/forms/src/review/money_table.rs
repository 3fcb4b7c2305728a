//! The sums of the payments as a spreadsheet: a row for each category and day.

use festival_core::admin::audit::Entry;
use festival_core::admin::collections::{chosen_format, content_type};
use festival_core::admin::{AdminRequest, Reply};
use festival_core::export::{Cell, Column, TableWriter};
use festival_core::{Result, blocking};
use serde_json::json;

use super::money::{self, Payments, Totals};

/// The columns: names for programs, and headings.
const COLUMNS: [(&str, &str); 16] = [
    ("kind", "Kind"),
    ("category", "Category"),
    ("day", "Day"),
    ("entries", "Entries"),
    ("due", "Due (rupees)"),
    ("verified", "Verified"),
    ("verified_due", "Verified: due (rupees)"),
    ("open", "Open"),
    ("open_due", "Open: due (rupees)"),
    ("rejected", "Rejected"),
    ("rejected_due", "Rejected: due (rupees)"),
    ("proofs_rupees", "On the proofs (rupees)"),
    ("proofs_dollars", "On the proofs (dollars)"),
    ("differing", "Amount differs"),
    ("edition", "Edition"),
    ("reduced", "Reductions of fees (rupees)"),
];

/// Handles `POST /admin/money/table`; the query is that of the page.
pub(super) async fn download(request: AdminRequest) -> Result<Reply> {
    let mut connection = request.read().await?;
    let settings = request.site.in_force_on(&mut connection).await?;
    let (edition, payments) = money::read(&request, &mut connection).await?;
    drop(connection);
    let mut rows = Vec::new();
    for kind in money::kinds() {
        let of_kind: Vec<&Payments> = payments.iter().filter(|one| one.kind.name == kind.name).collect();
        for ((category, day), part) in money::by(&of_kind, |one| (&one.category, one.day)) {
            let totals = Totals::of(&part);
            let shares = totals.shares.into_iter().flat_map(|(count, due)| [count, due]).map(Cell::Number);
            let mut row = vec![
                Cell::text(kind.list_title()),
                Cell::text(money::category_label(&settings, kind, category)),
                Cell::text(day.to_string()),
            ];
            row.extend(shares);
            row.extend([hundredths(totals.paise), hundredths(totals.cents), Cell::Number(totals.differing)]);
            row.extend([Cell::text(&edition.year), Cell::Number(totals.reduced)]);
            rows.push(row);
        }
    }
    let format = chosen_format(&request)?;
    request.site.has_room(0).await?;
    let columns = COLUMNS.map(|(name, title)| Column::new(name, title).width(18));
    let (out, tmp) = (request.site.scratch()?, request.site.data_dir("tmp"));
    let file = blocking(move || {
        let mut table = TableWriter::new(format, out, &columns, true, &tmp)?;
        rows.iter().try_for_each(|row| table.row(row))?;
        table.finish()
    })
    .await?;
    let entry = Entry::new("export", "money").after(json!({ "format": format.name(), "edition": edition.year }));
    Ok(Reply::written(format!("money-{}.{}", edition.year, format.name()), content_type(format), file)?
        .shows_people(entry))
}

/// An amount, as an integer if it is whole.
fn hundredths(amount: i64) -> Cell {
    match amount % 100 {
        0 => Cell::Number(amount / 100),
        rest => Cell::text(format!("{}.{rest:02}", amount / 100)),
    }
}
