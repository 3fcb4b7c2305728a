//! The list of the audit log.

use std::collections::BTreeSet;

use rocket::http::Method;
use serde_json::{Map, Value, json};

use crate::audit::{self, AuditRow, COMMAND_LINE, Filter};
use crate::back_office::AdminRequest;
use crate::collections::Pager;
use crate::identity::account;
use crate::serving::input::Choice;
use crate::serving::reply::Reply;
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
    let accounts = account::list(&mut connection, &request.admin.contents.roles).await?;
    let people: Vec<Choice> = accounts
        .iter()
        .map(|account| Choice::new(account.id.to_string(), &account.email, query.get("account")))
        .collect();
    let choices = |keys: Vec<String>, current: &str| -> Vec<Choice> {
        keys.iter().map(|key| Choice::new(key, key, current)).collect()
    };
    Ok(Reply::page("audit", "Audit log")
        .with("rows", rows.iter().map(|row| template_row(&request, row)).collect::<Vec<_>>())
        .with("people", people)
        .with("actions", choices(actions, query.get("action")))
        .with("objects", choices(objects, query.get("object")))
        .with("id", query.get("id"))
        .with("from", query.get("from"))
        .with("until", query.get("until"))
        .paged(links)
        .into())
}

/// Returns the start, as stored, of the day `days` after `text` in the festival's time zone; "" if `text` is no date.
fn day(site: &Site, text: &str, days: i64) -> String {
    let Ok(date) = text.parse::<jiff::civil::Date>() else { return String::new() };
    let date = date.saturating_add(jiff::Span::new().days(days));
    date.to_zoned(site.time_zone.clone()).map_or(String::new(), |zoned| timestamp_text(zoned.timestamp()))
}

fn template_row(request: &AdminRequest, row: &AuditRow) -> Value {
    let site = &request.site;
    let (before, mut after) = (state(row.before_json.as_deref()), state(row.after_json.as_deref()));
    // The number of rows with their noun: "listed 12 delegates".
    let count = after.remove("rows").filter(|_| row.object_id.is_none()).and_then(|rows| rows.as_i64());
    if let Some(Value::Object(query)) = after.remove("query") {
        after.extend(flattened(query));
    }
    let session = SESSIONS.iter().find(|(action, _)| *action == row.action).map(|(_, past)| *past);
    let noun = noun(site, &row.object, count.map_or(row.object_id.is_some(), |count| count == 1));
    json!({
        "at": time_text::short(&row.at, &site.time_zone),
        "who": row.email.as_deref().unwrap_or(if row.network == COMMAND_LINE { "The command line" } else { "Somebody" }),
        "network": row.network,
        "action": session.map_or_else(|| past(&row.action), str::to_owned),
        "object": session.is_none().then(|| count.map_or(noun.clone(), |count| format!("{count} {noun}"))),
        "object_id": row.object_id.filter(|_| session.is_none()),
        "href": row.object_id.and_then(|id| address(request, &row.object, id)),
        "changes": changes(&before, &after),
    })
}

/// The address of a screen that shows an object, if there is one.
fn address(request: &AdminRequest, object: &str, id: i64) -> Option<String> {
    let object = object.replace('_', "-");
    let addresses = [format!("/admin/{object}/{id}"), format!("/admin/{object}s/{id}")];
    let has_screen = |address: &String| {
        let mut screens = request.admin.contents.screens.iter();
        screens.any(|screen| screen.method == Method::Get && screen.path.matches(address).is_some())
    };
    addresses.into_iter().find(has_screen)
}

/// Objects of the audit log whose names differ from those that people use, with their singular and plural.
const NOUNS: &[(&str, &str, &str)] = &[
    ("outbox", "mail", "mails"),
    ("quarantine", "submission in quarantine", "submissions in quarantine"),
    ("search", "result of a search", "results of a search"),
];

/// Returns the name of one object, or of several.
fn noun(site: &Site, object: &str, is_one: bool) -> String {
    let entity = site.records.enabled().find(|entity| entity.table == object);
    let known = entity.map(|entity| (entity.singular, entity.plural));
    let known = known.or_else(|| NOUNS.iter().find(|known| known.0 == object).map(|known| (known.1, known.2)));
    let name = object.replace(['_', '-'], " ");
    match known {
        Some((one, several)) => if is_one { one } else { several }.to_owned(),
        None => name.strip_suffix('s').filter(|_| is_one).unwrap_or(&name).to_owned(),
    }
}

/// The query of a list as one map, without unset parameters.
fn flattened(query: Map<String, Value>) -> Map<String, Value> {
    let mut flat = Map::new();
    for (name, value) in query {
        match value {
            Value::Object(inner) => flat.extend(flattened(inner)),
            Value::Bool(false) => {}
            value if value == json!(0) => {}
            value => {
                flat.insert(name, value);
            }
        }
    }
    flat
}

/// Parses a state from the audit log.
fn state(json: Option<&str>) -> Map<String, Value> {
    match json.and_then(|json| serde_json::from_str(json).ok()) {
        Some(Value::Object(state)) => state,
        Some(other) => Map::from_iter([(String::new(), other)]),
        None => Map::new(),
    }
}

/// Actions on one's own session, whose sentences name no object.
const SESSIONS: &[(&str, &str)] = &[
    ("sign in", "signed in"),
    ("sign out", "signed out"),
    ("sign out everywhere", "signed out everywhere"),
    ("sign in failed", "failed to sign in"),
    ("second factor failed", "failed at the second factor"),
    ("confirm password", "confirmed the password"),
    ("confirm password failed", "failed to confirm the password"),
];

/// Actions and verbs whose past tense does not end in "ed", or that are not followed by "of".
const PAST: &[(&str, &str)] = &[
    ("make current", "made current"),
    ("ask to erase", "asked to erase"),
    ("ask for link", "asked for a link for"),
    ("make", "made"),
    ("set", "set"),
    ("undo", "undid"),
    ("withdraw", "withdrew"),
    ("choose", "chose"),
    ("plan", "planned"),
    ("note", "noted"),
];

/// Returns an action in the past tense, so that the object may follow: "edited", "set status of".
fn past(action: &str) -> String {
    if let Some((_, past)) = PAST.iter().find(|(known, _)| *known == action) {
        return (*past).to_owned();
    }
    let (verb, rest) = action.split_once(' ').map_or((action, ""), |(verb, rest)| (verb, rest));
    let past = match PAST.iter().find(|(known, _)| *known == verb) {
        Some((_, past)) => (*past).to_owned(),
        None if verb.ends_with('e') => format!("{verb}d"),
        None => format!("{verb}ed"),
    };
    if rest.is_empty() { past } else { format!("{past} {rest} of") }
}

/// Returns what differs between two states, a line each: "role: editor → owner".
fn changes(before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<String> {
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    keys.into_iter()
        .filter(|key| before.get(*key) != after.get(*key))
        .filter(|key| before.contains_key(*key) || after.get(*key).is_none_or(|value| !is_empty(value)))
        .map(|key| {
            let label = if key.is_empty() { String::new() } else { format!("{}: ", key.replace('_', " ")) };
            match (before.get(key), after.get(key)) {
                (Some(before), Some(after)) => format!("{label}{} → {}", text(before), text(after)),
                (Some(before), None) => format!("{label}was {}", text(before)),
                (_, after) => format!("{label}{}", after.map(text).unwrap_or_default()),
            }
        })
        .collect()
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Null) || value.as_str().is_some_and(str::is_empty)
}

/// Returns a JSON value as text.
fn text(value: &Value) -> String {
    match value {
        Value::Bool(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::Null => "nothing".to_owned(),
        Value::String(text) if text.is_empty() => "nothing".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Object(values) => {
            let pairs = values.iter().map(|(key, value)| format!("{} {}", key.replace('_', " "), text(value)));
            pairs.collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{changes, flattened, past, state};

    #[test]
    fn actions_are_shown_in_the_past_tense() {
        for (action, expected) in [
            ("edit", "edited"),
            ("delete", "deleted"),
            ("set status", "set status of"),
            ("make current", "made current"),
            ("undo import", "undid import of"),
            ("check payment", "checked payment of"),
        ] {
            assert_eq!(past(action), expected);
        }
    }

    #[test]
    fn changes_are_shown_one_per_line() {
        let before = r#"{"role":"editor","name":"Asha","second_factor":true,"scope":["2025"]}"#;
        let after = r#"{"role":"owner","name":"","second_factor":false,"note":""}"#;
        let expected = ["name: Asha → nothing", "role: editor → owner", "scope: was 2025", "second factor: yes → no"];
        assert_eq!(changes(&state(Some(before)), &state(Some(after))), expected);
        assert!(changes(&state(None), &state(None)).is_empty());
    }

    #[test]
    fn queries_are_shown_without_unset_parameters() {
        let query =
            r#"{"page":2,"before":0,"filters":{"edition":"2025","payment":"unchecked","status":"","searched":false}}"#;
        let expected = ["edition: 2025", "page: 2", "payment: unchecked"];
        assert_eq!(changes(&state(None), &flattened(state(Some(query)))), expected);
    }
}
