import type pg from 'pg';
import type { Api } from '../demo/api.ts';

/** Ids of devices that people ask about. */
export interface KnownDevices {
  /** Outside of the share of the newest release; of a person with three devices. */
  readonly outside: string;
  /** Its native version is too low. */
  readonly tooOld: string;
  /** Forced to the channel `beta`. */
  readonly forced: string;
}

interface Release {
  /** Of the bundle. */
  readonly id: string;
  readonly deploymentId: string;
}

const PHONE = '3f2a9c1e-77b0-4c1d-9c55-1f0f5b7e2a10';
const TABLET = 'a8f0c7d2-1f7e-4d5e-8a46-90cde4a7b2c1';
const SPARE = '5b0d8a34-6f0c-4c7e-b1f4-27d7f1f0aa93';
const OLD = 'd41c6f08-2d0b-4b6f-8f0f-4e0a6f4c9d77';
const TESTER = '77aa01f3-9a51-4f0d-9a58-c2f9a2f0b6de';

/** Writes devices that run the release before the newest one, each with another reason not to get that. */
export async function writeKnownDevices(
  client: pg.Client,
  api: Api,
  app: { readonly id: string; readonly channel: string; readonly beta: string },
  releases: readonly Release[],
): Promise<KnownDevices> {
  const [before, newest] = releases.slice(-2) as [Release, Release];
  const rows = [
    [PHONE, 4, '210', 1, 'customer-48213'],
    [TABLET, 900, '210', 0, 'customer-48213'],
    [SPARE, 4200, '210', 0, 'customer-48213'],
    [OLD, 2, '180', 0, 'customer-10377'],
    [TESTER, 9, '210', 0, 'qa-phone-2'],
  ] as const;
  for (const [id, minutes, version, platform, customId] of rows) {
    await client.query(
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            custom_id, country, requested_channel_names, channel_id, bundle_id, deployment_id,
                            offered_at, applied_at, last_seen_at, seen_days, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, '8.4.3', $7, 'DE', ARRAY['production'], $8, $9, $10, now() - interval '4 days',
               now() - interval '4 days', now() - $11 * interval '1 minute', 15, now() - interval '80 days')`,
      [
        app.id,
        id,
        platform,
        version,
        version === '180' ? '1.8.0' : '2.1.0',
        platform === 1 ? '18.1' : '34',
        customId,
        app.channel,
        before.id,
        before.deploymentId,
        minutes,
      ],
    );
  }
  await api.patch(`/v1/apps/${app.id}/devices/${TESTER}`, { forcedAppChannelId: app.beta });
  // Which of them are in the share depends on the id of the deployment.
  for (const id of [PHONE, TABLET]) {
    const path = `/v1/apps/${app.id}/devices/${id}/decision`;
    const { deployment } = await api.get<{ deployment: { id: string } | null }>(path);
    if (deployment?.id !== newest.deploymentId) return { outside: id, tooOld: OLD, forced: TESTER };
  }
  return { outside: SPARE, tooOld: OLD, forced: TESTER };
}
