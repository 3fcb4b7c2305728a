//! Sums of amounts due and paid, for registrations and films, by category and by day.

use std::collections::BTreeMap;
use std::ops::AddAssign;

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
use crate::submissions::{KINDS, SubmissionKind};

/// SQL of sums: fees in rupees, amounts read from the proofs in paise and in cents. `amount_differs` is summed as well.
const PAID: [&str; 3] = [
    "fee_inr",
    "CASE WHEN payment_currency = 'INR' THEN payment_read ELSE 0 END",
    "CASE WHEN payment_currency = 'USD' THEN payment_read ELSE 0 END",
];

/// A number of payments, and what is due for them in rupees.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Share {
    pub(super) count: i64,
    pub(super) due: i64,
}

/// The sums of some payments. Amounts due are split into verified, open and rejected.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Totals {
    pub(super) all: Share,
    pub(super) verified: Share,
    pub(super) open: Share,
    pub(super) rejected: Share,
    /// Paise on the proofs, as they are read.
    pub(super) paise: i64,
    /// Cents on the proofs.
    pub(super) cents: i64,
    /// Amounts that differ from what is due.
    pub(super) differing: i64,
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.due += other.due;
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.verified += other.verified;
        self.open += other.open;
        self.rejected += other.rejected;
        self.paise += other.paise;
        self.cents += other.cents;
        self.differing += other.differing;
    }
}

impl Totals {
    /// Returns "₹1,300 and $60"; "" if no amount was read.
    fn paid_text(&self) -> String {
        let amount = |hundredths, currency| (hundredths > 0).then(|| Amount { hundredths, currency }.text());
        let amounts = [amount(self.paise, Currency::Rupees), amount(self.cents, Currency::Dollars)];
        amounts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
    }

    fn row(&self, label: &str, href: Option<String>) -> Value {
        let share = |share: Share| json!({ "count": share.count, "due": rupees(share.due) });
        json!({
            "label": label,
            "href": href,
            "all": share(self.all),
            "verified": share(self.verified),
            "open": share(self.open),
            "rejected": share(self.rejected),
            "paid": self.paid_text(),
            "differing": self.differing,
        })
    }
}

/// The sums of one kind by category and day.
pub(super) struct KindTotals {
    pub(super) kind: &'static SubmissionKind,
    pub(super) parts: BTreeMap<(String, Date), Totals>,
}

/// The sums of an edition.
pub(super) struct Money {
    pub(super) edition: ChosenEdition,
    pub(super) kinds: Vec<KindTotals>,
}

/// Reads the sums of the edition that the query names, otherwise of the current one, as far as the account may see them.
pub(super) async fn read(request: &AdminRequest, connection: &mut AnyConnection) -> Result<Money> {
    let scope = request.scope();
    let edition = ChosenEdition::read(request, connection, &scope).await?;
    let zone = &request.site.time_zone;
    let mut kinds = Vec::new();
    for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
        let select = kind.select_quarantined(false).filter("edition_id", Test::Is, Datum::Integer(edition.id));
        let select = within(connection, &scope, kind, select).await?;
        // Days are those of the festival's time zone, so times are counted by the minute.
        let groups = [kind.payment_category, "payment", "substr(created_at, 1, 16)"];
        let summed = [PAID[0], PAID[1], PAID[2], kind.amount_differs];
        let mut parts: BTreeMap<(String, Date), Totals> = BTreeMap::new();
        for (values, count, sums) in select.sums(connection, &groups, &summed).await? {
            let [category, payment, minute] = values.as_slice() else { continue };
            let [due, paise, cents, differing] = *sums.as_slice() else { continue };
            let share = Share { count, due };
            let mut totals = Totals { all: share, paise, cents, differing, ..Totals::default() };
            match payment.as_str() {
                "verified" => totals.verified = share,
                "rejected" => totals.rejected = share,
                _ => totals.open = share,
            }
            *parts.entry((category.clone(), day_of(minute, zone))).or_default() += totals;
        }
        kinds.push(KindTotals { kind, parts });
    }
    Ok(Money { edition, kinds })
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
    let money = read(&request, &mut connection).await?;
    let sections = money.kinds.iter().map(|totals| section(&settings, totals, &money.edition.year)).collect::<Vec<_>>();
    Ok(Reply::page("money", "Money")
        .shows_nobody()
        .with("editions", &money.edition.choices)
        .with("year", &money.edition.year)
        .with("sections", sections)
        .with("table", request.address("/admin/money/table", &[]))
        .into())
}

/// Returns the tables of one kind.
fn section(settings: &Settings, totals: &KindTotals, year: &str) -> Value {
    let kind = totals.kind;
    let (mut categories, mut days): (BTreeMap<&str, Totals>, BTreeMap<Date, Totals>) = Default::default();
    let mut sum = Totals::default();
    for ((category, day), part) in &totals.parts {
        *categories.entry(category).or_default() += *part;
        *days.entry(*day).or_default() += *part;
        sum += *part;
    }
    let list = |name: &str, value: &str| {
        let query = [("edition", year), (name, value)].into_iter().filter(|(_, value)| !value.is_empty());
        let query: Vec<String> = query.map(|(name, value)| format!("{name}={value}")).collect();
        format!("{}?{}", kind.list_path(), query.join("&"))
    };
    let fees = Fees::of(settings);
    let filter = if kind.has_award() { "award" } else { "category" };
    let by_category = categories.iter().map(|(key, part)| {
        let is_known = kind.has_award() || fees.membership(key).is_some();
        part.row(&category_label(settings, kind, key), is_known.then(|| list(filter, key)))
    });
    let by_day = days.iter().map(|(day, part)| part.row(&day.strftime("%-d %B %Y").to_string(), None));
    json!({
        "title": kind.list_title(),
        "sum": sum.row("All", Some(list("", ""))),
        "categories": by_category.collect::<Vec<_>>(),
        "days": by_day.collect::<Vec<_>>(),
        "differing": (sum.differing > 0).then(|| list("flag", "amount")),
        "is_empty": sum.all.count == 0,
    })
}
