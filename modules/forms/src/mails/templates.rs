//! The mails of the forms: their original texts, and the variables that they may contain.

use festival_core::mail::{FESTIVAL, FESTIVAL_NAMES, OWNER_NOTICE, REPLY, Template, Variable};

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

const PAYMENT_RECEIPT: &[Variable] = &[Variable::block(
    "receipt",
    "The number of the receipt and the amount, a line each. Empty unless the payment is verified.",
    "Receipt: R-2025-0001\nAmount: ₹5,000",
)];

const CATEGORY_OF_PAYMENT: &[Variable] =
    &[Variable::new("category", "The category of the registration.", "20th Velicham Delegate")];

const REASON: &[Variable] = &[Variable::new("reason", "Why the payment is rejected.", "₹1,000 is missing").required()];

/// A mail that goes to the sender of a submission.
const fn to_sender(key: &'static str, name: &'static str, when: &'static str) -> Template {
    Template { key, kind: key, name, when, to: "The sender", subject: "", text: "", variables: &[], fixed: None }
}

/// A mail about a submission that goes to the organisers.
const fn to_organisers(key: &'static str, name: &'static str, when: &'static str) -> Template {
    Template { to: "The recipients of notifications (settings, Contact)", ..to_sender(key, name, when) }
}

pub(crate) static FILM_RECEIPT: Template = Template {
    subject: "{{short_name}} {{year}}: your film {{title}} has arrived ({{reference}})",
    text: include_str!("../../templates/receipt-film.txt"),
    variables: &[SENDER, RECEIVED, FILM, ENTRY, FESTIVAL],
    ..to_sender("film-receipt", "Receipt for a film", "When a film was received.")
};

pub(crate) static FILM_NOTE: Template = Template {
    subject: "New film {{reference}}: {{title}}",
    text: include_str!("../../templates/note-film.txt"),
    variables: &[SENDER, RECEIVED, FILM, LINK, FESTIVAL],
    ..to_organisers("film-note", "Notice of a film", "When a film was received.")
};

pub(crate) static DELEGATE_RECEIPT: Template = Template {
    subject: "{{short_name}} {{year}}: your registration has arrived ({{reference}})",
    text: include_str!("../../templates/receipt-delegate.txt"),
    variables: &[SENDER, RECEIVED, CATEGORY, ENTRY, FESTIVAL],
    ..to_sender("delegate-receipt", "Receipt for a registration", "When a registration was received.")
};

pub(crate) static DELEGATE_NOTE: Template = Template {
    subject: "New registration {{reference}}: {{title}}",
    text: include_str!("../../templates/note-delegate.txt"),
    variables: &[SENDER, RECEIVED, CATEGORY, LINK, FESTIVAL],
    ..to_organisers("delegate-note", "Notice of a registration", "When a registration was received.")
};

pub(crate) static CONTACT_RECEIPT: Template = Template {
    subject: "{{short_name}} {{year}}: your message has arrived ({{reference}})",
    text: include_str!("../../templates/receipt-contact.txt"),
    // Not the message: entering another person's address must not be a way to send that person a text.
    variables: &[SENDER, RECEIVED, FESTIVAL],
    ..to_sender("contact-receipt", "Receipt for a message", "When a message of the contact form was received.")
};

pub(crate) static CONTACT_NOTE: Template = Template {
    subject: "New message {{reference}}: {{sender}}",
    text: include_str!("../../templates/note-contact.txt"),
    variables: &[SENDER, RECEIVED, MESSAGE, LINK, FESTIVAL],
    ..to_organisers("contact-note", "Notice of a message", "When a message of the contact form was received.")
};

/// Informs a sender that the payment is rejected.
pub(crate) static PAYMENT_REJECTED: Template = Template {
    subject: "{{short_name}} {{year}}: your payment could not be accepted ({{reference}})",
    text: include_str!("../../templates/payment-rejected.txt"),
    variables: &[SENDER, REASON, PAYMENT, FESTIVAL],
    ..to_sender(
        "payment-rejected",
        "Payment rejected",
        "When an organiser rejects a payment and ticks that the sender is told.",
    )
};

/// Informs a sender that the payment was not found.
pub(crate) static PAYMENT_NOT_FOUND: Template = Template {
    subject: "{{short_name}} {{year}}: we have not found your payment ({{reference}})",
    text: include_str!("../../templates/payment-not-found.txt"),
    variables: &[SENDER, PAYMENT, FESTIVAL],
    ..to_sender(
        "payment-not-found",
        "Payment not found",
        "When a payment stays unchecked and an organiser ticks that the sender is told.",
    )
};

/// Informs a sender that the payment was received.
pub(crate) static PAYMENT_RECEIVED: Template = Template {
    subject: "{{short_name}} {{year}}: we have received your payment ({{reference}})",
    text: include_str!("../../templates/payment-received.txt"),
    variables: &[SENDER, PAYMENT, PAYMENT_RECEIPT, FESTIVAL],
    ..to_sender(
        "payment-received",
        "Payment received",
        "When an organiser verifies a payment, or a bank statement does, and the organiser ticks that the sender is told.",
    )
};

/// Informs a delegate that the registration is confirmed.
pub(crate) static REGISTRATION_CONFIRMED: Template = Template {
    subject: "{{short_name}} {{year}}: your registration is confirmed ({{reference}})",
    text: include_str!("../../templates/registration-confirmed.txt"),
    variables: &[SENDER, CATEGORY_OF_PAYMENT, PAYMENT_RECEIPT, FESTIVAL],
    ..to_sender(
        "registration-confirmed",
        "Registration confirmed",
        "When an organiser confirms a registration and ticks that the sender is told.",
    )
};

/// An answer that an organiser wrote.
pub(crate) static ANSWER: Template = Template {
    kind: REPLY,
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
    ..to_sender("answer", "Answer to a message", "When an organiser answers a message on its page.")
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
        FESTIVAL_NAMES,
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
