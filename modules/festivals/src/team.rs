//! The team of an edition, in groups by role.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::{RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The roles in the order of the page: the stored value and the heading of the group.
const ROLES: &[(&str, &str)] = &[
    ("chief-patrons", "Chief Patrons"),
    ("chairman", "Chairman"),
    ("festival-directors", "Festival Directors"),
    ("artistic-director", "Artistic Director"),
    ("executive-director", "Executive Director"),
    ("treasurer", "Treasurer"),
    ("members", "Members"),
];

/// The fields of a team member that organisers edit.
pub const TEAM_MEMBER: Entity = Entity {
    table: "team_members",
    singular: "team member",
    plural: "team members",
    fields: &[
        Field::new("role", "Role", Kind::Choice(ROLES)).required(),
        Field::text("name", "Name").required(),
        Field::text("note", "Note"),
        Field::image("portrait", "Portrait"),
        Field::alt("portrait_alt", "Portrait: alternative text"),
        Field::position(),
        Field::published(),
    ],
    key: &["role", "name"],
    per_edition: true,
};

/// The team members with one role.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct TeamGroup {
    /// Heading of the group: "Festival Directors".
    group: &'static str,
    members: Vec<TeamMember>,
}

/// A team member in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct TeamMember {
    id: i64,
    name: String,
    /// Other functions of the member.
    note: Option<String>,
    /// Address of the portrait.
    portrait: Option<String>,
    /// Alternative text of the portrait.
    portrait_alt: Option<String>,
}

#[derive(FromRow)]
struct TeamRow {
    role: String,
    #[sqlx(flatten)]
    member: TeamMember,
}

/// `GET /team/`
pub(crate) async fn list_team(request: RequestContext) -> Result<Vec<TeamGroup>> {
    let rows: Vec<TeamRow> = request.published(&TEAM_MEMBER).await?;
    let mut groups: Vec<TeamGroup> =
        ROLES.iter().map(|(_, heading)| TeamGroup { group: heading, members: Vec::new() }).collect();
    for TeamRow { role, member } in rows {
        let Some(place) = ROLES.iter().position(|(known, _)| *known == role) else { continue };
        groups[place].members.push(member);
    }
    groups.retain(|group| !group.members.is_empty());
    Ok(groups)
}
