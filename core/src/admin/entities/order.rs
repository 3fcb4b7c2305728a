//! The order of rows on the page: their positions, side by side.

use serde_json::{Value, json};

use super::{capital, editor, home, list, shown};
use crate::admin::audit::Entry;
use crate::admin::reply::Reply;
use crate::admin::visit::Visit;
use crate::editing::{self, Action as Done};
use crate::entity::{Datum, Entity, table};
use crate::error::{Error, Result};

/// The most rows that are ordered at once; more are ordered filter by filter.
const MOST: i64 = 500;

pub(super) async fn show(visit: Visit, entity: &'static Entity) -> Result<Reply> {
    let mut connection = visit.read().await?;
    let mut asked = list::asked(&visit, &mut connection, entity).await?;
    asked.listing.limit = MOST;
    asked.listing.offset = 0;
    asked.listing.sort = None;
    let found = table::list(&mut connection, visit.app.db.backend(), entity, &asked.listing).await?;
    let zone = &visit.app.time_zone;
    let rows: Vec<Value> = found
        .rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let title = shown::title(entity, row, zone);
            json!({ "id": row.id, "title": title, "picture": shown::picture(entity, row), "position": (index + 1) * 10 })
        })
        .collect();
    let too_many = found.total > MOST;
    Ok(Reply::page("entity-order", format!("Order of {}", entity.plural))
        .crumb(capital(entity.plural), home(entity))
        .with("action", format!("{}/order", home(entity)))
        .with("back", home(entity))
        .with("plural", entity.plural)
        .with("rows", if too_many { Vec::new() } else { rows })
        .with("too_many", too_many)
        .with("most", MOST)
        .into())
}

pub(super) async fn change(visit: Visit, entity: &'static Entity) -> Result<Reply> {
    let Some(field) = entity.field("position") else {
        return Err(Error::BadRequest(format!("{} have no order of their own.", capital(entity.plural))));
    };
    let editor = editor(&visit)?;
    let mut write = visit.write().await?;
    let mut moved = 0;
    for (name, value) in visit.form.iter() {
        let Some(id) = name.strip_prefix("position-").and_then(|id| id.parse::<i64>().ok()) else { continue };
        let position = value.trim().parse::<i64>().ok().filter(|position| (0..=1_000_000).contains(position));
        let position = position.ok_or_else(|| Error::BadRequest(format!("{}.", field.wrong(value))))?;
        let what = (id, field, Datum::Integer(position));
        match editing::set(&visit.app, &mut write, entity, what, (Done::Changed, &editor)).await {
            Ok(true) => moved += 1,
            Ok(false) | Err(Error::NotFound(_)) => {} // As it was, or deleted meanwhile.
            Err(error) => return Err(error),
        }
    }
    if moved > 0 {
        visit.audit(&mut write, Entry::new("order", entity.table).after(json!({ "rows": moved }))).await?;
        write.commit().await?;
    }
    Ok(Reply::redirect(home(entity)).done(format!("The {} are in order.", entity.plural)).into())
}
