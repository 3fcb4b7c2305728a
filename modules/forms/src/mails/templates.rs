//! The mails of the forms: their original texts, and the variables that they may contain.

use festival_core::mail::{OWNER_NOTICE, REPLY, Template, Variable};

use crate::submissions::SubmissionKind;

/// Variables of every mail.
const FESTIVAL: &[Variable] = &[
    Variable::new("festival", "The name of the edition.", "20th Velicham International Film Festival"),
    Variable::new("short_name", "The short name of the festival.", "Velicham"),
    Variable::new("year", "The year of the edition.", "2025"),
    Variable::block(
        "signature",
        "The full name of the festival, and how to reach the office: from the settings, Contact.",
        "Velicham International Film Festival\noffice@velicham.example\n+91 484 000 0000",
    ),
];

/// Variables of every mail about a submission.
const SENDER: &[Variable] = &[
    Variable::new("sender", "The name of the sender.", "Anu Das"),
    Variable::new(
        "received",
        "When it was received, on the clock of the festival.",
        "26 October 2025, 12:00 PM (Asia/Kolkata, UTC+05:30)",
    ),
    Variable::new("reference", "The reference number. People name it when they write.", "AS-2025-0001").required(),
];

/// Variables of receipts and notices.
const RECEIVED: &[Variable] = &[
    Variable::new("email", "The e-mail address of the sender.", "anu@example.org"),
    Variable::block(
        "details",
        "Award, payment code, UTR, time and lateness, a line each, as far as there are any; in a notice also files and remarks.",
        "Award: Asian Cinema\nPayment code: QRSTUA\nReceived: 26 October 2025, 12:00 PM (Asia/Kolkata, UTC+05:30)",
    ),
];

/// Further variables of receipts for a film or a registration.
const ENTRY: &[Variable] = &[
    Variable::new("fee", "The fee. Empty where none is known.", "₹5,000"),
    Variable::new("code", "The payment code. Empty without one.", "QRSTUA"),
    Variable::block(
        "next_steps",
        "What happens next: from the settings, After a form was sent.",
        "We will write to you when the selection is made.",
    ),
    Variable::block(
        "corrections",
        "Whom to write to about mistakes. Empty without an address for corrections.",
        "If something below is wrong, write to office@velicham.example and quote your reference.",
    ),
    Variable::block(
        "further",
        "The link to the page on which the sender follows the submission, where the site has one. May be empty.",
        "Where it stands, and what you can still change: https://velicham.example/status?key=5f0c…\nWhoever has this link sees what you sent. Keep it to yourself.",
    ),
    Variable::block(
        "fields",
        "Every field that was filled in, a line each.",
        "Title: The Rain Road\nDirector: Anu Das",
    ),
    Variable::block("files", "The files, a line each.", "Poster: poster.jpg (340 KB)"),
];

const FILM: &[Variable] = &[
    Variable::new("title", "The title of the film.", "The Rain Road"),
    Variable::new("film", "The title, with the original one in brackets if it is another.", "The Rain Road (മഴവഴി)"),
    Variable::new("award", "The award that the film is submitted for. Empty if it is not known.", "Asian Cinema"),
];

const CATEGORY: &[Variable] = &[Variable::new("title", "The category of the registration.", "20th Velicham Delegate")];

const MESSAGE: &[Variable] = &[Variable::block("message", "The message.", "When does the festival begin?")];

const LINK: &[Variable] = &[Variable::block(
    "link",
    "The page in the back office. Empty if the settings have no public address of the site.",
    "https://velicham.example/admin/film-submissions/1",
)];

/// Variables of mails about a payment.
const PAYMENT: &[Variable] = &[
    Variable::new("what", "What was sent.", "your film The Rain Road"),
    Variable::new("note", "What to write into the note of the payment: payment code or reference.", "QRSTUA"),
    Variable::block(
        "due",
        "What is due, with its heading. Empty if that is not known.",
        "WHAT IS DUE\n₹5,000 for the entry of a film, Asian Cinema",
    ),
    Variable::block(
        "how_to_pay",
        "UPI ID, account and note, with their heading: from the settings, Bank and UPI. Empty while there are none.",
        "HOW TO PAY\nUPI ID: festival@examplebank\nWrite QRSTUA into the note of the payment.",
    ),
];

const CATEGORY_OF_PAYMENT: &[Variable] =
    &[Variable::new("category", "The category of the registration.", "20th Velicham Delegate")];

const REASON: &[Variable] = &[Variable::new("reason", "Why the payment is rejected.", "₹1,000 is missing").required()];

/// Receipt and notice of a form.
pub(crate) struct FormMails {
    /// To the sender.
    pub(crate) receipt: Template,
    /// To the organisers.
    pub(crate) note: Template,
}

impl FormMails {
    /// The mails of a kind of submission.
    pub(crate) fn of(kind: &SubmissionKind) -> &'static Self {
        match kind.name {
            "film" => &FILM_MAILS,
            "delegate" => &DELEGATE_MAILS,
            _ => &CONTACT_MAILS,
        }
    }
}

const TO_SENDER: &str = "The sender";
const TO_ORGANISERS: &str = "The recipients of notifications (settings, Contact)";

pub(crate) static FILM_MAILS: FormMails = FormMails {
    receipt: Template {
        key: "film-receipt",
        kind: "film-receipt",
        name: "Receipt for a film",
        when: "When a film was received.",
        to: TO_SENDER,
        subject: "{{short_name}} {{year}}: your film {{title}} has arrived ({{reference}})",
        text: include_str!("../../templates/receipt-film.txt"),
        variables: &[SENDER, RECEIVED, FILM, ENTRY, FESTIVAL],
        fixed: None,
    },
    note: Template {
        key: "film-note",
        kind: "film-note",
        name: "Notice of a film",
        when: "When a film was received.",
        to: TO_ORGANISERS,
        subject: "New film {{reference}}: {{title}}",
        text: include_str!("../../templates/note-film.txt"),
        variables: &[SENDER, RECEIVED, FILM, LINK, FESTIVAL],
        fixed: None,
    },
};

pub(crate) static DELEGATE_MAILS: FormMails = FormMails {
    receipt: Template {
        key: "delegate-receipt",
        kind: "delegate-receipt",
        name: "Receipt for a registration",
        when: "When a registration was received.",
        to: TO_SENDER,
        subject: "{{short_name}} {{year}}: your registration has arrived ({{reference}})",
        text: include_str!("../../templates/receipt-delegate.txt"),
        variables: &[SENDER, RECEIVED, CATEGORY, ENTRY, FESTIVAL],
        fixed: None,
    },
    note: Template {
        key: "delegate-note",
        kind: "delegate-note",
        name: "Notice of a registration",
        when: "When a registration was received.",
        to: TO_ORGANISERS,
        subject: "New registration {{reference}}: {{title}}",
        text: include_str!("../../templates/note-delegate.txt"),
        variables: &[SENDER, RECEIVED, CATEGORY, LINK, FESTIVAL],
        fixed: None,
    },
};

pub(crate) static CONTACT_MAILS: FormMails = FormMails {
    receipt: Template {
        key: "contact-receipt",
        kind: "contact-receipt",
        name: "Receipt for a message",
        when: "When a message of the contact form was received.",
        to: TO_SENDER,
        subject: "{{short_name}} {{year}}: your message has arrived ({{reference}})",
        text: include_str!("../../templates/receipt-contact.txt"),
        // Not the message: entering another person's address must not be a way to send that person a text.
        variables: &[SENDER, RECEIVED, FESTIVAL],
        fixed: None,
    },
    note: Template {
        key: "contact-note",
        kind: "contact-note",
        name: "Notice of a message",
        when: "When a message of the contact form was received.",
        to: TO_ORGANISERS,
        subject: "New message {{reference}}: {{sender}}",
        text: include_str!("../../templates/note-contact.txt"),
        variables: &[SENDER, RECEIVED, MESSAGE, LINK, FESTIVAL],
        fixed: None,
    },
};

/// Informs a sender that the payment is rejected.
pub(crate) static PAYMENT_REJECTED: Template = Template {
    key: "payment-rejected",
    kind: "payment-rejected",
    name: "Payment rejected",
    when: "When an organiser rejects a payment and ticks that the sender is told.",
    to: TO_SENDER,
    subject: "{{short_name}} {{year}}: your payment could not be accepted ({{reference}})",
    text: include_str!("../../templates/payment-rejected.txt"),
    variables: &[SENDER, REASON, PAYMENT, FESTIVAL],
    fixed: None,
};

/// Informs a sender that the payment was not found.
pub(crate) static PAYMENT_NOT_FOUND: Template = Template {
    key: "payment-not-found",
    kind: "payment-not-found",
    name: "Payment not found",
    when: "When a payment stays unchecked and an organiser ticks that the sender is told.",
    to: TO_SENDER,
    subject: "{{short_name}} {{year}}: we have not found your payment ({{reference}})",
    text: include_str!("../../templates/payment-not-found.txt"),
    variables: &[SENDER, PAYMENT, FESTIVAL],
    fixed: None,
};

/// Informs a delegate that the registration is confirmed.
pub(crate) static REGISTRATION_CONFIRMED: Template = Template {
    key: "registration-confirmed",
    kind: "registration-confirmed",
    name: "Registration confirmed",
    when: "When an organiser confirms a registration and ticks that the sender is told.",
    to: TO_SENDER,
    subject: "{{short_name}} {{year}}: your registration is confirmed ({{reference}})",
    text: include_str!("../../templates/registration-confirmed.txt"),
    variables: &[SENDER, CATEGORY_OF_PAYMENT, FESTIVAL],
    fixed: None,
};

/// An answer that an organiser wrote.
pub(crate) static ANSWER: Template = Template {
    key: "answer",
    kind: REPLY,
    name: "Answer to a message",
    when: "When an organiser answers a message on its page.",
    to: "The sender of the message",
    subject: "Re: {{short_name}} {{year}}: your message ({{reference}})",
    text: include_str!("../../templates/answer.txt"),
    variables: &[
        &[
            Variable::block("answer", "What the organiser wrote.", "Dear Anu Das,\n\non 24 October, at six.")
                .required(),
            Variable::block(
                "quoted",
                "The message that is answered.",
                "On 26 October 2025, 12:00 PM (Asia/Kolkata, UTC+05:30), Anu Das wrote:\n> When does the festival begin?",
            ),
            Variable::new("sender", "The name of the sender.", "Anu Das"),
            Variable::new(
                "received",
                "When the message was received.",
                "26 October 2025, 12:00 PM (Asia/Kolkata, UTC+05:30)",
            ),
            Variable::new("reference", "The reference number of the message.", "CM-2025-0001"),
        ],
        FESTIVAL,
    ],
    fixed: None,
};

/// The notice of changed payment details.
pub(crate) static PAYMENT_CHANGED: Template = Template {
    key: "payment-changed",
    kind: OWNER_NOTICE,
    name: "Changed payment details",
    when: "When somebody changes the bank account or the UPI ID in the settings.",
    to: "Every owner",
    subject: "{{short_name}}: the payment details were changed",
    text: include_str!("../../templates/payment-changed.txt"),
    variables: &[
        &[
            Variable::new("festival", "The full name of the festival.", "Velicham International Film Festival"),
            Variable::new("short_name", "The short name of the festival.", "Velicham"),
        ],
        &[
            Variable::new("who", "Who changed them.", "Anu Das"),
            Variable::new("email", "The address of the account.", "anu@velicham.example"),
            Variable::block(
                "changes",
                "What was changed.",
                "UPI ID\n  before: l•••@examplebank\n  after:  festival@bank",
            ),
            Variable::new("when", "The time.", "3 November 2025, 2:05 PM"),
            Variable::new("network", "Where it was done from.", "203.0.113.0/24"),
            Variable::block(
                "history",
                "The history of the details.",
                "https://velicham.example/admin/settings/payment/history",
            ),
            Variable::block("accounts", "The accounts.", "https://velicham.example/admin/accounts"),
        ],
    ],
    fixed: Some(
        "Nobody can change this text: whoever changes where money goes must not be able to hide it from the owners.",
    ),
};
