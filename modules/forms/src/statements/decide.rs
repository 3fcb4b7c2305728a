//! What people decide about lines: about one on its page, or about several in the list.

use festival_core::admin::collections::{self, Collection as _, RowAction, Versions};
use festival_core::admin::{self, AdminRequest, Input, Page, Reply, nothing_here};
use festival_core::db::{Order, Select, Test, Write};
use festival_core::entity::{Datum, trim};
use festival_core::{Error, FieldError, Result};
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::action::{ACCEPT, ACTIONS, Action, DISMISS, REJECT, TELL};
use super::claims;
use super::clues::fold;
use super::list::{HOME, LineList};
use super::queue::{Basis, DISMISSED, SEVERAL, is_open};
use super::store::{Ledger, verified_by};
use super::stored::{self, LINES, MatchState, StoredLine, Submitted};
use crate::review::payment_check::PaymentCheck;
use crate::role::PEOPLE;
use crate::submissions::SubmissionKind;

/// Maximum length of a reason, in characters.
const MAX_REASON: usize = 200;

/// Handles `GET /admin/statements/{id}`: a line, and the form that decides about it.
pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let select = LineList.select(&mut connection, &request.scope(), None).await?;
    let select = select.filter("t.id", Test::Is, Datum::Integer(id));
    let lines = stored::read(&mut connection, (&select, &Order::by("t.id")), (0, 1), None).await?;
    let line = lines.first().ok_or_else(nothing_here)?;
    let claim = |found: &stored::Match| {
        let (kind, id) = found.submission;
        json!({
            "value": format!("{kind}:{id}"),
            "href": SubmissionKind::find(kind).map(|kind| format!("{}/{id}", kind.list_path())),
            "reference": found.reference,
            "is_settled": found.state == MatchState::Settled,
        })
    };
    let claims = line.matches.iter().filter(|found| found.state != MatchState::Refused).map(claim);
    let may_edit = request.may(&PEOPLE, admin::Action::Edit);
    Ok(Reply::page("statement-line", line.title())
        .crumb("Bank statements", HOME)
        .lists_people(LINES, 1, json!({ "id": id }))
        .with("id", id)
        .with("version", version(&mut connection, id).await?)
        .with("narration", &line.line.narration)
        .with("number", &line.line.number)
        .with("label", line.queue.label)
        .with("reason", &line.reason)
        .with("claims", claims.collect::<Vec<_>>())
        .with("may_decide", may_edit && is_open(line.queue))
        .with("may_reopen", may_edit && line.queue == DISMISSED)
        .into())
}

async fn version(connection: &mut AnyConnection, id: i64) -> Result<String> {
    Ok(versions(connection, &[id]).await?.remove(&id).unwrap_or_default())
}

/// The versions of lines: where they wait, and why.
async fn versions(connection: &mut AnyConnection, ids: &[i64]) -> Result<Versions> {
    let (first, last) = (ids.first().copied().unwrap_or_default(), ids.last().copied().unwrap_or_default());
    let sql = "SELECT id, status || ' ' || reason FROM statement_lines WHERE id >= $1 AND id <= $2";
    let rows: Vec<(i64, String)> = sqlx::query_as(sql).bind(first).bind(last).fetch_all(connection).await?;
    Ok(rows.into_iter().filter(|(id, _)| ids.binary_search(id).is_ok()).collect())
}

/// Handles `POST selected`: the form of the list, of its confirmation, and of a line.
pub(super) async fn submit(request: AdminRequest) -> Result<Reply> {
    let Some(action) = ACTIONS.into_iter().find(|action| action.key == request.form.get("action")) else {
        let back = request.address(HOME, &[]);
        return Ok(Reply::redirect(back).problem("Choose first what to do.").into());
    };
    let reason = trim(request.form.get("reason")).chars().filter(|c| !c.is_control()).take(MAX_REASON).collect();
    collections::submit(&request, &LineList, &Decide { request: &request, action, reason }).await
}

/// A decision with its inputs.
struct Decide<'r> {
    request: &'r AdminRequest,
    action: Action,
    /// Why payments are rejected.
    reason: String,
}

impl Decide<'_> {
    /// Submissions that were ticked or typed on the page of a line, with their references; `None` for lines of the list.
    async fn chosen(&self, ledger: &Ledger<'_>, write: &mut Write) -> Result<Option<Vec<(Submitted, String)>>> {
        let form = &self.request.form;
        if form.get("is_page") != "yes" {
            return Ok(None);
        }
        let typed = fold(form.get("reference"));
        let ticked: Vec<&str> = form.all("claim").collect();
        let claims = claims::read(ledger.site, &ledger.settings, write, ledger.edition).await?;
        let is_chosen = |(kind, id): Submitted, reference: &str| {
            ticked.contains(&&*format!("{kind}:{id}")) || fold(reference) == typed
        };
        let chosen = claims.into_iter().filter(|claim| is_chosen(claim.submission, &claim.reference));
        let chosen: Vec<_> = chosen.map(|claim| (claim.submission, claim.reference)).collect();
        if !typed.is_empty() && !chosen.iter().any(|(_, reference)| fold(reference) == typed) {
            return Err(Error::BadRequest(format!("There is no submission {}.", form.get("reference"))));
        }
        Ok(Some(chosen))
    }

    /// Applies the decision to a line and these submissions.
    async fn decide(
        &self,
        (ledger, write): (&Ledger<'_>, &mut Write),
        line: &mut StoredLine,
        chosen: &[(Submitted, String)],
    ) -> Result<()> {
        let is_chosen = |submission: Submitted| chosen.iter().any(|(known, _)| *known == submission);
        if self.action == ACCEPT {
            let settled: Vec<Submitted> = line.matched(MatchState::Settled).collect();
            let new: Vec<_> = chosen.iter().filter(|(submission, _)| !settled.contains(submission)).collect();
            let decisions = new.iter().map(|(submission, _)| (*submission, verified_by(&line.line))).collect();
            for ((_, reference), (submission, checks)) in new.into_iter().zip(ledger.check(write, decisions).await?) {
                line.matches.retain(|found| found.submission != submission);
                line.add_match(submission, reference, (Basis::Person.key(), MatchState::Settled), checks);
            }
            let others = line.matches.iter_mut().filter(|found| !is_chosen(found.submission));
            others.for_each(|found| found.state = MatchState::Refused);
            stored::ACCEPTED.clone_into(&mut line.decision);
        } else if self.action == REJECT {
            let rejected = |before: &PaymentCheck| {
                let reason = self.reason.clone();
                PaymentCheck { state: "rejected", reason, ..before.clone() }
            };
            ledger.check(write, chosen.iter().map(|(submission, _)| (*submission, rejected)).collect()).await?;
            let refused = line.matches.iter_mut().filter(|found| is_chosen(found.submission));
            refused.for_each(|found| found.state = MatchState::Refused);
        } else {
            let is_dismissed = self.action == DISMISS;
            let event = format!("No payment of this: {}", line.event_text());
            let matched = line.matches.iter().filter(|_| is_dismissed);
            ledger.record(write, matched.map(|found| (found.submission, event.clone())).collect()).await?;
            line.matches.retain(|found| found.state == MatchState::Settled);
            line.decision = if is_dismissed { stored::DISMISSED.to_owned() } else { String::new() };
        }
        Ok(())
    }
}

#[rocket::async_trait]
impl RowAction<LineList> for Decide<'_> {
    async fn versions(&self, connection: &mut AnyConnection, ids: &[i64]) -> Result<Versions> {
        versions(connection, ids).await
    }

    async fn lock(&self, write: &mut Write, ids: &[i64]) -> Result<()> {
        let sql = "UPDATE statement_lines SET decision = decision WHERE id >= $1 AND id <= $2";
        let (first, last) = (ids.first().copied().unwrap_or_default(), ids.last().copied().unwrap_or_default());
        sqlx::query(sql).bind(first).bind(last).execute(&mut **write).await?;
        Ok(())
    }

    fn check(&self) -> Result<()> {
        match self.action == REJECT && self.reason.is_empty() {
            true => Err(Error::Invalid(vec![FieldError::new("reason", "Write why the payments are rejected.")])),
            false => Ok(()),
        }
    }

    async fn confirmation(
        &self,
        _: &mut AnyConnection,
        _: &Select,
        lines: &[StoredLine],
        count: usize,
    ) -> Result<Page> {
        let noun = if count == 1 { "line" } else { "lines" };
        let hidden = ["action", "is_page", "claim", "reference"];
        let kept = hidden.iter().flat_map(|name| self.request.form.all(name).map(|value| Input::hidden(*name, value)));
        let mut inputs: Vec<Input> = kept.collect();
        if self.action.is_about_submissions {
            let tell = Input::new("flag", TELL, "Tell the senders by mail").value(self.request.form.get(TELL));
            inputs.push(tell.hint("The mails go out at once."));
        }
        if self.action == REJECT {
            inputs.push(Input::text("reason", "Why it is rejected").value(&self.reason).required());
        }
        Ok(Reply::page("selected", format!("{}: {count} {noun}", self.action.label))
            .inputs(inputs)
            .lists_people(LINES, lines.len(), json!({ "action": self.action.key, "selected": count }))
            .with("counts", Vec::<Value>::new())
            .with("preview", Value::Null)
            .with("may_preview", false)
            .with("message", self.action.consequence())
            .with("button", self.action.label)
            .with("danger", self.action == REJECT))
    }

    async fn apply(&self, mut write: Write, _: &Select, versions: &Versions) -> Result<Reply> {
        let request = self.request;
        let (ledger, _) = Ledger::of_request(request, &mut write).await?;
        let back = Reply::redirect(request.address(HOME, &[]));
        let ticked = match self.chosen(&ledger, &mut write).await {
            Err(Error::BadRequest(sentence)) => return Ok(back.problem(sentence).into()),
            chosen => chosen?,
        };
        let needs_submissions = self.action.is_about_submissions;
        if needs_submissions && ticked.as_ref().is_some_and(Vec::is_empty) {
            return Ok(back.problem("Tick the submissions, or write a reference.").into());
        }
        let mut lines = stored::lines(&mut write, ledger.edition).await?;
        let chosen_lines = lines.iter().filter(|line| versions.contains_key(&line.id));
        let named = chosen_lines.flat_map(|line| &line.matches).map(|found| found.submission);
        let typed = ticked.iter().flatten().map(|(submission, _)| *submission);
        ledger.lock(&mut write, &named.chain(typed).collect::<Vec<_>>()).await?;
        let mut decided = Vec::new();
        for line in lines.iter_mut().filter(|line| versions.contains_key(&line.id)) {
            let named = line.matches.iter().filter(|found| found.state != MatchState::Refused);
            let named: Vec<_> = named.map(|found| (found.submission, found.reference.clone())).collect();
            let is_clear = named.len() == 1 || line.queue == SEVERAL;
            let chosen = ticked.as_ref().unwrap_or(&named);
            if !needs_submissions || ticked.is_some() || is_clear {
                self.decide((&ledger, &mut write), line, chosen).await?;
                decided.push(&*line);
            }
        }
        let (count, left) = (decided.len(), versions.len() - decided.len());
        ledger.decided(&mut write, &decided, self.action.key).await?;
        write.commit().await?;
        let noun = if count == 1 { "line" } else { "lines" };
        let left = if left == 0 { String::new() } else { format!(" {left} stayed as they were.") };
        Ok(back.done(format!("{}: {count} {noun}.{left}", self.action.label)).into())
    }
}
