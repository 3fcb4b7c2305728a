//! A new link by mail, for those who lost theirs. The answer never tells who sent a form.

use festival_core::Result;
use festival_core::admin::{AdminRequest, Input, Page, Reply};
use festival_core::mail::{self, FESTIVAL_NAMES, Mailbox, Template, Values, Variable};
use jiff::SignedDuration;
use sqlx::AssertSqlSafe;

use super::links::{self, KINDS};

/// Submissions of one address that a mail has links to.
const MAX_LINKS: i64 = 20;
/// Mails of the site to one address in [`WINDOW`], receipts included, after which no link is sent.
const MAX_MAILS: usize = 3;
const WINDOW: SignedDuration = SignedDuration::from_mins(10);

/// The reply in every case.
const SENT: &str = "If something was sent to us with this address, a mail with the link is on its way to it. It can take a few \
                    minutes. Nothing comes? Then it was another address.";

const LINKS: &[Variable] = &[Variable::block(
    "links",
    "The links, each under the reference of what was sent.",
    "AS-2025-0001\nhttps://velicham.example/status?key=5f0c…",
)
.required()];

/// The mail.
pub(super) static LOST_LINK: Template = Template {
    key: "status-link",
    kind: "status-link",
    name: "New link to the status page",
    when: "When somebody who sent a film or a registration asks for a new link.",
    to: "The sender",
    subject: "{{short_name}}: your link",
    text: include_str!("../../templates/status-link.txt"),
    variables: &[FESTIVAL_NAMES, LINKS],
    fixed: None,
};

fn form(request: &AdminRequest) -> Page {
    let hint = "Reference of the receipt, such as AS-2025-0001. Without it you get a link to everything that you sent.";
    Reply::page("status-lost", "Where does it stand?")
        .with("sent", request.query.has("sent"))
        .with("said", SENT)
        .inputs([
            Input::new("email", "email", "Your e-mail address, as you sent it")
                .value(request.form.get("email"))
                .required()
                .autocomplete("email"),
            Input::text("reference", "Reference").hint(hint).value(request.form.get("reference")),
        ])
}

/// Handles `GET /status` without a secret.
pub(super) fn show(request: &AdminRequest) -> Reply {
    form(request).into()
}

/// Handles `POST /status/lost`.
pub(super) async fn send(request: AdminRequest) -> Result<Reply> {
    let email = request.form.get("email").trim().to_lowercase();
    if let Err(error) = request.count_attempt(&format!("status of {email}")).await {
        return Ok(form(&request).refused(error)?.into());
    }
    let reference = request.form.get("reference").trim().to_uppercase();
    if !email.is_empty() {
        enqueue(&request, &email, &reference).await?;
    }
    Ok(Reply::redirect(format!("{}?sent", links::PATH)).into())
}

/// Puts a mail with the links to the submissions of `email` into the outbox, or to one of them.
async fn enqueue(request: &AdminRequest, email: &str, reference: &str) -> Result<()> {
    let (site, now) = (&request.site, request.now());
    let settings = site.in_force().await?;
    let mut write = request.write_private().await?;
    let since = now.checked_sub(WINDOW).unwrap_or(now);
    let is_flooded = mail::count_recent(&mut write, email, since).await? >= MAX_MAILS;
    let mut lines = Vec::new();
    let mut to = String::new();
    for kind in KINDS.into_iter().filter(|_| !is_flooded) {
        let sql = format!(
            "SELECT id, reference, {email} FROM {table} WHERE lower({email}) = $1 AND ($2 = '' OR reference = $2) \
             AND is_quarantined = 0 AND status <> 'erased' ORDER BY id DESC LIMIT {MAX_LINKS}",
            email = kind.email,
            table = kind.table
        );
        let rows: Vec<(i64, String, String)> =
            sqlx::query_as(AssertSqlSafe(sql)).bind(email).bind(reference).fetch_all(&mut *write).await?;
        for (id, reference, address) in rows {
            let link = links::create(&mut write, now, kind, id, &request.base_url).await?;
            lines.push(format!("{reference}\n{link}"));
            to = address;
        }
    }
    if lines.is_empty() {
        return write.rollback().await;
    }
    let product = &settings.product;
    let values = Values::from([
        ("festival", product.full_name.clone()),
        ("short_name", product.name.clone()),
        ("links", lines.join("\n\n")),
    ]);
    mail::enqueue(&mut write, &LOST_LINK.message((&settings, &values), (Mailbox::new("", &to), None), now)?).await?;
    write.commit().await
}
