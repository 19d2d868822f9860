/**
 * The visibility rule of teams, as an SQL condition on `apps AS app` and `members AS member`: in an organization that
 * has teams, members other than owners and admins see only the apps of their teams. Every statement that finds apps for
 * a caller includes it.
 */
export const withinTeams = `(
  member.role IN ('owner', 'admin')
  OR NOT EXISTS (SELECT FROM teams WHERE teams.organization_id = app.organization_id)
  OR EXISTS (SELECT FROM team_apps JOIN team_members ON team_members.team_id = team_apps.team_id
              WHERE team_apps.app_id = app.id AND team_members.member_id = member.id)
)`;
