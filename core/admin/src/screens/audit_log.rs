//! The list of the audit log.

use serde_json::{Value, json};

use crate::account;
use crate::audit::{self, AuditRow, Filter};
use crate::input::Choice;
use crate::pager::Pager;
use crate::reply::Reply;
use crate::request::AdminRequest;
use festival_base::db::timestamp_text;
use festival_base::error::Result;
use festival_base::time_text;
use festival_web::site::Site;

/// Rows per page.
const PAGE_SIZE: usize = 100;

pub(super) async fn list(request: AdminRequest) -> Result<Reply> {
    let query = &request.query;
    let pager = Pager::new(&request, PAGE_SIZE);
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
    let links = pager.paginate(&request, &mut rows, |row| row.id);
    let (actions, objects) = audit::distinct_actions_and_objects(&mut connection).await?;
    let accounts = account::list(&mut connection).await?;
    let people: Vec<Choice> = accounts
        .iter()
        .map(|account| Choice::new(account.id.to_string(), &account.email, query.get("account")))
        .collect();
    let choices = |keys: Vec<String>, current: &str| -> Vec<Choice> {
        keys.iter().map(|key| Choice::new(key, key, current)).collect()
    };
    Ok(Reply::page("audit", "Audit log")
        .with("rows", rows.iter().map(|row| template_row(&request.site, row)).collect::<Vec<_>>())
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

/// Returns the start, as stored, of the day `days` after `text` in the festival's time zone; "" if `text` is no date.
fn day(site: &Site, text: &str, days: i64) -> String {
    let Ok(date) = text.parse::<jiff::civil::Date>() else { return String::new() };
    let date = date.saturating_add(jiff::Span::new().days(days));
    date.to_zoned(site.time_zone.clone()).map_or(String::new(), |zoned| timestamp_text(zoned.timestamp()))
}

fn template_row(site: &Site, row: &AuditRow) -> Value {
    json!({
        "at": time_text::short(&row.at, &site.time_zone),
        "who": row.email.as_deref().unwrap_or("not signed in"),
        "network": row.network,
        "action": row.action,
        "object": row.object,
        "object_id": row.object_id,
        "before": row.before_json,
        "after": row.after_json,
    })
}
