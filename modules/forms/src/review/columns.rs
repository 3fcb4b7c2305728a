//! The columns of lists of submissions: those that every account sees, and optional ones for the fields of the form.

use festival_core::admin::list_view::Column;
use festival_core::admin::{Action, AdminRequest};
use festival_core::entity::Kind;
use festival_core::time_text;
use serde_json::{Value, json};

use crate::amount::{Amount, Difference};
use crate::description::{Form, short_label};
use crate::export::flags;
use crate::role::{PEOPLE, may_see};
use crate::submissions::{PAYMENTS, Submission, SubmissionKind, label_of, tone_of};

/// Longest text of a cell, in characters.
const MAX_TEXT: usize = 80;

const AWARD: Column = Column { key: "award", label: "Award" };
const STATUS: Column = Column { key: "status", label: "Status" };
/// Columns of payments, for accounts that may see them.
const OF_PAYMENTS: [Column; 3] = [
    Column { key: "payment", label: "Payment" },
    Column { key: "due", label: "Due" },
    Column { key: "paid", label: "On the proof" },
];
const FLAGS: Column = Column { key: "flags", label: "Flags" };
const RECEIVED: Column = Column { key: "received", label: "Received" };

/// Columns that are not fields of the form, in their usual order.
fn made(request: &AdminRequest, kind: &SubmissionKind) -> Vec<Column> {
    let mut columns = Vec::new();
    columns.extend(kind.has_award().then_some(AWARD));
    columns.push(STATUS);
    if kind.has_payment() && request.may(&PEOPLE, Action::View) {
        columns.extend(OF_PAYMENTS);
    }
    columns.extend([FLAGS, RECEIVED]);
    columns
}

/// The columns that a list shows if the account chose none.
pub(super) fn usual(request: &AdminRequest, kind: &SubmissionKind) -> Vec<&'static str> {
    made(request, kind).into_iter().map(|column| column.key).collect()
}

/// All columns that the account may see in addition to title and reference.
pub(super) fn all(request: &AdminRequest, kind: &SubmissionKind) -> Vec<Column> {
    let mut columns = made(request, kind);
    let is_offered = |name: &str| name != kind.title_column && name != "screener_link_password";
    let fields = kind.entity.columns().filter(|field| is_offered(field.name) && may_see(request, field));
    columns.extend(fields.map(|field| Column { key: field.name, label: short_label(field) }));
    columns
}

/// Whether the column has figures, which are right-aligned.
fn is_figure(key: &str) -> bool {
    matches!(key, "due" | "paid")
}

/// The headings of the shown columns.
pub(super) fn heads(all: &[Column], shown: &[&'static str]) -> Vec<Value> {
    let label = |key: &str| all.iter().find(|column| column.key == key).map_or("", |column| column.label);
    shown.iter().map(|key| json!({ "label": label(key), "figure": is_figure(key) })).collect()
}

/// A cell for the template.
pub(super) fn cell(request: &AdminRequest, submission: &Submission, key: &str) -> Value {
    let kind = submission.kind;
    let zone = &request.site.time_zone;
    let mut cell = Cell { figure: is_figure(key), ..Cell::default() };
    let may_see_people = request.may(&PEOPLE, Action::View);
    let difference = || submission.amount_difference().filter(|_| may_see_people).map(Difference::text);
    match key {
        "award" => {
            cell.text = Form::find(submission.text("award_category")).map_or("not known", Form::award_name).to_owned();
        }
        "status" => {
            cell.text = label_of(kind.states, submission.text("status"));
            (cell.badge, cell.tone) = (true, tone_of(kind.states, submission.text("status")));
        }
        "payment" => {
            cell.text = label_of(PAYMENTS, submission.text("payment"));
            (cell.badge, cell.tone) = (true, tone_of(PAYMENTS, submission.text("payment")));
        }
        "due" => cell.text = submission.due().text(),
        "paid" => {
            cell.text = paid_text(submission.text("payment_amount"));
            cell.difference = difference();
        }
        "flags" => {
            cell.flags = flags(submission);
            cell.flags.extend(difference().map(|_| "amount differs".to_owned()));
        }
        "received" => cell.text = time_text::short(submission.text("created_at"), zone),
        _ => {
            let field = kind.entity.field(key).filter(|field| may_see(request, field));
            // A field with free-form input is a text, whatever its kind.
            cell.text = field.map_or(String::new(), |field| shortened(&field.display(submission.value(key), zone)));
            cell.figure = field.is_some_and(|field| matches!(field.kind, Kind::Integer { .. } | Kind::Year));
        }
    }
    json!(cell)
}

#[derive(Default, serde::Serialize)]
struct Cell {
    text: String,
    figure: bool,
    badge: bool,
    tone: &'static str,
    difference: Option<String>,
    flags: Vec<String>,
}

/// Returns the amount on a proof as it is read; as it was typed if it cannot be read.
fn paid_text(amount: &str) -> String {
    Amount::read(amount).map_or_else(|| shortened(amount), Amount::text)
}

/// Returns `text` on one line, shortened.
pub(super) fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_TEXT {
        return line;
    }
    line.chars().take(MAX_TEXT).chain(['…']).collect()
}
