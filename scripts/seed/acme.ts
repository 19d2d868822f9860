import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { generateApiToken, hashToken } from '../../src/common/access/api-token.ts';
import { builtPasswords } from '../../test/setup/built.ts';
import { Api } from '../demo/api.ts';
import { seedBuilds, type SeededBuilds } from './acme-builds.ts';
import { type KnownDevices, writeKnownDevices } from './acme-devices.ts';
import { HELD_DEVICES, holdRelease } from './acme-held.ts';

const PASSWORD = 'correct horse battery staple';
const COMMITS = ['a1b2c3d', '9f3c1ab', '77e0d12', '41c09fe', 'b7720da'];

/** Devices of the channel `production`. */
const DEVICES = 12_410;

type Role = 'owner' | 'admin' | 'member' | 'viewer' | 'billing';

/** Who signs in, with which password. */
export interface SeededPerson {
  readonly email: string;
  readonly password: string;
}

/** Where the pictures of the console are taken. */
export interface Acme {
  readonly people: Readonly<Record<'mia' | 'viewer' | 'billing' | 'newcomer', SeededPerson>>;
  readonly app: string;
  readonly production: string;
  /** The release that a plan raises. */
  readonly rolling: string;
  readonly builds: SeededBuilds;
  /** The build of that release. */
  readonly build: string;
  readonly devices: KnownDevices;
  /** A channel with approvals and freezes, and a release of it that waits for Mia. */
  readonly governed: { readonly app: string; readonly channel: string; readonly waiting: string };
  /** A release that its health check holds. */
  readonly held: { readonly app: string; readonly release: string };
  /** An app to which nothing was published yet, its channel, and a release of it that no device has got. */
  readonly empty: { readonly app: string; readonly channel: string; readonly release: string };
}

/**
 * Writes an organization as a team has it, for pictures: people, apps, a plan under way, devices with a history. What
 * takes months is written to the database, everything else goes through the API.
 */
export async function seedAcme(origin: string, databaseUrl: string): Promise<Acme> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await new AcmeSeed(origin, client).write();
  } finally {
    await client.end();
  }
}

class AcmeSeed {
  private readonly origin: string;
  private readonly client: pg.Client;

  constructor(origin: string, client: pg.Client) {
    this.origin = origin;
    this.client = client;
  }

  async write(): Promise<Acme> {
    const [acme, other] = [await this.organization('Acme'), await this.organization('New ideas')];
    const mia = await this.person('Mia Chen', acme, 'owner');
    const ben = await this.person('Ben Okafor', acme, 'member');
    const newcomer = await this.person('Noor Haddad', other, 'owner');

    const shop = await this.app(mia.api, acme, 'Shop');
    const releases = [
      await this.release(mia.api, shop, '2.3.7', 'Payment by invoice', 61),
      await this.release(ben.api, shop, '2.3.8', 'Fix for old tablets', 53),
      await this.release(mia.api, shop, '2.3.9', 'Translations', 40),
      await this.release(ben.api, shop, '2.4.0', 'New search', 26),
      await this.release(mia.api, shop, '2.4.1', 'Fix checkout on iPad', 1, 0.25),
    ];
    await this.plan(mia.api, shop.id, releases[4]!.deploymentId);
    await this.devices(shop, releases, DEVICES, true);
    await this.history(shop, releases, DEVICES);
    const beta = await this.channel(mia.api, shop.id, 'beta');
    const testers = { ...shop, channel: beta, name: 'beta' };
    const cart = await this.release(ben.api, testers, '2.5.0-beta.3', 'Offline cart', 0);
    await this.devices(testers, [cart, cart, cart], 38, false);
    await this.channel(mia.api, shop.id, 'pr-1204');
    await this.nativeBuilds(shop.id);
    const builds = await seedBuilds(this.origin, this.client, {
      api: mia.api,
      userId: mia.id,
      organizationId: acme,
      appId: shop.id,
      channelId: beta,
    });

    const devices = await writeKnownDevices(this.client, mia.api, { ...shop, beta }, releases);

    const courier = await this.app(mia.api, acme, 'Courier');
    const routes = [
      await this.release(mia.api, courier, '1.8.3', 'Dark mode', 50),
      await this.release(ben.api, courier, '1.8.4', 'Maps', 30),
      await this.release(ben.api, courier, '1.9.0', 'Faster start', 12),
    ];
    await this.devices(courier, routes, 310, false);
    await this.history(courier, routes, 310);
    const { waiting, held } = await this.inbox({
      mia: mia.api,
      ben: ben.api,
      organizationId: acme,
      shop,
      courier,
    });
    const kiosk = await this.app(mia.api, acme, 'Kiosk');
    const unseen = await this.release(mia.api, kiosk, '0.1.0', 'First version', 0);
    await this.client.query('ANALYZE');
    return {
      people: {
        mia: mia.person,
        viewer: (await this.person('Vera Lind', acme, 'viewer')).person,
        billing: (await this.person('Bo Larsen', acme, 'billing')).person,
        newcomer: newcomer.person,
      },
      app: shop.id,
      production: shop.channel,
      rolling: releases[4]!.deploymentId,
      builds,
      build: releases[4]!.buildId,
      devices,
      governed: { app: courier.id, channel: courier.channel, waiting },
      held,
      empty: {
        app: kiosk.id,
        channel: await this.channel(mia.api, kiosk.id, 'beta'),
        release: unseen.deploymentId,
      },
    };
  }

  private async organization(name: string): Promise<string> {
    const id = randomUUID();
    const slug = name.toLowerCase().replaceAll(' ', '-');
    await this.client.query('INSERT INTO organizations (id, name, slug) VALUES ($1, $2, $3)', [
      id,
      name,
      slug,
    ]);
    return id;
  }

  private async person(
    name: string,
    organizationId: string,
    role: Role,
  ): Promise<{ id: string; api: Api; person: SeededPerson }> {
    const id = randomUUID();
    const email = `${name.split(' ')[0]!.toLowerCase()}@acme.example`;
    const token = generateApiToken();
    const { hashPassword } = await builtPasswords();
    const rows: [string, unknown[]][] = [
      ['INSERT INTO users (id, email, email_verified, name) VALUES ($1, $2, true, $3)', [id, email, name]],
      [
        'INSERT INTO passwords (id, user_id, hash) VALUES ($1, $2, $3)',
        [randomUUID(), id, await hashPassword(PASSWORD)],
      ],
      [
        'INSERT INTO tokens (id, user_id, name, hash) VALUES ($1, $2, $3, $4)',
        [randomUUID(), id, 'Laptop', hashToken(token)],
      ],
      [
        'INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, $4)',
        [randomUUID(), organizationId, id, role],
      ],
    ];
    for (const [sql, values] of rows) await this.client.query(sql, values);
    return { id, api: new Api(this.origin, token), person: { email, password: PASSWORD } };
  }

  /** An app whose default channel is `production`. */
  private async app(api: Api, organizationId: string, name: string): Promise<SeededApp> {
    const { id, appChannelId } = await api.post<{ id: string; appChannelId: string }>(
      `/v1/apps?organizationId=${organizationId}`,
      { name, type: 'capacitor' },
    );
    await api.patch(`/v1/apps/${id}/channels/${appChannelId}`, { name: 'production' });
    return { id, channel: appChannelId, name: 'production' };
  }

  private async channel(api: Api, appId: string, name: string): Promise<string> {
    return (await api.post<{ id: string }>(`/v1/apps/${appId}/channels`, { name })).id;
  }

  /** A release that was published some days ago. */
  private async release(
    api: Api,
    app: SeededApp,
    name: string,
    notes: string,
    daysAgo: number,
    share = 1,
  ): Promise<SeededRelease> {
    const { id, appBuildId, appDeploymentId } = await api.post<Record<string, string>>(
      `/v1/apps/${app.id}/bundles`,
      {
        artifactType: 'zip',
        url: `https://cdn.example.com/${app.id}/${name}.zip`,
        channelName: app.name,
        rolloutPercentage: share,
        notes,
        gitRef: 'main',
        gitCommitSha: COMMITS[notes.length % COMMITS.length]!.padEnd(40, '0'),
        minAndroidAppVersionCode: '200',
      },
    );
    await api.patch(`/v1/apps/${app.id}/builds/${appBuildId}`, { displayName: name });
    for (const [table, at] of [
      ['builds', appBuildId],
      ['deployments', appDeploymentId],
    ] as const) {
      await this.client.query(
        `UPDATE ${table} SET created_at = created_at - $2 * interval '1 day' - interval '50 minutes' WHERE id = $1`,
        [at, daysAgo],
      );
    }
    await this.client.query(
      `UPDATE events SET created_at = created_at - $2 * interval '1 day' - interval '50 minutes' WHERE app_id = $1
          AND created_at > now() - interval '45 minutes'`,
      [app.id, daysAgo],
    );
    return { id: id!, buildId: appBuildId!, deploymentId: appDeploymentId! };
  }

  /** A plan that has been at a quarter since three hours and will be for three more. */
  private async plan(api: Api, appId: string, deploymentId: string): Promise<void> {
    const path = `/v1/apps/${appId}/deployments/${deploymentId}/rollout-plan`;
    await api.put(path, {
      steps: [
        { percentage: 0.01, durationMinutes: 60 },
        { percentage: 0.1, durationMinutes: 1440 },
        { percentage: 0.25, durationMinutes: 360 },
        { percentage: 1 },
      ],
      healthGate: { maxFailureShare: 0.02, minDevices: 100 },
    });
    await api.post(`${path}/start`, {});
    await this.client.query(
      `UPDATE rollout_plans SET step_index = 2, step_started_at = now() - interval '168 minutes',
              step_ends_at = now() + interval '192 minutes' WHERE deployment_id = $1`,
      [deploymentId],
    );
    await this.client.query('UPDATE deployments SET rollout_percentage = 0.25 WHERE id = $1', [deploymentId]);
    // What the plan has done since is three steps, of which the last one is remembered.
    await this.client.query(
      `DELETE FROM events WHERE object_id = $1 AND type IN ('app_deployment_share_changed', 'app_deployment_live')
          AND created_at > now() - interval '45 minutes'`,
      [deploymentId],
    );
    await this.client.query(
      `UPDATE events SET created_at = now() - interval '168 minutes',
              data = data || '{"rolloutPercentage": 0.25, "stepIndex": 2}'
        WHERE object_id = $1 AND type = 'app_rollout_step_reached'`,
      [deploymentId],
    );
  }

  /** What waits for Mia: an approval, a held plan, a refused release, a certificate, a webhook. */
  private async inbox({
    mia,
    ben,
    organizationId,
    shop,
    courier,
  }: Waiting): Promise<{ waiting: string; held: Acme['held'] }> {
    await mia.patch(`/v1/apps/${courier.id}/channels/${courier.channel}`, {
      requiredApprovals: 2,
      freezeWindows: [
        { from: inDays(12), to: inDays(16), reason: 'Holidays' },
        { from: inDays(40), to: inDays(41), reason: 'Inventory' },
      ],
    });
    const asked = await this.release(ben, courier, '1.9.1', 'Faster start on old phones', 0);
    const nora = await this.person('Nora Reyes', organizationId, 'admin');
    await nora.api.post(`/v1/apps/${courier.id}/deployments/${asked.deploymentId}/approvals`, {
      comment: 'Tested on three phones',
    });
    const terminal = await this.app(mia, organizationId, 'Terminal');
    const receipts = [
      await this.release(mia, terminal, '7.0.0', 'Refunds', 60),
      await this.release(mia, terminal, '7.0.1', 'New receipts', 30),
    ];
    const held = await this.release(mia, terminal, '7.0.2', 'Contactless payment', 2, 0.5);
    await this.plan(mia, terminal.id, held.deploymentId);
    await holdRelease(this.client, terminal, receipts[1]!, held);
    await this.history(terminal, [...receipts, held], HELD_DEVICES);
    await this.refused(shop);
    await this.client.query(
      `INSERT INTO certificates (id, app_id, name, name_lower, platform, type, file_name, file_mime_type, file_size_in_bytes,
                                 expires_at, sealed_file)
       VALUES (gen_random_uuid(), $1, 'Distribution 2025', 'distribution 2025', 'ios', 'production', 'dist.p12',
               'application/x-pkcs12', 3200, now() + interval '12 days 1 hour', 'v1.x')`,
      [courier.id],
    );
    await this.client.query(
      `INSERT INTO webhooks (id, organization_id, name, sealed_url, host, format, events, enabled, disabled_reason, updated_at)
       VALUES (gen_random_uuid(), $1, 'Team chat', 'v1.x', 'hooks.chat.example', 'slack', '{*}', false, 'failing',
               now() - interval '3 days')`,
      [organizationId],
    );
    return { waiting: asked.deploymentId, held: { app: terminal.id, release: held.deploymentId } };
  }

  /** A release that Apple has rejected. */
  private async refused({ id: appId }: SeededApp): Promise<void> {
    const id = randomUUID();
    await this.client.query(
      `WITH destination AS (
         INSERT INTO destinations (id, app_id, name, name_lower, platform, type)
         VALUES (gen_random_uuid(), $2, 'App Store', 'app store', 'ios', 'apple-app-store-connect') RETURNING id
       ), build AS (
         SELECT id FROM builds WHERE app_id = $2 AND platform = 'ios' ORDER BY number DESC LIMIT 1
       ), job AS (
         INSERT INTO jobs (id, app_id, organization_id, kind, status, finished_at)
         SELECT gen_random_uuid(), id, organization_id, 'submission', 'succeeded', now() - interval '2 days'
           FROM apps WHERE id = $2
         RETURNING id
       ), deployment AS (
         INSERT INTO deployments (id, app_id, build_id, destination_id)
         SELECT $1, $2, build.id, destination.id FROM build, destination
       ), submission AS (
         INSERT INTO submissions (id, app_id, destination_id, job_id, type, state, package_name, version_name, version_code,
                                  artifact_id, artifact_type, blob_id, size_in_bytes, sha256, step)
         SELECT $1, $2, destination.id, job.id, 'apple-app-store-connect', 'prepared', 'com.acme.shop', '2.4.0', '240',
                gen_random_uuid(), 'ipa', gen_random_uuid(), 48000000, repeat('0', 64), 'done'
           FROM destination, job
       )
       INSERT INTO store_releases (id, app_id, status, status_since, message, store_status)
       VALUES ($1, $2, 'rejected', now() - interval '20 hours',
               'Apple has rejected the version: “5.1.1 Data Collection and Storage”.', 'REJECTED')`,
      [id, appId],
    );
  }

  /**
   * Devices that run the newest three releases.
   *
   * @param isRolling whether a quarter of them gets the newest one; else all
   */
  private async devices(
    app: SeededApp,
    releases: readonly SeededRelease[],
    devices: number,
    isRolling: boolean,
  ): Promise<void> {
    const [older, before, newest] = releases.slice(-3) as [SeededRelease, SeededRelease, SeededRelease];
    await this.client.query(
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            country, requested_channel_names, channel_id, bundle_id, deployment_id, offered_at,
                            applied_at, rolled_back_at, last_seen_at, seen_days, created_at)
       SELECT $1::uuid, md5($2::uuid || ' device ' || n), n % 2, CASE WHEN n % 148 = 3 THEN '180' ELSE '210' END, '2.1.0', '34',
              '8.4.3', CASE n % 3 WHEN 0 THEN 'DE' ELSE 'FR' END, ARRAY[$11::text], $2::uuid,
              CASE WHEN gets AND n % 40 <> 8 THEN $3::uuid WHEN n % 29 = 3 THEN $5::uuid ELSE $4::uuid END,
              CASE WHEN gets THEN $6::uuid WHEN n % 29 = 3 THEN $10::uuid ELSE $7::uuid END, now() - interval '3 hours',
              CASE WHEN NOT gets OR n % 40 <> 8 THEN now() - interval '2 hours' END,
              CASE WHEN gets AND n % 1380 = 4 THEN now() - interval '1 hour' END,
              now() - CASE WHEN n % 5 < 3 THEN (n % 40) * interval '1 minute'
                           ELSE (n % 28) * interval '1 day' END,
              (n::bigint * 7919) | 1, now() - interval '90 days'
         FROM generate_series(1, $8::int) AS n, LATERAL (SELECT $9::boolean AND n % 4 = 0 OR NOT $9::boolean AS gets) AS rolled`,
      [
        app.id,
        app.channel,
        newest.id,
        before.id,
        older.id,
        newest.deploymentId,
        before.deploymentId,
        devices,
        isRolling,
        older.deploymentId,
        app.name,
      ],
    );
  }

  /** What the devices ran on each of the last 30 days, of which the first are those of the older release. */
  private async history(app: SeededApp, releases: readonly SeededRelease[], devices: number): Promise<void> {
    const [older, before] = releases.slice(-3) as [SeededRelease, SeededRelease];
    await this.client.query(
      `INSERT INTO device_counts (app_id, dimension, day, others, value, daily, weekly, monthly)
       SELECT $1::uuid, dimension, (now() AT TIME ZONE 'UTC')::date - ago, false, value, daily, daily * 2, daily * 3
         FROM generate_series(1, 29) AS ago,
              LATERAL (SELECT $2::int * (0.56 + 0.05 * sin(ago)) AS devices, 1 / (1 + exp((ago - 24) / 1.6)) AS taken) AS day,
              LATERAL (VALUES ('all', '', devices), ('bundle', $3, devices * taken), ('bundle', $4, devices * (1 - taken)))
                      AS rows (dimension, value, counted),
              LATERAL (SELECT round(counted::numeric)::int AS daily) AS rounded`,
      [app.id, devices, before.id, older.id],
    );
    await this.client.query(`UPDATE apps SET created_at = now() - interval '90 days' WHERE id = $1`, [
      app.id,
    ]);
  }

  /** Builds of native apps. */
  private async nativeBuilds(appId: string): Promise<void> {
    await this.client.query(
      `INSERT INTO builds (id, app_id, number, platform, type, git_ref, git_commit_sha, created_at)
       SELECT gen_random_uuid(), $1, app.last_build_number + n, CASE n WHEN 1 THEN 'android' ELSE 'ios' END,
              CASE n WHEN 1 THEN 'debug' ELSE 'simulator' END, 'main', repeat('9f3c1ab2', 5), now() - interval '2 minutes'
         FROM generate_series(1, 2) AS n, apps AS app WHERE app.id = $1`,
      [appId],
    );
    await this.client.query(
      `UPDATE apps SET last_build_number = last_build_number + 2, next_build_number = last_build_number + 3 WHERE id = $1`,
      [appId],
    );
  }
}

/** Who and what an inbox is of. */
interface Waiting {
  readonly mia: Api;
  readonly ben: Api;
  readonly organizationId: string;
  readonly shop: SeededApp;
  readonly courier: SeededApp;
}

const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);

interface SeededApp {
  readonly id: string;
  /** A channel and its name. */
  readonly channel: string;
  readonly name: string;
}

interface SeededRelease {
  /** Of the bundle. */
  readonly id: string;
  readonly buildId: string;
  readonly deploymentId: string;
}
