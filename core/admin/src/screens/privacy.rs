//! All that is kept about one person: looked up by e-mail address, given out, erased. Addresses travel in forms, never in
//! the address of a page, so that they are in no log and no browser's history.

use std::fs::File;

use rocket::http::ContentType;
use serde_json::{Value, json};

use crate::audit::Entry;
use crate::input::Input;
use crate::privacy::{self, Erased, Held, PersonalFile};
use crate::reply::{Page, Reply};
use crate::request::AdminRequest;
use festival_base::blocking;
use festival_base::db::timestamp_text;
use festival_base::error::{Error, Result};
use festival_files::export::Archive;

/// Where a person is looked up.
pub(super) const HOME: &str = "/admin/privacy";
/// Things that a page lists by name.
const LISTED: usize = 100;

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(start(&request).await?.into())
}

/// The search, and what is erased by itself.
async fn start(request: &AdminRequest) -> Result<Page> {
    let keepers = &request.admin.contents.personal;
    let next = privacy::expire(&request.site, keepers, true).await?;
    let terms: Vec<_> = keepers.iter().flat_map(|keeper| keeper.terms(&request.site)).collect();
    let email = Input::new("email", "email", "E-mail address").hint("The one that it was sent with.").required();
    Ok(Reply::page("privacy", "Personal data")
        .inputs([email.value(request.form.get("email")).autocomplete("off")])
        .with("terms", terms)
        .with("next", rows(&next))
        .shows_nobody())
}

/// What was counted, and whether it goes or stays without the person.
fn rows(erased: &Erased) -> Vec<Value> {
    let gone = erased.counts.iter().map(|(what, count)| json!({ "what": what, "count": count, "stays": false }));
    let stays = erased.stays.iter().map(|(what, count)| json!({ "what": what, "count": count, "stays": true }));
    gone.chain(stays).collect()
}

/// The search again, where the address was none.
async fn refused(request: &AdminRequest, error: Error) -> Result<Reply> {
    Ok(start(request).await?.refused(error)?.into())
}

pub(super) async fn find(request: AdminRequest) -> Result<Reply> {
    let (keepers, email) = (&request.admin.contents.personal, request.form.get("email"));
    let (person, held) = match privacy::find(&request.site, keepers, email).await {
        Ok(found) => found,
        Err(error) => return refused(&request, error).await,
    };
    let would = privacy::rehearse(&request.site, keepers, email).await?;
    let listed: Vec<Value> = held.iter().take(LISTED).map(label).collect();
    Ok(Reply::page("privacy-person", "What is kept about this person")
        .crumb("Personal data", HOME)
        .with("email", &person.email)
        .with("counts", rows(&would))
        .with("more", held.len() - listed.len())
        .with("held", listed)
        .shows_people(Entry::new("view", "person").after(json!({ "person": person.hash })))
        .into())
}

/// What a thing is called in a list.
fn label(held: &Held) -> Value {
    let text = |name: &str| held.record.get(name).and_then(Value::as_str).unwrap_or_default();
    let called = [text("reference"), text("subject")].into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    json!({ "kind": held.kind, "called": called, "files": held.files.len() })
}

pub(super) async fn export(request: AdminRequest) -> Result<Reply> {
    let keepers = &request.admin.contents.personal;
    let person = match privacy::export(&request.site, keepers, request.form.get("email")).await {
        Ok(Some(person)) => person,
        Ok(None) => return Ok(Reply::redirect(HOME).problem("Nothing is kept about this address.").into()),
        Err(error) => return refused(&request, error).await,
    };
    let entry = person.entry.clone();
    let file = archive(&request, person).await?;
    let name = format!("person-{}.zip", timestamp_text(request.now()).replace([':', '.'], "-"));
    Ok(Reply::written(name, ContentType::ZIP, file)?.shows_people(entry))
}

/// The folder of the command as an archive. What is missing in it is said in it.
async fn archive(request: &AdminRequest, person: PersonalFile) -> Result<File> {
    let site = &request.site;
    let now = request.now().to_zoned(site.time_zone.clone()).datetime();
    let mut archive = Archive::new(site.scratch()?);
    let mut missing = String::new();
    for (path, key) in person.files {
        let Ok((file, size)) = site.media.open_private(&key).await else {
            missing += &format!("{path}: the file is missing in the store ({key})\n");
            continue;
        };
        site.has_room(size).await?;
        let mut file = file.into_std().await;
        let (begun, wrong) = blocking(move || {
            let added = archive.add(&path, now, true, &mut file)?;
            Ok((archive, added.err().map(|error| format!("{path}: the file cannot be read: {error}\n"))))
        })
        .await?;
        archive = begun;
        missing.extend(wrong);
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
    let (keepers, email) = (&request.admin.contents.personal, request.form.get("email"));
    let would = match privacy::rehearse(&request.site, keepers, email).await {
        Ok(would) => would,
        Err(error) => return refused(&request, error).await,
    };
    Ok(Reply::page("privacy-erase", "Erase this person?")
        .crumb("Personal data", HOME)
        .with("email", email.trim())
        .with("counts", rows(&would))
        .inputs([Input::hidden("email", email.trim())])
        .shows_people(Entry::new("ask to erase", "person"))
        .into())
}

pub(super) async fn erase(request: AdminRequest) -> Result<Reply> {
    let (keepers, email) = (&request.admin.contents.personal, request.form.get("email"));
    let by = (Some(request.account()?.id), request.network.as_str());
    let erased = match privacy::erase(&request.site, keepers, email, by).await {
        Ok(erased) => erased,
        Err(error) => return refused(&request, error).await,
    };
    if erased.is_nothing() {
        return Ok(Reply::redirect(HOME).problem("Nothing is kept about this address.").into());
    }
    let counts: Vec<String> = erased.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    Ok(Reply::redirect(HOME).done(format!("Erased: {}.", counts.join(", "))).into())
}
