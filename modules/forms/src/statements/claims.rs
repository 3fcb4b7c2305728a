//! The submissions of an edition whose payments are claimed, and the words of statements beside them.

use std::collections::{BTreeSet, HashMap};

use festival_core::Result;
use festival_core::db::{Datum, Test};
use festival_core::settings::Settings;
use festival_core::site::Site;
use sqlx::AnyConnection;

use super::clues::{self, Clues};
use super::settle::{self, Claim, Outcome, Payment};
use super::stored::{ACCEPTED, DISMISSED, MatchState, StoredLine, Submitted};
use crate::payment_code;
use crate::payment_settings::Payment as Payee;
use crate::review::category_label;
use crate::submissions::{KINDS, Submission, SubmissionReader};

/// Reads the submissions of an edition whose payments are claimed.
pub(super) async fn read(
    site: &Site,
    settings: &Settings,
    connection: &mut AnyConnection,
    edition: i64,
) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
        let select = kind.select_quarantined(false).filter("edition_id", Test::Is, Datum::Integer(edition));
        let mut reader = SubmissionReader::new(&site.secrets, kind, &select);
        while let Some(submission) = reader.next(connection).await? {
            claims.push(claim(site, settings, &submission));
        }
    }
    Ok(claims)
}

/// Decides about lines.
pub(super) fn settle(settings: &Settings, lines: &[StoredLine], claims: &[Claim]) -> Vec<Outcome> {
    let index: HashMap<Submitted, usize> =
        claims.iter().enumerate().map(|(index, claim)| (claim.submission, index)).collect();
    let matched = |line: &StoredLine, state: MatchState| {
        line.matched(state).filter_map(|submission| index.get(&submission).copied()).collect()
    };
    let payment = |line: &StoredLine| Payment {
        day: line.line.day,
        amount: line.line.amount,
        clues: Clues::of(&line.line),
        settled: matched(line, MatchState::Settled),
        refused: matched(line, MatchState::Refused),
        is_accepted: line.decision == ACCEPTED,
        is_dismissed: line.decision == DISMISSED,
    };
    let mut payments: Vec<Payment> = lines.iter().map(payment).collect();
    Clues::remove_common(payments.iter_mut().map(|payment| &mut payment.clues), &own_words(settings));
    settle::settle(&payments, claims)
}

fn claim(site: &Site, settings: &Settings, submission: &Submission) -> Claim {
    let kind = submission.kind;
    let numbers = ["transaction_details", "payment_utr", "payment_transaction"].map(|name| submission.text(name));
    let people = kind.people();
    let names = people.iter().map(|subject| submission.text(kind.name_of(subject)));
    let addresses = people.iter().map(|subject| submission.text(kind.email_of(subject)));
    let names = names.chain(addresses.map(|address| address.split('@').next().unwrap_or_default()));
    let created = submission.text("created_at").parse::<jiff::Timestamp>().unwrap_or_default();
    Claim {
        submission: (kind.name, submission.id),
        category: category_label(settings, kind, submission.text(kind.payment_category)),
        reference: submission.reference().to_owned(),
        due: submission.due(),
        day: created.to_zoned(site.time_zone.clone()).date(),
        state: submission.text("payment").to_owned(),
        numbers: clues::numbers(&numbers.join(" | ")),
        code: payment_code::read(submission.text("payment_code")),
        names: clues::names(names),
    }
}

/// Words of the festival, which are no payer's name, and the number of its account.
fn own_words(settings: &Settings) -> BTreeSet<String> {
    let (payee, product) = (Payee::of(settings), &settings.product);
    let texts = [&product.name, &product.full_name, &payee.upi.payee, &payee.upi.id, &payee.bank.account_name];
    let numbers = clues::numbers(&clues::fold(&payee.bank.account_number));
    clues::names(texts.into_iter().map(String::as_str)).into_iter().chain(numbers).collect()
}
