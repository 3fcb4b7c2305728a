//! The team of an edition, in groups by role.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::{RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The roles in the order of the page: what is stored, and the group's heading.
const ROLES: &[(&str, &str)] = &[
    ("chief-patrons", "Chief Patrons"),
    ("chairman", "Chairman"),
    ("festival-directors", "Festival Directors"),
    ("artistic-director", "Artistic Director"),
    ("executive-director", "Executive Director"),
    ("treasurer", "Treasurer"),
    ("members", "Members"),
];

/// What organisers edit about a member of the team.
pub const TEAM_MEMBER: Entity = Entity {
    table: "team_members",
    singular: "team member",
    plural: "team members",
    fields: &[
        Field::new("role", "Role", Kind::Choice(ROLES)).required(),
        Field::text("name", "Name").required(),
        Field::text("note", "Note"),
        Field::image("portrait", "Portrait"),
        Field::position(),
        Field::published(),
    ],
    key: &["role", "name"],
    per_edition: true,
};

/// The members who share a role.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "festivals.ts")]
pub(crate) struct TeamGroup {
    /// The group's heading: "Festival Directors".
    group: &'static str,
    members: Vec<TeamMember>,
}

/// A member of the team as the API says it.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "festivals.ts")]
pub(crate) struct TeamMember {
    #[ts(type = "number")]
    id: i64,
    name: String,
    /// Who this is in other respects.
    note: Option<String>,
    /// Address of the portrait.
    portrait: Option<String>,
}

#[derive(FromRow)]
struct Row {
    id: i64,
    role: String,
    name: String,
    note: Option<String>,
    portrait: Option<String>,
}

pub(crate) async fn list_team(request: RequestContext) -> Result<Vec<TeamGroup>> {
    let edition = request.edition_id().await?;
    let mut connection = request.read().await?;
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT id, role, name, note, portrait FROM team_members \
         WHERE edition_id = $1 AND is_published = 1 ORDER BY position, id",
    )
    .bind(edition)
    .fetch_all(&mut *connection)
    .await?;
    let mut groups: Vec<TeamGroup> =
        ROLES.iter().map(|(_, heading)| TeamGroup { group: heading, members: Vec::new() }).collect();
    for row in rows {
        let Some(place) = ROLES.iter().position(|(role, _)| *role == row.role) else { continue };
        let portrait = request.media_url(row.portrait);
        groups[place].members.push(TeamMember { id: row.id, name: row.name, note: row.note, portrait });
    }
    groups.retain(|group| !group.members.is_empty());
    Ok(groups)
}
