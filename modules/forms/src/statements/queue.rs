//! Where the lines of statements wait, and why they belong to submissions.

use festival_core::admin::collections::State;

const fn queue(key: &'static str, label: &'static str) -> State {
    State { key, label, tone: "" }
}

pub(super) const SHORT: State = queue("short", "Less than is due");
pub(super) const OVER: State = queue("over", "More than is due");
pub(super) const TWICE: State = queue("twice", "Claimed twice");
pub(super) const SEVERAL: State = queue("several", "Several entries in one transfer");
pub(super) const PAYER: State = queue("payer", "Another payer");
pub(super) const REVERSED: State = State { tone: "bad", ..queue("reversed", "Reversed") };
pub(super) const PROPOSED: State = queue("proposed", "Proposed");
pub(super) const UNCLAIMED: State = queue("unclaimed", "Nobody claims it");
pub(super) const SETTLED: State = State { tone: "good", ..queue("settled", "Settled") };
/// Money that went out.
pub(super) const OUTGOING: State = queue("outgoing", "Money that went out");
/// A person said that it belongs to no submission.
pub(super) const DISMISSED: State = queue("dismissed", "No payment of a submission");

/// Where lines wait, in the order of the work; a person has to decide about those before [`SETTLED`].
pub(super) const QUEUES: &[State] =
    &[SHORT, OVER, TWICE, SEVERAL, PAYER, REVERSED, PROPOSED, UNCLAIMED, SETTLED, OUTGOING, DISMISSED];

/// The queue with this key.
pub(super) fn find(key: &str) -> State {
    QUEUES.iter().copied().find(|queue| queue.key == key).unwrap_or(UNCLAIMED)
}

/// Whether a person has to decide.
pub(super) fn is_open(queue: State) -> bool {
    ![SETTLED, OUTGOING, DISMISSED].contains(&queue)
}

/// Why a line and a submission belong together, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Basis {
    Number,
    Code,
    Reference,
    Proposal,
    /// A person said so.
    Person,
}

impl Basis {
    /// The stored value, and what people read.
    const fn names(self) -> [&'static str; 2] {
        match self {
            Self::Number => ["number", "The transaction number"],
            Self::Code => ["code", "The payment code"],
            Self::Reference => ["reference", "The reference"],
            Self::Proposal => ["proposal", "Amount, payer and day"],
            Self::Person => ["person", "What an organiser decided"],
        }
    }

    pub(super) const fn key(self) -> &'static str {
        self.names()[0]
    }

    pub(super) const fn label(self) -> &'static str {
        self.names()[1]
    }
}
