//! Decides which payments of a statement belong to which submissions.
//!
//! A payment is verified without a person only if its number or its payment code and the exact fee agree, and nothing else
//! claims it. Everything else waits in a queue, with the reason.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use festival_core::admin::collections::State;
use jiff::civil::Date;

use super::clues::{Clues, distance, reference_key};
use super::queue::{
    Basis, DISMISSED, OUTGOING, OVER, PAYER, PROPOSED, REVERSED, SETTLED, SEVERAL, SHORT, TWICE, UNCLAIMED,
};
use super::stored::Submitted;
use crate::amount::{Amount, Difference, Due};

/// Days between a payment and the form that are close.
const CLOSE_DAYS: i32 = 3;
/// Maximum number of proposals for a payment.
const MAX_PROPOSALS: usize = 5;
/// Maximum number of wrong digits of a number that is proposed.
const MAX_WRONG_DIGITS: usize = 2;

/// A payment of a statement.
pub(super) struct Payment {
    pub(super) day: Date,
    pub(super) amount: Amount,
    pub(super) clues: Clues,
    /// Submissions that it settles already, by an earlier import or a person.
    pub(super) settled: Vec<usize>,
    /// Submissions that it does not belong to, as a person decided.
    pub(super) refused: Vec<usize>,
    /// A person said that it settles them.
    pub(super) is_accepted: bool,
    /// A person said that it belongs to no submission.
    pub(super) is_dismissed: bool,
}

/// A submission whose payment somebody claims to have made.
pub(super) struct Claim {
    pub(super) submission: Submitted,
    /// What it pays for, as people call it.
    pub(super) category: String,
    pub(super) reference: String,
    pub(super) due: Due,
    pub(super) day: Date,
    /// Status of the payment: unchecked, verified or rejected.
    pub(super) state: String,
    pub(super) numbers: BTreeSet<String>,
    pub(super) code: Option<String>,
    pub(super) names: BTreeSet<String>,
}

/// What is decided about a payment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Where the payment waits.
    pub(super) queue: State,
    /// A sentence without its full stop.
    pub(super) reason: String,
    /// Indices of the submissions that it may belong to.
    pub(super) claims: Vec<(usize, Basis)>,
    /// Whether the payment of the submission is verified by it.
    pub(super) verifies: bool,
}

/// Decides about each payment.
pub(super) fn settle(payments: &[Payment], claims: &[Claim]) -> Vec<Outcome> {
    let found = find(payments, claims);
    let reversed = reversals(payments, &found);
    let mut of_claim: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, matches) in found.iter().enumerate() {
        let payment = &payments[index];
        if payment.amount.hundredths > 0 && !payment.is_dismissed && !reversed.contains_key(&index) {
            for claim in matches.keys().chain(&payment.settled).collect::<BTreeSet<_>>() {
                of_claim.entry(*claim).or_default().push(index);
            }
        }
    }
    let is_open = |index: &usize| claims[*index].state == "unchecked" && !of_claim.contains_key(index);
    let open = (0..claims.len()).filter(is_open).collect();
    let context = Context { payments, claims, found: &found, reversed: &reversed, of_claim: &of_claim, open };
    (0..payments.len()).map(|index| context.outcome(index)).collect()
}

/// The submissions that each payment names, with the strongest basis.
fn find(payments: &[Payment], claims: &[Claim]) -> Vec<BTreeMap<usize, Basis>> {
    let (mut numbers, mut codes, mut references): (
        HashMap<&str, Vec<usize>>,
        HashMap<&str, Vec<usize>>,
        HashMap<String, usize>,
    ) = Default::default();
    for (index, claim) in claims.iter().enumerate() {
        claim.numbers.iter().for_each(|number| numbers.entry(number).or_default().push(index));
        claim.code.iter().for_each(|code| codes.entry(code).or_default().push(index));
        references.insert(reference_key(&claim.reference), index);
    }
    let lengths: BTreeSet<usize> = references.keys().map(String::len).collect();
    let matches = |payment: &Payment| {
        let clues = &payment.clues;
        let key = reference_key(&clues.folded);
        let numbers = clues.numbers.iter().filter_map(|number| numbers.get(number.as_str())).flatten();
        let codes = clues.codes.iter().filter_map(|code| codes.get(code.as_str())).flatten();
        let reference = |(start, length): (usize, &usize)| {
            let after = clues.folded.as_bytes().get(start + length);
            let text = key.get(start..start + length).filter(|_| !after.is_some_and(u8::is_ascii_digit));
            references.get(text?)
        };
        let places = (0..clues.folded.len()).flat_map(|start| lengths.iter().map(move |length| (start, length)));
        let named = numbers.map(|claim| (*claim, Basis::Number)).chain(codes.map(|claim| (*claim, Basis::Code)));
        let mut found: BTreeMap<usize, Basis> = BTreeMap::new();
        for (claim, basis) in named.chain(places.filter_map(reference).map(|claim| (*claim, Basis::Reference))) {
            found.entry(claim).and_modify(|known| *known = basis.min(*known)).or_insert(basis);
        }
        found.retain(|claim, _| !payment.refused.contains(claim));
        found
    };
    payments.iter().map(matches).collect()
}

/// The payments that were taken back, each with the line that took it: of the same amount, and with its number, its
/// submission, or its payer in a line that calls itself a reversal.
fn reversals(payments: &[Payment], found: &[BTreeMap<usize, Basis>]) -> BTreeMap<usize, usize> {
    let mut reversed = BTreeMap::new();
    for (taker, debit) in payments.iter().enumerate().filter(|(_, payment)| payment.amount.hundredths < 0) {
        let strength = |index: &usize| {
            let credit = &payments[*index];
            if credit.amount.hundredths != -debit.amount.hundredths || credit.day > debit.day {
                return 0;
            }
            let has_number = !credit.clues.numbers.is_disjoint(&debit.clues.numbers);
            let has_claim = found[*index].keys().any(|claim| found[taker].contains_key(claim));
            let has_payer = debit.clues.is_reversal && credit.clues.is_of(&debit.clues.names) == Some(true);
            match (has_number, has_claim, has_payer) {
                (true, ..) => 3,
                (_, true, _) => 2,
                (.., true) => 1,
                _ => 0,
            }
        };
        let open = (0..payments.len()).filter(|index| !reversed.contains_key(index));
        if let Some((_, index)) =
            open.map(|index| (strength(&index), index)).filter(|(strength, _)| *strength > 0).max()
        {
            reversed.insert(index, taker);
        }
    }
    reversed
}

struct Context<'a> {
    payments: &'a [Payment],
    claims: &'a [Claim],
    found: &'a [BTreeMap<usize, Basis>],
    reversed: &'a BTreeMap<usize, usize>,
    /// The payments of each submission that were not taken back.
    of_claim: &'a HashMap<usize, Vec<usize>>,
    /// The unchecked submissions without one.
    open: Vec<usize>,
}

impl Context<'_> {
    fn outcome(&self, index: usize) -> Outcome {
        let payment = &self.payments[index];
        let mut matches = self.found[index].clone();
        for claim in &payment.settled {
            matches.entry(*claim).or_insert(Basis::Person);
        }
        let claims: Vec<(usize, Basis)> = matches.into_iter().collect();
        let waits = |queue, reason: String| Outcome { queue, reason, claims: claims.clone(), verifies: false };
        let references =
            || claims.iter().map(|(claim, _)| &*self.claims[*claim].reference).collect::<Vec<_>>().join(", ");
        if payment.amount.hundredths < 0 {
            return match self.reversed.iter().find(|(_, taker)| **taker == index) {
                Some((credit, _)) => {
                    waits(OUTGOING, format!("It takes back the payment of {}", self.payments[*credit].day))
                }
                None => waits(OUTGOING, String::new()),
            };
        }
        if let Some(taker) = self.reversed.get(&index) {
            let day = self.payments[*taker].day;
            return waits(REVERSED, format!("{} went back on {day}", payment.amount.text()));
        }
        if payment.is_dismissed {
            return Outcome { claims: Vec::new(), ..waits(DISMISSED, String::new()) };
        }
        let others = claims.iter().filter(|(claim, _)| !payment.settled.contains(claim)).count();
        if !payment.settled.is_empty() && others == 0 {
            let reason = match payment.is_accepted {
                true => "An organiser accepted it".to_owned(),
                false => format!("{} and the fee agree", claims[0].1.label()),
            };
            return waits(SETTLED, reason);
        }
        match claims[..] {
            [] => self.propose(index),
            [(claim, basis)] => self.single(index, claim, basis),
            _ => {
                let dues: Option<i64> = claims.iter().map(|(claim, _)| self.claims[*claim].due.rupees).sum();
                let is_sum = dues.is_some_and(|dues| Amount::rupees(dues) == payment.amount);
                match is_sum && payment.settled.is_empty() {
                    true => waits(SEVERAL, format!("It is the sum of {}", references())),
                    false => waits(TWICE, format!("{} claim it", references())),
                }
            }
        }
    }

    /// A payment that names one submission.
    fn single(&self, index: usize, claim: usize, basis: Basis) -> Outcome {
        let (payment, known) = (&self.payments[index], &self.claims[claim]);
        let reference = &known.reference;
        let outcome =
            |queue, reason: String, verifies| Outcome { queue, reason, claims: vec![(claim, basis)], verifies };
        let waits = |queue, reason: String| outcome(queue, reason, false);
        let others =
            self.of_claim.get(&claim).map_or(0, |payments| payments.iter().filter(|other| **other != index).count());
        if others > 0 {
            let all: i64 = self.of_claim[&claim].iter().map(|other| self.payments[*other].amount.hundredths).sum();
            let total = Amount { hundredths: all, ..payment.amount };
            let is_more =
                known.due.difference_from(total).is_some_and(|difference| matches!(difference, Difference::More(_)));
            let queue = if is_more { OVER } else { SHORT };
            return waits(queue, format!("{} payments of {reference}, {} together", others + 1, total.text()));
        }
        if known.due.rupees.is_none() {
            return waits(PROPOSED, format!("What is due for {reference} is not known"));
        }
        match known.due.difference_from(payment.amount) {
            Some(difference @ Difference::Less(_)) => return waits(SHORT, difference.text()),
            Some(difference) => return waits(OVER, difference.text()),
            None => {}
        }
        let label = basis.label();
        match (basis, known.state.as_str()) {
            (Basis::Number | Basis::Code, "verified") => {
                outcome(SETTLED, format!("{label} and the fee agree; the payment was verified before"), false)
            }
            (Basis::Number | Basis::Code, "rejected") => {
                waits(PROPOSED, format!("{label} and the fee agree, but the payment of {reference} was rejected"))
            }
            (Basis::Number, _)
                if payment.clues.is_of(&known.names) == Some(false) && !self.names_code(index, claim) =>
            {
                waits(
                    PAYER,
                    format!("{label} and the fee agree, but the payer is not named like the sender of {reference}"),
                )
            }
            (Basis::Number | Basis::Code, _) => outcome(SETTLED, format!("{label} and the fee agree"), true),
            _ => waits(PROPOSED, format!("{label} and the fee agree, but no transaction number or code")),
        }
    }

    /// Whether a payment has the code or the reference of a submission beside its number.
    fn names_code(&self, index: usize, claim: usize) -> bool {
        let (clues, known) = (&self.payments[index].clues, &self.claims[claim]);
        known.code.as_ref().is_some_and(|code| clues.codes.contains(code))
            || reference_key(&clues.folded).contains(&reference_key(&known.reference))
    }

    /// A payment that names no submission.
    fn propose(&self, index: usize) -> Outcome {
        let payment = &self.payments[index];
        let near_number = |claim: &Claim| {
            let pairs = claim.numbers.iter().flat_map(|one| payment.clues.numbers.iter().map(move |two| (one, two)));
            pairs.map(|(one, two)| distance(one, two)).any(|wrong| (1..=MAX_WRONG_DIGITS).contains(&wrong))
        };
        let mut proposals = Vec::new();
        for (claim, known) in self.open.iter().map(|claim| (*claim, &self.claims[*claim])) {
            let is_exact = || known.due.rupees.is_some() && known.due.difference_from(payment.amount).is_none();
            let is_close = || (payment.day - known.day).get_days().abs() <= CLOSE_DAYS;
            if near_number(known) {
                proposals.push((0, claim));
            } else if is_exact() && is_close() && payment.clues.is_of(&known.names) == Some(true) {
                proposals.push((1, claim));
            }
        }
        proposals.sort_unstable();
        proposals.truncate(MAX_PROPOSALS);
        let reason = match proposals.first() {
            None => "No submission names its number, and it names none",
            Some((0, _)) => "The number differs in one or two digits",
            Some(_) => "Amount, payer and day agree, but no number, code or reference",
        };
        let queue = if proposals.is_empty() { UNCLAIMED } else { PROPOSED };
        let claims = proposals.into_iter().map(|(_, claim)| (claim, Basis::Proposal)).collect();
        Outcome { queue, reason: reason.to_owned(), claims, verifies: false }
    }
}

/// The unchecked submissions that no payment names.
pub(super) fn without_payment<'c>(outcomes: &[Outcome], claims: &'c [Claim]) -> impl Iterator<Item = &'c Claim> {
    let named: HashSet<usize> = outcomes.iter().flat_map(|outcome| &outcome.claims).map(|(claim, _)| *claim).collect();
    let is_missing = move |(index, claim): &(usize, &Claim)| claim.state == "unchecked" && !named.contains(index);
    claims.iter().enumerate().filter(is_missing).map(|(_, claim)| claim)
}
