//! The lists of submissions, newest first: their columns, filters, search and export.

use std::fs::File;

use festival_core::admin::collections::{self, Cell, Collection, Column, Heading, Viewer, shortened};
use festival_core::admin::search::{SearchContext, SearchGroup};
use festival_core::admin::{Action, AdminRequest, Choice, Input, Page, Reply, Resource, Scope};
use festival_core::db::{Order, Searched, Select, SelectedRow, Test};
use festival_core::entity::{Datum, Entity, Field, Kind};
use festival_core::export::{self, Format, TableWriter};
use festival_core::{Result, deadline, search_key, time_text};
use serde_json::{Value, json};
use sqlx::AnyConnection;

use crate::amount::{Amount, Difference};
use crate::description::{FILM_FORMS, Form, short_label};
use crate::export::{Layout, flags};
use crate::payment_settings::Fees;
use crate::role::{PEOPLE, is_visible};
use crate::scope::{SECTIONS, within};
use crate::submissions::{
    CONFIRMED, PAYMENTS, PEOPLE_SEARCH_TEXT, SEARCH_TEXT, State, Submission, SubmissionKind, SubmissionReader,
    UNCLASSIFIED, label_of, tone_of,
};

/// Values of the filter by flag, with their labels.
const FLAGS: &[(&str, &str)] = &[
    ("late", "late"),
    ("duplicate", "possible duplicate"),
    ("odd", "unusual entries"),
    ("over-long", "over-long texts"),
    ("declared-no", "declared No"),
    (AMOUNT, "amount differs"),
];

/// The flag of payments whose amount differs from what is due, for accounts that may see payments.
const AMOUNT: &str = "amount";

/// The list of a kind of submissions.
pub(super) struct SubmissionList {
    pub(super) kind: &'static SubmissionKind,
}

/// Handles `GET` of the list.
pub(super) async fn show(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    collections::show(request, &SubmissionList { kind }).await
}

/// The submissions of a kind that match the words, newest first, from every edition that the account may see.
pub(super) async fn find(context: SearchContext, kind: &'static SubmissionKind) -> Result<Vec<SearchGroup>> {
    Ok(vec![collections::find(&context, &SubmissionList { kind }, None).await?])
}

#[rocket::async_trait]
impl Collection for SubmissionList {
    type Row = Submission;

    fn entity(&self) -> &'static Entity {
        self.kind.entity
    }

    fn resource(&self) -> &'static Resource {
        self.kind.resource
    }

    fn states(&self) -> &'static [State] {
        self.kind.states
    }

    fn has_neighbours(&self) -> bool {
        true
    }

    fn columns(&self, viewer: Viewer<'_>) -> Vec<Column> {
        let may_see_people = viewer.may(&PEOPLE, Action::View);
        let by = |expression: &str| Some(Order::by(expression));
        let mut columns =
            vec![Column::new(self.kind.title_column, "Submission", Some(order_of_text(self.kind.title_column)))];
        if self.kind.has_award() {
            columns.push(Column::new("award", "Award", by("t.award_category")));
        }
        columns.push(Column::new("status", "Status", by(&rank("t.status", self.kind.states))));
        if self.kind.has_payment() && may_see_people {
            let unknown = if self.kind.has_award() { "1 = 0" } else { "t.category_key = ''" };
            // Dollars after rupees.
            let paid = "t.payment_read + CASE WHEN t.payment_currency = 'USD' THEN 1000000000000 ELSE 0 END";
            columns.extend([
                Column::new("payment", "Payment", by(&rank("t.payment", PAYMENTS))),
                Column::new("due", "Due", Some(Order::by("t.fee_inr - t.fee_reduction_inr").last_if(unknown)))
                    .figures(),
                Column::new("paid", "On the proof", Some(Order::by(paid).last_if("t.payment_read IS NULL"))).figures(),
            ]);
        }
        columns.push(Column::new("flags", "Flags", Some(Order::by(self.kind.flag_count(may_see_people)))));
        columns.push(Column::new("received", "Received", by("t.created_at")));
        let mut columns: Vec<Column> = columns.into_iter().map(|column| column.usual(true)).collect();
        let is_offered = |field: &&'static Field| {
            field.name != self.kind.title_column
                && field.name != "screener_link_password"
                && is_visible(field, may_see_people)
        };
        columns.extend(self.kind.entity.columns().filter(is_offered).map(column_of));
        columns
    }

    fn default_order(&self) -> Order {
        Order::newest()
    }

    async fn select(&self, connection: &mut AnyConnection, scope: &Scope, edition: Option<i64>) -> Result<Select> {
        let mut select = self.kind.select_quarantined(false);
        if let Some(edition) = edition {
            select = select.filter("edition_id", Test::Is, Datum::Integer(edition));
        }
        within(connection, scope, self.kind, select).await
    }

    fn searched(&self, viewer: Viewer<'_>, compares_all: bool) -> Option<Searched> {
        let may_see_people = viewer.may(&PEOPLE, Action::View);
        let mut columns = vec![if may_see_people { PEOPLE_SEARCH_TEXT } else { SEARCH_TEXT }];
        columns.extend(self.kind.long_columns.iter().filter(|_| compares_all));
        let personal_keys = self.kind.personal_search_keys.iter().filter(|_| may_see_people);
        let key_columns = self.kind.search_keys.iter().chain(personal_keys).map(|(column, _)| *column).collect();
        let keys = search_key::keys_of_searched;
        Some(Searched { columns, key_columns, keys, index: self.kind.search_index })
    }

    fn searched_text(&self, text: &str) -> String {
        reference(text).unwrap_or_else(|| text.to_owned())
    }

    fn row(&self, viewer: Viewer<'_>, (id, values): SelectedRow) -> Submission {
        Submission::new(&viewer.site.secrets, self.kind, id, values)
    }

    async fn filters(
        &self,
        viewer: Viewer<'_>,
        connection: &mut AnyConnection,
        _edition: Option<i64>,
    ) -> Result<Vec<Input>> {
        let choice = |key: &str, label: &str| Choice::new(key, label, "");
        let mut filters = Vec::new();
        if self.kind.has_award() {
            let mut awards: Vec<_> = FILM_FORMS.iter().map(|form| choice(form.key, form.award_name())).collect();
            awards.push(choice(UNCLASSIFIED, "not known"));
            awards.retain(|award| viewer.scope().allows(SECTIONS, &award.key));
            filters.push(Input::choice("award", "Award", awards));
        }
        if self.kind.name == "delegate" {
            let settings = viewer.site.in_force_on(connection).await?;
            let memberships = Fees::of(&settings).memberships;
            let memberships = memberships.iter().map(|it| choice(&it.key, &it.label_in(&settings)));
            filters.push(Input::choice("category", "Category", memberships.collect()));
        }
        let may_see_payments = self.kind.has_payment() && viewer.may(&PEOPLE, Action::View);
        if may_see_payments {
            let payments = PAYMENTS.iter().map(|state| choice(state.key, &state.label.to_lowercase()));
            filters.push(Input::choice("payment", "Payment", payments.collect()));
        }
        if self.kind.has_payment() {
            let flags = FLAGS
                .iter()
                .filter(|(key, _)| self.kind.has_award() || !matches!(*key, "over-long" | "declared-no"))
                .filter(|(key, _)| may_see_payments || *key != AMOUNT);
            filters.push(Input::choice("flag", "Flag", flags.map(|(key, label)| choice(key, label)).collect()));
        }
        Ok(filters)
    }

    fn filter(&self, _: Viewer<'_>, select: Select, name: &str, value: &str) -> Select {
        let text = |text: &str| Datum::Text(text.to_owned());
        match (name, value) {
            ("award", award) => select.filter("award_category", Test::Is, text(award)),
            ("category", category) => select.filter("category_key", Test::Is, text(category)),
            ("payment", payment) => select.filter("payment", Test::Is, text(payment)),
            ("flag", "late") => select.filter("is_late", Test::Is, Datum::Integer(1)),
            ("flag", "duplicate") => select.filter("is_possible_duplicate", Test::Is, Datum::Integer(1)),
            ("flag", "odd") => select.filter("flagged", Test::IsNot, text("")),
            ("flag", "over-long") => select.filter("over_long", Test::IsNot, text("")),
            ("flag", AMOUNT) => select.filter(self.kind.amount_differs, Test::Is, Datum::Integer(1)),
            ("flag", _) => {
                let declared = select.filter("declared_feature_label", Test::Is, text("No"));
                declared.filter("is_first_or_second_feature", Test::IsNot, text("No"))
            }
            _ => select,
        }
    }

    fn heading(&self, _viewer: Viewer<'_>, submission: &Submission) -> Heading {
        Heading {
            id: submission.id,
            reference: submission.reference().to_owned(),
            title: submission.title().to_owned(),
            beside: shortened(submission.text(self.kind.subtitle_column)),
            picture: None,
            href: submission.path(),
        }
    }

    fn cell(&self, viewer: Viewer<'_>, submission: &Submission, key: &str) -> Cell {
        let zone = &viewer.site.time_zone;
        let may_see_people = viewer.may(&PEOPLE, Action::View);
        let difference = || submission.amount_difference().filter(|_| may_see_people).map(Difference::text);
        let badge = |states: &[State], column: &str| Cell {
            text: label_of(states, submission.text(column)),
            is_badge: true,
            tone: tone_of(states, submission.text(column)),
            ..Cell::default()
        };
        match key {
            "award" => Cell::text(Form::find(submission.text("award_category")).map_or("not known", Form::award_name)),
            "status" => badge(self.kind.states, "status"),
            "payment" => badge(PAYMENTS, "payment"),
            "due" => Cell { figure: true, ..Cell::text(submission.due().text()) },
            "paid" => {
                let typed = submission.text("payment_amount");
                // As it is read; as it was typed if it cannot be read.
                let paid = Amount::read(typed).map_or_else(|| shortened(typed), Amount::text);
                Cell { figure: true, difference: difference(), ..Cell::text(paid) }
            }
            "flags" => {
                let mut flags = flags(submission);
                flags.extend(difference().map(|_| "amount differs".to_owned()));
                Cell { flags, ..Cell::default() }
            }
            "received" => Cell { moment: true, ..Cell::text(time_text::short(submission.text("created_at"), zone)) },
            _ => {
                // A field with free-form input is a text, whatever its kind.
                let field = self.kind.entity.field(key);
                field.map_or_else(Cell::default, |it| Cell::of(it, &it.display(submission.value(key), zone)))
            }
        }
    }

    fn distinction(&self, viewer: Viewer<'_>, submission: &Submission) -> String {
        let received = time_text::short(submission.text("created_at"), &viewer.site.time_zone);
        format!("{}, {received}", submission.reference())
    }

    fn state_of<'r>(&self, submission: &'r Submission) -> &'r str {
        submission.text("status")
    }

    fn complete(&self, request: &AdminRequest, _year: &str, page: Page) -> Page {
        let button = |path: &str, label: &str| {
            let href = request.address(&format!("{}/{path}", self.kind.list_path()), &[("page", "")]);
            json!({ "href": href, "label": label, "is_main": false })
        };
        let mut buttons: Vec<Value> = self.kind.printed_list().map(|name| button("print", name)).into_iter().collect();
        if request.may(self.kind.resource, Action::Export) {
            buttons.push(button("export", "Export"));
        }
        let choice = |key: String, label: &str| json!({ "key": key, "label": label });
        let states = self.kind.states.iter().map(|state| choice(format!("status:{}", state.key), state.label));
        let mut actions = vec![json!({ "label": "Set the status to", "choices": states.collect::<Vec<_>>() })];
        if self.kind.has_payment() && request.may(&PEOPLE, Action::Edit) {
            let mut choices = vec![
                choice("payment:verified".to_owned(), "Verify"),
                choice("payment:rejected".to_owned(), "Reject …"),
                choice("payment:not-found".to_owned(), "Mail: no payment was found …"),
            ];
            if self.kind.states.iter().any(|state| state.key == CONFIRMED) {
                choices.insert(1, choice(format!("payment:{CONFIRMED}"), "Verify, and confirm the registration"));
            }
            choices.push(choice("fee:reduce".to_owned(), "Reduce or waive the fee …"));
            actions.push(json!({ "label": "Payment", "choices": choices }));
        }
        page.with("buttons", buttons)
            .with("actions", actions)
            .with("links", Vec::<Value>::new())
            .with("file", Value::Null)
    }

    fn exported(&self, viewer: Viewer<'_>, format: Format) -> Vec<export::Column> {
        Layout::of(self.kind, format, &viewer.site.time_zone).columns
    }

    /// In the order in which they came.
    async fn write(
        &self,
        viewer: Viewer<'_>,
        snapshot: &mut AnyConnection,
        (select, _): (&Select, &Order),
        format: Format,
        table: &mut TableWriter<File>,
    ) -> Result<u64> {
        let layout = Layout::of(self.kind, format, &viewer.site.time_zone);
        let mut reader = SubmissionReader::new(&viewer.site.secrets, self.kind, select);
        let mut count = 0;
        while let Some(submissions) = reader.next_batch(snapshot).await? {
            deadline::progress();
            viewer.site.has_room(0).await?;
            submissions.iter().try_for_each(|submission| table.row(&layout.row(submission)))?;
            count += submissions.len() as u64;
        }
        Ok(count)
    }
}

impl SubmissionKind {
    /// SQL: the number of warnings about a submission, by which lists sort their flags.
    fn flag_count(&self, may_see_people: bool) -> String {
        let mut flags = vec!["t.is_late", "t.is_possible_duplicate", "CASE WHEN t.flagged = '' THEN 0 ELSE 1 END"];
        flags.extend([
            "CASE WHEN t.over_long = '' THEN 0 ELSE 1 END",
            "CASE WHEN coalesce(t.consented_at, '') = '' AND t.status <> 'erased' THEN 1 ELSE 0 END",
        ]);
        if self.has_award() {
            flags.push(
                "CASE WHEN t.declared_feature_label = 'No' AND t.is_first_or_second_feature <> 'No' THEN 1 ELSE 0 END",
            );
        }
        flags.extend(may_see_people.then_some(self.amount_differs));
        flags.join(" + ")
    }
}

/// The column of a field of the form.
fn column_of(field: &'static Field) -> Column {
    let order = match field.kind {
        Kind::Integer { .. } | Kind::Year => {
            Order::by(format!("t.{}", field.name)).last_if(format!("t.{} IS NULL", field.name))
        }
        _ => order_of_text(field.name),
    };
    Column { label: short_label(field), ..Column::of(field, Some(order)) }
}

/// The order by a column with texts, ignoring case.
fn order_of_text(column: &str) -> Order {
    Order::by(format!("lower(t.{column})")).last_if(format!("t.{column} = ''"))
}

/// SQL: the place of a status among these.
pub(crate) fn rank(column: &str, states: &[State]) -> String {
    let places = states.iter().enumerate().map(|(place, state)| format!(" WHEN '{}' THEN {place}", state.key));
    format!("CASE {column}{} ELSE {} END", places.collect::<String>(), states.len())
}

/// The reference in a text that is written without hyphens or leading zeros: "del 2026 12" is DEL-2026-0012.
fn reference(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect();
    let (prefix, digits) = plain.split_at_checked(plain.find(|letter: char| letter.is_ascii_digit())?)?;
    let (year, number) = digits.split_at_checked(4)?;
    let is_reference = (1..=6).contains(&prefix.len()) && prefix.bytes().all(|letter| letter.is_ascii_alphabetic());
    let number: u32 = number.parse().ok().filter(|_| is_reference && year.starts_with("20"))?;
    Some(format!("{}-{year}-{number:04}", prefix.to_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::reference;

    #[test]
    fn references_are_found_without_hyphens_and_leading_zeros() {
        for text in ["DEL-2026-0012", "del-2026-12", "DEL 2026 12", "del202612", "DEL-2026-012"] {
            assert_eq!(reference(text).as_deref(), Some("DEL-2026-0012"), "{text}");
        }
        for text in ["Asha", "2026-12", "K19", "anu1999@mail.example", "Hall 2", "DEL-2026-"] {
            assert_eq!(reference(text), None, "{text}");
        }
    }
}
