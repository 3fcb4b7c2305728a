//! An account's view of a list: its saved filters, those that others share, and the chosen columns.

use rocket::http::Method;
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::Column;
use crate::back_office::{AdminRequest, Screen};
use crate::serving::reply::Reply;
use crate::serving::request::nothing_here;
use festival_base::db::timestamp_text;
use festival_base::error::{Error, Result};

/// The address that the forms of a list are sent to.
pub(crate) const PATH: &str = "/admin/list-views";
/// Query parameters that belong to a page of a list rather than to its filter.
const OF_A_PAGE: [&str; 3] = ["p", "page", "all"];
/// Maximum length of a filter's name, in characters.
const MAX_NAME: usize = 60;
/// Maximum length of a filter's query, in bytes.
const MAX_QUERY: usize = 2_000;
/// Maximum number of filters of an account for a list.
const MAX_SAVED: i64 = 50;

/// A filter of an account, or without a name its columns.
#[derive(sqlx::FromRow)]
struct StoredFilter {
    id: i64,
    account_id: i64,
    name: String,
    content: String,
    is_shared: i64,
    by_name: String,
}

/// Reads the account's view of the list of this request: its filters, and the columns to choose from. Returns it with the
/// columns to show: that of the headings, which is the first of `all`, those that the account chose, else the usual ones,
/// and the fixed ones.
///
/// # Errors
/// If the database cannot be read.
pub(super) async fn read(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    all: &[Column],
) -> Result<(Value, Vec<Column>)> {
    let account = request.account()?;
    let list = request.path.clone();
    let rows: Vec<StoredFilter> = sqlx::query_as(
        "SELECT v.id, v.account_id, v.name, v.content, v.is_shared, a.name AS by_name FROM admin_list_views v \
         JOIN admin_accounts a ON a.id = v.account_id \
         WHERE v.list = $1 AND (v.account_id = $2 OR v.is_shared = 1) ORDER BY v.name, v.id",
    )
    .bind(list.clone())
    .bind(account.id)
    .fetch_all(connection)
    .await?;
    let query = filter_query(request.query.iter(), false);
    let offered = || all.iter().skip(1).filter(|column| !column.is_fixed);
    let mut saved = Vec::new();
    let mut chosen = None;
    for StoredFilter { id, account_id, name, content, is_shared, by_name } in rows {
        let is_own = account_id == account.id;
        if name.is_empty() {
            let keys = content.split(' ');
            chosen = Some(keys.filter_map(|key| offered().find(|column| column.key == key)).collect::<Vec<_>>());
            continue;
        }
        saved.push(json!({
            "id": id,
            "name": name,
            "href": format!("{list}?{content}"),
            "is_current": content == query,
            // Who shares it; "" for a filter of the account's own.
            "by": if is_own { "" } else { &by_name },
            "is_shared": is_shared == 1,
            "may_delete": is_own || account.is_owner(),
        }));
    }
    let is_chosen = chosen.is_some();
    let shown = chosen.unwrap_or_else(|| offered().filter(|column| column.is_usual).collect());
    // The place of a column, from 1; none if it is hidden.
    let place = |column: &Column| shown.iter().position(|shown| shown.key == column.key).map(|index| index + 1);
    let mut columns: Vec<&Column> = offered().collect();
    columns.sort_by_key(|column| place(column).unwrap_or(usize::MAX));
    let choice = |column: &Column| json!({ "key": column.key, "label": column.label, "place": place(column) });
    let view = json!({
        "action": PATH,
        // Whether the search of the present filter is left out of a saved one.
        "is_without_search": is_personal(request, &list) && request.query.iter().any(|(name, _)| name == "q"),
        "list": list,
        "query": query,
        "saved": saved,
        "columns": columns.into_iter().map(choice).collect::<Vec<_>>(),
        "is_chosen": is_chosen,
    });
    let fixed = all.iter().filter(|column| column.is_fixed);
    Ok((view, all.iter().take(1).chain(shown).chain(fixed).cloned().collect()))
}

/// Handles the forms of a list: saves or deletes a filter, or sets the columns.
pub(crate) async fn save(request: AdminRequest) -> Result<Reply> {
    let list = request.form.get("list").to_owned();
    // A list that the account may not open does not exist for it.
    list_screen(&request, &list).ok_or_else(nothing_here)?;
    let (name, query) = (request.form.get("name").trim().to_owned(), request.form.get("query"));
    let back = |query: &str| if query.is_empty() { list.clone() } else { format!("{list}?{query}") };
    let parsed: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let pairs = || parsed.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let present = filter_query(pairs(), false);
    let saved = filter_query(pairs(), is_personal(&request, &list));
    let (to, message) = match request.form.get("action") {
        "save" if name.is_empty() || name.chars().count() > MAX_NAME => {
            let message = format!("Enter a name of at most {MAX_NAME} characters for the filter.");
            return Ok(Reply::redirect(back(&present)).problem(message).into());
        }
        "save" if saved.is_empty() || saved.len() > MAX_QUERY => {
            return Ok(Reply::redirect(back(&present)).problem("There is no filter to save.").into());
        }
        "save" => {
            let is_shared = request.form.get("shared") == "yes";
            store(&request, &list, (&name, &saved), is_shared).await?;
            (back(&saved), format!("Filter “{name}” saved."))
        }
        "delete" => {
            let name = delete(&request, &list).await?;
            (back(&present), format!("Filter “{name}” deleted."))
        }
        "columns" => {
            let columns = columns(&request);
            if columns.is_empty() {
                return Ok(Reply::redirect(back(&present)).problem("Number at least one column.").into());
            }
            store(&request, &list, ("", &columns), false).await?;
            (back(&present), "Columns saved.".to_owned())
        }
        "default" => {
            let mut write = request.write_private().await?;
            sqlx::query("DELETE FROM admin_list_views WHERE list = $1 AND account_id = $2 AND name = ''")
                .bind(list.clone())
                .bind(request.account()?.id)
                .execute(&mut *write)
                .await?;
            write.commit().await?;
            (back(&present), "The list has its usual columns.".to_owned())
        }
        _ => return Err(Error::BadRequest("This form is incomplete. Open the list again.".into())),
    };
    Ok(Reply::redirect(to).done(message).into())
}

async fn store(request: &AdminRequest, list: &str, (name, content): (&str, &str), is_shared: bool) -> Result<()> {
    let account = request.account()?.id;
    let mut write = request.write_private().await?;
    // The columns have no name; a filter of the same name is replaced.
    let others: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM admin_list_views WHERE list = $1 AND account_id = $2 AND name <> '' AND name <> $3",
    )
    .bind(list.to_owned())
    .bind(account)
    .bind(name.to_owned())
    .fetch_one(&mut *write)
    .await?;
    if !name.is_empty() && others >= MAX_SAVED {
        return Err(Error::BadRequest(format!("This list has {MAX_SAVED} saved filters. Delete one first.")));
    }
    sqlx::query(
        "INSERT INTO admin_list_views (account_id, list, name, content, is_shared, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (list, account_id, name) \
         DO UPDATE SET content = excluded.content, is_shared = excluded.is_shared",
    )
    .bind(account)
    .bind(list.to_owned())
    .bind(name.to_owned())
    .bind(content.to_owned())
    .bind(i64::from(is_shared))
    .bind(timestamp_text(request.now()))
    .execute(&mut *write)
    .await?;
    write.commit().await
}

/// Deletes the filter that the form names, one of the account's own, or any shared one for an owner. Returns its name.
async fn delete(request: &AdminRequest, list: &str) -> Result<String> {
    let account = request.account()?;
    let id: i64 = request.form.get("filter").parse().map_err(|_| nothing_here())?;
    let mut write = request.write_private().await?;
    let name: Option<String> = sqlx::query_scalar(
        "DELETE FROM admin_list_views WHERE id = $1 AND list = $2 AND name <> '' \
         AND (account_id = $3 OR (is_shared = 1 AND $4 = 1)) RETURNING name",
    )
    .bind(id)
    .bind(list.to_owned())
    .bind(account.id)
    .bind(i64::from(account.is_owner()))
    .fetch_optional(&mut *write)
    .await?;
    write.commit().await?;
    name.ok_or_else(nothing_here)
}

/// The keys of the columns that have a number, in the order of the numbers. Unknown keys do no harm: a list ignores
/// them.
fn columns(request: &AdminRequest) -> String {
    let numbered = request.form.iter().filter_map(|(name, value)| {
        let key = name.strip_prefix("column.").filter(|key| !key.is_empty() && !key.contains(' '))?;
        Some((value.trim().parse::<u32>().ok()?, key))
    });
    let mut numbered: Vec<(u32, &str)> = numbered.take(100).collect();
    numbered.sort_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, key)| key).collect::<Vec<_>>().join(" ")
}

/// The query of a filter: without empty values and parameters of a page; on request also without the search.
fn filter_query<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>, without_search: bool) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs {
        let is_left_out = OF_A_PAGE.contains(&name) || without_search && name == "q";
        if !value.is_empty() && !is_left_out {
            query.append_pair(name, value);
        }
    }
    query.finish()
}

/// The list at `path`, if the account may open it.
fn list_screen<'r>(request: &'r AdminRequest, path: &str) -> Option<&'r Screen> {
    let account = request.account().ok();
    let screens = request.admin.contents.screens.iter().map(AsRef::as_ref);
    let mut lists = screens.filter(|screen| screen.method == Method::Get && screen.menu.is_some());
    lists.find(|screen| screen.path.for_openapi() == path && screen.permission.allows(account))
}

/// Whether a list holds personal data: a search in it may be somebody's name, which must not be stored.
fn is_personal(request: &AdminRequest, list: &str) -> bool {
    list_screen(request, list).is_none_or(|screen| screen.permission.is_personal())
}
