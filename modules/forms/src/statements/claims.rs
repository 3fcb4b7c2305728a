//! The submissions of an edition whose payments are claimed, and the words of statements beside them.

use std::collections::{BTreeSet, HashMap};

use festival_core::Result;
use festival_core::db::{Datum, Test};
use festival_core::settings::Settings;
use festival_core::site::Site;
use sqlx::AnyConnection;

use super::clues::{self, Clues};
use super::ledger::Ledger;
use super::settle::{self, Claim, Outcome, Payment};
use super::stored::{MatchState, StoredLine, Submitted};
use crate::payment_code;
use crate::payment_settings::Payment as Payee;
use crate::review::category_label;
use crate::submissions::{KINDS, Submission, SubmissionReader};

/// The submissions of an edition whose payments are claimed.
pub(super) struct Claims {
    pub(super) claims: Vec<Claim>,
    pub(super) ids: Vec<Submitted>,
    /// What each pays for.
    pub(super) categories: Vec<String>,
}

impl Claims {
    /// Reads the submissions of an edition.
    pub(super) async fn read(ledger: &Ledger<'_>, connection: &mut AnyConnection) -> Result<Self> {
        let mut found = Self { claims: Vec::new(), ids: Vec::new(), categories: Vec::new() };
        for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
            let select =
                kind.select_quarantined(false).filter("edition_id", Test::Is, Datum::Integer(ledger.edition.id));
            let mut reader = SubmissionReader::new(&ledger.site.secrets, kind, &select);
            while let Some(submission) = reader.next(connection).await? {
                found.claims.push(claim(ledger.site, &submission));
                found.ids.push((kind.name, submission.id));
                let category = submission.text(kind.payment_category);
                found.categories.push(category_label(ledger.settings, kind, category));
            }
        }
        Ok(found)
    }

    /// The references of all.
    pub(super) fn references(&self) -> HashMap<Submitted, String> {
        self.ids.iter().zip(&self.claims).map(|(id, claim)| (*id, claim.reference.clone())).collect()
    }

    /// Decides about lines.
    pub(super) fn settle(&self, ledger: &Ledger<'_>, lines: &[StoredLine]) -> Vec<Outcome> {
        let index: HashMap<Submitted, usize> = self.ids.iter().enumerate().map(|(index, id)| (*id, index)).collect();
        let in_state = |line: &StoredLine, state: MatchState| {
            let found = line.matches.iter().filter(|found| found.state == state);
            found.filter_map(|found| index.get(&found.submission).copied()).collect()
        };
        let payment = |line: &StoredLine| Payment {
            day: line.line.day,
            amount: line.line.amount,
            clues: Clues::of(&line.line),
            settled: in_state(line, MatchState::Settled),
            refused: in_state(line, MatchState::Refused),
            decision: line.decision,
        };
        let mut payments: Vec<Payment> = lines.iter().map(payment).collect();
        Clues::remove_common(payments.iter_mut().map(|payment| &mut payment.clues), &own_words(ledger.settings));
        settle::settle(&payments, &self.claims)
    }
}

fn claim(site: &Site, submission: &Submission) -> Claim {
    let numbers = ["transaction_details", "payment_utr", "payment_transaction"].map(|name| submission.text(name));
    let people = submission.kind.people();
    let names = people.iter().map(|subject| submission.text(submission.kind.name_of(subject)));
    let addresses = people.iter().map(|subject| submission.text(submission.kind.email_of(subject)));
    let names = names.chain(addresses.map(|address| address.split('@').next().unwrap_or_default()));
    let created = submission.text("created_at").parse::<jiff::Timestamp>().unwrap_or_default();
    Claim {
        reference: submission.reference().to_owned(),
        due: submission.due(),
        day: created.to_zoned(site.time_zone.clone()).date(),
        state: submission.text("payment").to_owned(),
        numbers: clues::numbers(&numbers.join(" | ")),
        code: payment_code::read(submission.text("payment_code")),
        names: clues::names(names),
    }
}

/// Words of the festival and its account, which are no payer's name.
fn own_words(settings: &Settings) -> BTreeSet<String> {
    let payee = Payee::of(settings);
    let texts = [
        &settings.product.name,
        &settings.product.full_name,
        &payee.upi.payee,
        &payee.upi.id,
        &payee.bank.account_name,
    ];
    clues::names(texts.into_iter().map(String::as_str))
}
