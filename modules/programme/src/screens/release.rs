//! The screen of a release: its changes, what prevents it, and the button that makes it.

use festival_core::admin::audit::Entry;
use festival_core::admin::role::CONTENT;
use festival_core::admin::{Action, AdminRequest, Input, Page, Reply};
use festival_core::entity::{Field, Kind};
use festival_core::{Error, Result, edition, time_text};
use serde_json::{Value, json};

use super::conflicts::groups;
use super::paths::{HOME, RELEASE};
use crate::feed;
use crate::release::{self, PastRelease, Preparation, Signature};

const NOTE: Field = Field::text("note", "Note").hint("What the release is about. Visitors do not see it.");
const SIGN: Field =
    Field::new("sign", "I answer for showing the films without certificate that are listed above", Kind::Flag);

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(release_page(&request).await?.into())
}

async fn release_page(request: &AdminRequest) -> Result<Page> {
    let mut connection = request.read().await?;
    let edition = edition::current(&mut connection).await?.id;
    let zone = &request.site.time_zone;
    let preparation = release::prepare(&mut connection, edition, request.now(), zone).await?;
    let past = release::past(&mut connection, edition).await?;
    drop(connection);
    let changes: Vec<Value> = preparation
        .changes
        .iter()
        .map(|change| {
            let sentence = feed::sentence(&preparation.next, change);
            json!({ "href": format!("/admin/screenings/{}", change.screening), "title": change.title, "text": sentence })
        })
        .collect();
    let release = |release: PastRelease| {
        json!({
            "number": release.number,
            "at": time_text::short(&release.released_at, zone),
            "by": release.released_by,
            "note": release.note,
            "signed_for": release.signed_for.as_ref().map(|films| films.replace('\n', ", ")),
        })
    };
    let past: Vec<Value> = past.into_iter().map(release).collect();
    Ok(page(request, &preparation).with("changes", changes).with("past", past))
}

fn page(request: &AdminRequest, preparation: &Preparation) -> Page {
    let is_owner = request.account().is_ok_and(|account| account.is_owner());
    let needs_signature = preparation.uncertified().next().is_some();
    let mut inputs = vec![Input::hidden("fingerprint", &preparation.fingerprint)];
    inputs.push(Input::of(&NOTE, request.form.get(NOTE.name)));
    if needs_signature {
        inputs.push(Input::of(&SIGN, request.form.get(SIGN.name)));
    }
    Reply::page("programme-release", "Releases of the programme")
        .crumb("Plan of a day", HOME)
        .with("number", preparation.next.version)
        .with("is_first", preparation.previous.is_none())
        .with("is_different", preparation.is_different)
        .with("screenings", preparation.next.screenings.len())
        .with("groups", groups(&preparation.conflicts))
        .with("is_refused", preparation.refusals().next().is_some())
        .with("is_unsigned", needs_signature && !is_owner)
        .with("action", RELEASE)
        .with("may_edit", request.may(&CONTENT, Action::Edit))
        .inputs(inputs)
}

pub(super) async fn store(request: AdminRequest) -> Result<Reply> {
    match release_now(&request).await {
        Ok(number) => {
            let message = format!("Release {number} is on the site.");
            Ok(Reply::redirect(RELEASE).done(message).into())
        }
        Err(error) => Ok(release_page(&request).await?.refused(error)?.into()),
    }
}

async fn release_now(request: &AdminRequest) -> Result<i64> {
    let account = request.account()?;
    let mut write = request.write().await?;
    let edition = edition::current(&mut write).await?.id;
    release::lock(&mut write, edition).await?;
    let now = request.now();
    let preparation = release::prepare(&mut write, edition, now, &request.site.time_zone).await?;
    if request.form.get("fingerprint") != preparation.fingerprint {
        let message = "The programme changed since you opened this page. Look at the differences again.";
        return Err(Error::Conflict(message.into()));
    }
    let signature = Signature {
        by: &account.name,
        // Others are not offered the checkbox, and a tick of theirs does not count.
        signs: request.form.get(SIGN.name) == "yes" && account.is_owner(),
        note: request.form.get(NOTE.name),
    };
    let number = release::store(&mut write, edition, &preparation, &signature, now).await?;
    let entry = Entry::new("release", "programme").id(number).after(json!({
        "changes": preparation.changes.len(),
        "signed": signature.signs && preparation.uncertified().next().is_some(),
    }));
    request.commit(write, entry).await?;
    Ok(number)
}
