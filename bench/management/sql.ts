/**
 * The statements that Slipway sends for a channel and for a page of channels: who calls, what may they, the rows, their
 * number, and what is shown of them. Where Slipway's change, these do: `log_statement = 'all'` shows them.
 */

export const TOKEN = `
  SELECT id, user_id AS "userId", permissions, organization_ids AS "organizationIds", app_ids AS "appIds",
         expires_at AS "expiresAt", second_factor_at AS "secondFactorAt",
         coalesce(last_used_at < now() - $2::interval, true) AS stale
    FROM tokens
   WHERE (hash = $1 OR (previous_hash = $1 AND previous_expires_at > now()))
     AND (expires_at IS NULL OR expires_at > now())`;

export const ACCESS = `
  SELECT app.id, app.created_at, app.updated_at, app.organization_id, app.name, app.type, app.default_channel_id,
         app.channel_discovery_enabled, app.public_keys, app.custom_id_hashing, app.device_retention_days,
         app.next_build_number, app.last_build_number, member.id AS "memberId", member.role,
         member.organization_id AS "organizationId", organization.ip_allowlist, organization.country_allowlist,
         organization.two_factor_required,
         (SELECT account.two_factor_enabled FROM users AS account WHERE account.id = member.user_id) AS "totpEnabled",
         coalesce(member.last_seen_at < now() - interval '5 minutes', true) AS stale
    FROM apps AS app
    JOIN members AS member ON member.organization_id = app.organization_id AND member.user_id = $1
    JOIN organizations AS organization ON organization.id = app.organization_id
   WHERE app.id = $2
     AND (member.role IN ('owner', 'admin')
          OR NOT EXISTS (SELECT FROM teams WHERE teams.organization_id = app.organization_id)
          OR EXISTS (SELECT FROM team_apps JOIN team_members ON team_members.team_id = team_apps.team_id
                      WHERE team_apps.app_id = app.id AND team_members.member_id = member.id))`;

const COLUMNS = `
  id, created_at AS "createdAt", updated_at AS "updatedAt", app_id AS "appId", name, name_lower AS "nameLower",
  expires_at AS "expiresAt", paused_at AS "pausedAt", protected_at AS "protectedAt",
  required_approvals AS "requiredApprovals", freeze_windows AS "freezeWindows"`;

export const CHANNEL = `SELECT ${COLUMNS} FROM channels WHERE app_id = $1 AND id = $2 LIMIT 1`;

export const CHANNELS = `
  SELECT ${COLUMNS} FROM channels WHERE app_id = $1 ORDER BY name_lower ASC, id ASC LIMIT 50 OFFSET 0`;

export const COUNT = `SELECT count(1) AS cnt FROM channels WHERE app_id = $1`;

export const SUMMARIES = `
  SELECT channel.id,
         (SELECT id FROM deployments WHERE channel_id = channel.id AND approval_status = 'approved'
           ORDER BY sequence DESC LIMIT 1) AS "latestDeploymentId",
         (SELECT count(*)::int FROM deployments WHERE channel_id = channel.id) AS "totalDeployments",
         (SELECT count(*)::int FROM devices WHERE channel_id = channel.id) AS "totalDevices"
    FROM unnest($1::uuid[]) AS channel (id)`;
