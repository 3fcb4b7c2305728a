//! Where the lines of statements wait, and why they belong to submissions.

/// Where a line waits, or that it is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Queue {
    Settled,
    Short,
    Over,
    Twice,
    Reversed,
    Several,
    Payer,
    Proposed,
    Unclaimed,
    /// Money that went out.
    Outgoing,
    /// A person said that it belongs to no submission.
    Dismissed,
}

impl Queue {
    pub(crate) const ALL: [Self; 11] = [
        Self::Settled,
        Self::Short,
        Self::Over,
        Self::Twice,
        Self::Reversed,
        Self::Several,
        Self::Payer,
        Self::Proposed,
        Self::Unclaimed,
        Self::Outgoing,
        Self::Dismissed,
    ];

    /// The stored value.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Settled => "settled",
            Self::Short => "short",
            Self::Over => "over",
            Self::Twice => "twice",
            Self::Reversed => "reversed",
            Self::Several => "several",
            Self::Payer => "payer",
            Self::Proposed => "proposed",
            Self::Unclaimed => "unclaimed",
            Self::Outgoing => "outgoing",
            Self::Dismissed => "dismissed",
        }
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Settled => "Settled",
            Self::Short => "Less than is due",
            Self::Over => "More than is due",
            Self::Twice => "Claimed twice",
            Self::Reversed => "Reversed",
            Self::Several => "Several entries in one transfer",
            Self::Payer => "Another payer",
            Self::Proposed => "Proposed",
            Self::Unclaimed => "Nobody claims it",
            Self::Outgoing => "Money that went out",
            Self::Dismissed => "No payment of a submission",
        }
    }

    pub(crate) fn find(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|queue| queue.key() == key)
    }

    /// Whether a person has to decide.
    pub(crate) const fn is_open(self) -> bool {
        !matches!(self, Self::Settled | Self::Outgoing | Self::Dismissed)
    }
}

/// Why a line and a submission belong together, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Basis {
    Number,
    Code,
    Reference,
    Proposal,
    /// A person said so.
    Person,
}

impl Basis {
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Code => "code",
            Self::Reference => "reference",
            Self::Proposal => "proposal",
            Self::Person => "person",
        }
    }

    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Number => "The transaction number",
            Self::Code => "The payment code",
            Self::Reference => "The reference",
            Self::Proposal => "Amount, payer and day",
            Self::Person => "What an organiser decided",
        }
    }
}

/// What a person decided about a payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Decision {
    #[default]
    None,
    /// It settles submissions.
    Accepted,
    /// It belongs to no submission.
    Dismissed,
}
