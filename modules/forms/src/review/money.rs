//! Sums of amounts due and paid, for registrations and films, by category and by day.

use std::collections::BTreeMap;

use festival_core::Result;
use festival_core::admin::collections::ChosenEdition;
use festival_core::admin::{AdminRequest, Reply};
use festival_core::db::Test;
use festival_core::entity::Datum;
use festival_core::money_text::rupees;
use festival_core::settings::Settings;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use sqlx::AnyConnection;

use crate::amount::{Amount, Currency};
use crate::description::Form;
use crate::payment_settings::Fees;
use crate::scope::within;
use crate::submissions::{KINDS, SubmissionKind, WAIVED};

/// SQL of sums: what is due and what was taken off the fees, in rupees; amounts read from the proofs, in paise and in cents.
/// `amount_differs` is summed as well.
const SUMS: [&str; 4] = [
    "fee_inr - fee_reduction_inr",
    "fee_reduction_inr",
    "CASE WHEN payment_currency = 'INR' THEN payment_read ELSE 0 END",
    "CASE WHEN payment_currency = 'USD' THEN payment_read ELSE 0 END",
];

/// The payments of one category that arrived on one day and have the same status.
pub(super) struct Payments {
    pub(super) kind: &'static SubmissionKind,
    pub(super) category: String,
    pub(super) day: Date,
    /// Status of the payment.
    state: String,
    count: i64,
    /// What is due for them, in rupees.
    due: i64,
    /// What was taken off their fees, in rupees.
    reduced: i64,
    /// Paise on the proofs, as they are read.
    paise: i64,
    /// Cents on the proofs.
    cents: i64,
    /// Amounts that differ from what is due.
    differing: i64,
}

/// The sums of some payments.
pub(super) struct Totals {
    /// Numbers and amounts due in rupees: of all, and of those that are verified, open and rejected.
    pub(super) shares: [(i64, i64); 4],
    pub(super) reduced: i64,
    pub(super) paise: i64,
    pub(super) cents: i64,
    pub(super) differing: i64,
}

impl Totals {
    pub(super) fn of(payments: &[&Payments]) -> Self {
        let sum = |number: fn(&Payments) -> i64| payments.iter().map(|one| number(one)).sum::<i64>();
        let share = |has_state: fn(&str) -> bool| {
            let of_state = payments.iter().filter(|one| has_state(&one.state));
            of_state.fold((0, 0), |(count, due), one| (count + one.count, due + one.due))
        };
        let is_open = |state: &str| !matches!(state, "verified" | "rejected" | WAIVED);
        Self {
            shares: [
                share(|_| true),
                share(|state| state == "verified"),
                share(is_open),
                share(|state| state == "rejected"),
            ],
            reduced: sum(|one| one.reduced),
            paise: sum(|one| one.paise),
            cents: sum(|one| one.cents),
            differing: sum(|one| one.differing),
        }
    }

    /// Returns "₹1,300 and $60"; "" if no amount was read.
    fn paid_text(&self) -> String {
        let amount = |hundredths, currency| (hundredths > 0).then(|| Amount { hundredths, currency }.text());
        let amounts = [amount(self.paise, Currency::Rupees), amount(self.cents, Currency::Dollars)];
        amounts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
    }

    fn row(&self, label: &str, href: Option<String>) -> Value {
        let [all, verified, open, rejected] =
            self.shares.map(|(count, due)| json!({ "count": count, "due": rupees(due) }));
        json!({
            "label": label,
            "href": href,
            "all": all,
            "verified": verified,
            "open": open,
            "rejected": rejected,
            "reduced": (self.reduced > 0).then(|| rupees(self.reduced)),
            "paid": self.paid_text(),
            "differing": self.differing,
        })
    }
}

/// Groups payments by what they have in common, in ascending order.
pub(super) fn by<'p, K: Ord>(
    payments: &[&'p Payments],
    key: impl Fn(&'p Payments) -> K,
) -> BTreeMap<K, Vec<&'p Payments>> {
    let mut groups: BTreeMap<K, Vec<&Payments>> = BTreeMap::new();
    payments.iter().for_each(|one| groups.entry(key(one)).or_default().push(one));
    groups
}

/// The kinds of submissions that are paid for.
pub(super) fn kinds() -> impl Iterator<Item = &'static SubmissionKind> {
    KINDS.iter().filter(|kind| kind.has_payment())
}

/// Reads the payments of the edition that the query names, otherwise of the current one, as far as the account may see
/// them.
pub(super) async fn read(
    request: &AdminRequest,
    connection: &mut AnyConnection,
) -> Result<(ChosenEdition, Vec<Payments>)> {
    let scope = request.scope();
    let edition = ChosenEdition::read(request, connection, &scope).await?;
    let mut payments = Vec::new();
    for kind in kinds() {
        let select = kind.select_quarantined(false).filter("edition_id", Test::Is, Datum::Integer(edition.id));
        let select = within(connection, &scope, kind, select).await?;
        // Days are those of the festival's time zone, so times are counted by the minute.
        let groups = [kind.payment_category, "payment", "substr(created_at, 1, 16)"];
        let summed = [SUMS[0], SUMS[1], SUMS[2], SUMS[3], kind.amount_differs];
        for (values, count, sums) in select.sums(connection, &groups, &summed).await? {
            let [category, state, minute] = values.as_slice() else { continue };
            let [due, reduced, paise, cents, differing] = *sums.as_slice() else { continue };
            let (category, state) = (category.clone(), state.clone());
            let day = day_of(minute, &request.site.time_zone);
            payments.push(Payments { kind, category, day, state, count, due, reduced, paise, cents, differing });
        }
    }
    Ok((edition, payments))
}

/// Returns the day of a minute, "2025-10-26T06:30" in UTC, in a time zone.
fn day_of(minute: &str, zone: &TimeZone) -> Date {
    let timestamp: Timestamp = format!("{minute}:00Z").parse().unwrap_or_default();
    timestamp.to_zoned(zone.clone()).date()
}

/// Returns the label of a category: the name of an award, or the label of a membership.
pub(crate) fn category_label(settings: &Settings, kind: &SubmissionKind, key: &str) -> String {
    if kind.has_award() {
        return Form::find(key).map_or("Award not known", Form::award_name).to_owned();
    }
    match Fees::of(settings).membership(key) {
        Some(membership) => membership.label_in(settings),
        None if key.is_empty() => "Category not known".to_owned(),
        None => key.to_owned(),
    }
}

/// Handles `GET /admin/money`.
pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    let mut connection = request.read().await?;
    let settings = request.site.in_force_on(&mut connection).await?;
    let (edition, payments) = read(&request, &mut connection).await?;
    let section = |kind: &'static SubmissionKind| {
        let of_kind: Vec<&Payments> = payments.iter().filter(|one| one.kind.name == kind.name).collect();
        section(&settings, kind, &of_kind, &edition.year)
    };
    Ok(Reply::page("money", "Money")
        .shows_nobody()
        .with("editions", &edition.choices)
        .with("year", &edition.year)
        .with("sections", kinds().map(section).collect::<Vec<_>>())
        .with("table", request.address("/admin/money/table", &[]))
        .into())
}

/// Returns the tables of the payments of one kind.
fn section(settings: &Settings, kind: &SubmissionKind, payments: &[&Payments], year: &str) -> Value {
    let list = |name: &str, value: &str| {
        let query = [("edition", year), (name, value)].into_iter().filter(|(_, value)| !value.is_empty());
        let query: Vec<String> = query.map(|(name, value)| format!("{name}={value}")).collect();
        format!("{}?{}", kind.list_path(), query.join("&"))
    };
    let fees = Fees::of(settings);
    let filter = if kind.has_award() { "award" } else { "category" };
    let by_category = by(payments, |one| one.category.as_str()).into_iter().map(|(key, part)| {
        let is_known = kind.has_award() || fees.membership(key).is_some();
        Totals::of(&part).row(&category_label(settings, kind, key), is_known.then(|| list(filter, key)))
    });
    let by_day = by(payments, |one| one.day).into_iter();
    let by_day = by_day.map(|(day, part)| Totals::of(&part).row(&day.strftime("%-d %B %Y").to_string(), None));
    let sum = Totals::of(payments);
    json!({
        "title": kind.list_title(),
        "sum": sum.row("All", Some(list("", ""))),
        "categories": by_category.collect::<Vec<_>>(),
        "days": by_day.collect::<Vec<_>>(),
        "differing": (sum.differing > 0).then(|| list("flag", "amount")),
        "is_empty": payments.is_empty(),
    })
}
