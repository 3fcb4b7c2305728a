//! The audit log: who did what, when, from where.

use serde_json::{Value, json};

use crate::account;
use crate::audit::{self, Filter, Row};
use crate::pager::Pager;
use crate::reply::Reply;
use crate::request::AdminRequest;
use festival_base::db::timestamp_text;
use festival_base::error::Result;
use festival_base::time_text;
use festival_web::site::Site;

/// Rows of a page.
const PAGE: usize = 100;

pub(super) async fn list(request: AdminRequest) -> Result<Reply> {
    let query = &request.query;
    let pager = Pager::of(&request, PAGE);
    let number = |name: &str| query.get(name).parse::<i64>().unwrap_or(0);
    let filter = Filter {
        account_id: number("account"),
        action: query.get("action").to_owned(),
        object: query.get("object").to_owned(),
        object_id: number("id"),
        from: day(&request.site, query.get("from"), 0),
        until: day(&request.site, query.get("until"), 1),
        before_id: pager.before,
    };
    let mut connection = request.read().await?;
    let mut rows = audit::list(&mut connection, &filter, pager.limit()).await?;
    let links = pager.cut(&request, &mut rows, |row| row.id);
    let (actions, objects) = audit::distinct_actions_and_objects(&mut connection).await?;
    let accounts = account::list(&mut connection).await?;
    let chosen =
        |key: &str, label: &str, present: &str| json!({ "key": key, "label": label, "chosen": key == present });
    let people: Vec<Value> =
        accounts.iter().map(|account| chosen(&account.id.to_string(), &account.email, query.get("account"))).collect();
    let choices = |all: Vec<String>, present: &str| -> Vec<Value> {
        all.iter().map(|word| chosen(word, word, present)).collect()
    };
    Ok(Reply::page("audit", "Audit log")
        .with("rows", rows.iter().map(|row| shown(&request.site, row)).collect::<Vec<_>>())
        .with("people", people)
        .with("actions", choices(actions, query.get("action")))
        .with("objects", choices(objects, query.get("object")))
        .with("id", query.get("id"))
        .with("from", query.get("from"))
        .with("until", query.get("until"))
        .with("newest", links.newest)
        .with("older", links.older)
        .into())
}

/// The beginning of a day at the festival, `days` later; nothing where nothing is said.
fn day(site: &Site, text: &str, days: i64) -> String {
    let Ok(date) = text.parse::<jiff::civil::Date>() else { return String::new() };
    let date = date.saturating_add(jiff::Span::new().days(days));
    date.to_zoned(site.time_zone.clone()).map_or(String::new(), |zoned| timestamp_text(zoned.timestamp()))
}

fn shown(site: &Site, row: &Row) -> Value {
    json!({
        "at": time_text::short(&row.at, &site.time_zone),
        "who": row.email.as_deref().unwrap_or("nobody signed in"),
        "network": row.network,
        "action": row.action,
        "object": row.object,
        "object_id": row.object_id,
        "before": row.before_json,
        "after": row.after_json,
    })
}
