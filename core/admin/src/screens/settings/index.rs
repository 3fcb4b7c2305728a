//! The list of settings groups, with the last change of each.

use serde_json::{Value, json};

use crate::back_office::AdminRequest;
use crate::browser_settings::latest;
use crate::identity::role::{Action, CONTENT, SETTINGS};
use crate::screens::mail_texts;
use crate::serving::reply::Reply;
use festival_base::error::Result;
use festival_base::settings;
use festival_base::time_text;
use festival_records::edition;

pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    let zone = &request.site.time_zone;
    let mut connection = request.read().await?;
    let changed = settings::load_overrides(&mut connection).await?;
    let latest = latest(&mut connection).await?;
    let mut groups: Vec<Value> = Vec::new();
    if request.may(&CONTENT, Action::View)
        && let Some(edition) = edition::find_current(&mut connection).await?
    {
        groups.push(json!({
            "href": format!("/admin/editions/{}", edition.id),
            "label": "Dates of the festival",
            "lead": "First and last day, year and name. They are part of the edition.",
            "state": edition::dates_text(&edition.starts_on, &edition.ends_on),
            "last": "",
        }));
    }
    let mails = &request.admin.contents.mails;
    if request.may(&SETTINGS, Action::View) {
        let count =
            mails.iter().filter(|mail| mail.group.items.iter().any(|item| changed.contains_key(item.path()))).count();
        groups.push(json!({
            "href": mail_texts::HOME,
            "label": mail_texts::LABEL,
            "lead": "Subject and text of every mail that the site sends.",
            "state": match count {
                0 => format!("{} mails, with their original texts", mails.len()),
                _ => format!("{count} of {} mails changed", mails.len()),
            },
            "last": "",
        }));
    }
    for group in request.admin.contents.settings.iter().filter(|group| request.may(group.resource, Action::View)) {
        let count = group.items.iter().filter(|item| changed.contains_key(item.path())).count();
        let last = latest.iter().find(|(key, _, _)| key == group.key);
        groups.push(json!({
            "href": group.path(),
            "label": group.label,
            "lead": group.lead,
            "state": match count {
                0 => "as in the settings file".to_owned(),
                1 => "1 setting differs from the file".to_owned(),
                _ => format!("{count} settings differ from the file"),
            },
            "last": last.map_or(String::new(), |(_, who, at)| format!("Changed by {who}, {}", time_text::short(at, zone))),
        }));
    }
    Ok(Reply::page("settings", "Settings").with("groups", groups).into())
}
