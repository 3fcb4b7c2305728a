//! Personal data of one person: found by e-mail address, exported, erased. E-mail addresses are sent in forms, never in
//! URLs, so that they appear in no log and no browser history.

use std::fs::File;

use rocket::http::ContentType;
use serde_json::{Value, json};

use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::privacy::{self, Erased, PersonalExport, PersonalRecord};
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use festival_base::blocking;
use festival_base::db::timestamp_text;
use festival_base::error::{Error, Result};
use festival_files::export::Archive;

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

pub(super) async fn export(request: AdminRequest) -> Result<Reply> {
    let holders = &request.admin.contents.personal;
    let person = match privacy::export(&request.site, holders, request.form.get("email")).await {
        Ok(Some(person)) => person,
        Ok(None) => return Ok(Reply::redirect(HOME).problem("There is no data about this address.").into()),
        Err(error) => return refused(&request, error).await,
    };
    let entry = person.entry.clone();
    let file = archive(&request, person).await?;
    let name = format!("person-{}.zip", timestamp_text(request.now()).replace([':', '.'], "-"));
    Ok(Reply::written(name, ContentType::ZIP, file)?.shows_people(entry))
}

/// Returns the export as a ZIP archive. Files that cannot be read are listed in `missing.txt`.
async fn archive(request: &AdminRequest, person: PersonalExport) -> Result<File> {
    let site = &request.site;
    let now = request.now().to_zoned(site.time_zone.clone()).datetime();
    let mut archive = Archive::new(site.scratch()?);
    let mut missing = String::new();
    for (path, key) in person.files {
        let file = match site.media.open_private(&key).await {
            Err(Error::NotFound(_)) => {
                missing += &format!("{path}: the file is missing in the store ({key})\n");
                continue;
            }
            opened => opened?,
        };
        site.has_room(file.length()).await?;
        let mut file = file.local().await?;
        let (returned, failure) = blocking(move || {
            let added = archive.add(&path, now, true, &mut file)?;
            Ok((archive, added.err().map(|error| format!("{path}: the file cannot be read: {error}\n"))))
        })
        .await?;
        archive = returned;
        missing.extend(failure);
    }
    blocking(move || {
        archive.add("person.json", now, true, &mut person.json.as_bytes())?.map_err(Error::from)?;
        if !missing.is_empty() {
            archive.add("missing.txt", now, true, &mut missing.as_bytes())?.map_err(Error::from)?;
        }
        archive.finish()
    })
    .await
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
