//! Personal data of one person: found by e-mail address, exported, erased. E-mail addresses are sent in forms, never in
//! URLs, so that they appear in no log and no browser history.

use rocket::http::ContentType;
use serde_json::{Value, json};

use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::privacy::{self, ArchivedFile, Erased, PersonalExport, PersonalRecord, PrivateArchive};
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use festival_base::db::timestamp_text;
use festival_base::error::{Error, Result};

/// Path of the search.
pub(super) const HOME: &str = "/admin/privacy";
/// Maximum number of records that the page lists.
const MAX_LISTED: usize = 100;

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(start(&request).await?.into())
}

/// Returns the page with the search form, the retention periods and what the next retention run will erase.
async fn start(request: &AdminRequest) -> Result<Page> {
    let holders = &request.admin.contents.personal;
    let next = privacy::expire(&request.site, holders, true).await?;
    let periods: Vec<_> = holders.iter().flat_map(|holder| holder.retention_periods(&request.site)).collect();
    let email = Input::new("email", "email", "E-mail address")
        .hint("The address that the person used to write to the festival.")
        .required();
    Ok(Reply::page("privacy", "Personal data")
        .inputs([email.value(request.form.get("email")).autocomplete("off")])
        .with("periods", periods)
        .with("next", rows(&next))
        .shows_nobody())
}

/// Returns the counts for the template, and whether rows are erased or anonymised.
fn rows(erased: &Erased) -> Vec<Value> {
    let deleted =
        erased.counts.iter().map(|(what, count)| json!({ "what": what, "count": count, "anonymised": false }));
    let anonymised =
        erased.stays.iter().map(|(what, count)| json!({ "what": what, "count": count, "anonymised": true }));
    deleted.chain(anonymised).collect()
}

/// Returns the search form again with the message of `error`.
async fn refused(request: &AdminRequest, error: Error) -> Result<Reply> {
    Ok(start(request).await?.refused(error)?.into())
}

pub(super) async fn find(request: AdminRequest) -> Result<Reply> {
    let (holders, email) = (&request.admin.contents.personal, request.form.get("email"));
    let (person, records) = match privacy::find(&request.site, holders, email).await {
        Ok(result) => result,
        Err(error) => return refused(&request, error).await,
    };
    let preview = privacy::preview_erasure(&request.site, holders, email).await?;
    let listed: Vec<Value> = records.iter().take(MAX_LISTED).map(label).collect();
    Ok(Reply::page("privacy-person", "Data about this person")
        .crumb("Personal data", HOME)
        .with("email", &person.email)
        .with("counts", rows(&preview))
        .with("more", records.len() - listed.len())
        .with("records", listed)
        .shows_people(Entry::new("view", "person").after(json!({ "person": person.hash })))
        .into())
}

/// Returns a line of the list of records.
fn label(record: &PersonalRecord) -> Value {
    let text = |name: &str| record.record.get(name).and_then(Value::as_str).unwrap_or_default();
    let title = [text("reference"), text("subject")].into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    json!({ "kind": record.kind, "title": title, "files": record.files.len() })
}

/// Sends the export as a ZIP archive. Files that cannot be read are listed in `missing.txt`.
pub(super) async fn export(request: AdminRequest) -> Result<Reply> {
    let holders = &request.admin.contents.personal;
    let person = match privacy::export(&request.site, holders, request.form.get("email")).await {
        Ok(Some(person)) => person,
        Ok(None) => return Ok(Reply::redirect(HOME).problem("There is no data about this address.").into()),
        Err(error) => return refused(&request, error).await,
    };
    let PersonalExport { json, files, entry } = person;
    let at = request.now().to_zoned(request.site.time_zone.clone()).datetime();
    let mut archive = PrivateArchive::to_download(&request.site).await?;
    for (path, key) in &files {
        let file = ArchivedFile { path, key, size: None, compress: true, at };
        archive = archive.add(&request.site, file).await?;
    }
    let file = archive.add_text("person.json", at, json).await?.finish_with_problems(at).await?;
    let name = format!("person-{}.zip", timestamp_text(request.now()).replace([':', '.'], "-"));
    Ok(Reply::written(name, ContentType::ZIP, file)?.shows_people(entry))
}

pub(super) async fn ask_erase(request: AdminRequest) -> Result<Reply> {
    let (holders, email) = (&request.admin.contents.personal, request.form.get("email"));
    let preview = match privacy::preview_erasure(&request.site, holders, email).await {
        Ok(preview) => preview,
        Err(error) => return refused(&request, error).await,
    };
    Ok(Reply::page("privacy-erase", "Erase this person?")
        .crumb("Personal data", HOME)
        .with("email", email.trim())
        .with("counts", rows(&preview))
        .inputs([Input::hidden("email", email.trim())])
        .shows_people(Entry::new("ask to erase", "person"))
        .into())
}

pub(super) async fn erase(request: AdminRequest) -> Result<Reply> {
    let (holders, email) = (&request.admin.contents.personal, request.form.get("email"));
    let by = (Some(request.account()?.id), request.network.as_str());
    let erased = match privacy::erase(&request.site, holders, email, by).await {
        Ok(erased) => erased,
        Err(error) => return refused(&request, error).await,
    };
    if erased.is_nothing() {
        return Ok(Reply::redirect(HOME).problem("There is no data about this address.").into());
    }
    let counts: Vec<String> = erased.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    Ok(Reply::redirect(HOME).done(format!("Erased: {}.", counts.join(", "))).into())
}
