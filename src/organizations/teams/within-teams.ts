/**
 * The rule of teams, as an SQL condition on the tables `apps AS app` and `members AS member`: as soon as an organization
 * has a team, members other than owners and admins see only the apps of their teams. Whoever finds apps for a caller
 * adds it to the statement.
 */
export const withinTeams = `(
  member.role IN ('owner', 'admin')
  OR NOT EXISTS (SELECT FROM teams WHERE teams.organization_id = app.organization_id)
  OR EXISTS (SELECT FROM team_apps JOIN team_members ON team_members.team_id = team_apps.team_id
              WHERE team_apps.app_id = app.id AND team_members.member_id = member.id)
)`;
