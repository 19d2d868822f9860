import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createCertificate } from '../../builders/certificate.js';
import { createChannel, type TestChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import {
  type Actor,
  createActor,
  createMember,
  createTenant,
  type Tenant,
} from '../../builders/identities.js';
import { createIosSigning } from '../../builders/provisioning-profile.js';
import { publishManifest } from '../../builders/publication.js';
import { putPlan } from '../../builders/rollout-plan.js';
import { assignApp, assignMember, createTeam } from '../../builders/team.js';
import { createToken } from '../../builders/token.js';
import { createWebhook } from '../../builders/webhook.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { ChangeStream } from '../../support/events/change-stream.js';
import { eventually } from '../../support/eventually.js';
import type { Api } from '../../support/http/api.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';
import { createDestination, createReleaseBuild, endSubmission } from '../../support/stores/store-builds.js';

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly since: string;
  readonly sentence: string;
  readonly link: string;
  readonly object: Readonly<Record<string, string | null>>;
}

interface Inbox {
  readonly entries: readonly Entry[];
  readonly more: number;
}

const { databaseUrl } = testEnvironment();
const sql = (text: string, ...values: unknown[]): Promise<object[]> => query(databaseUrl, text, values);

let tenant: Tenant;
let app: TestApp;
let owner: Actor;
let member: Actor;

beforeEach(async () => {
  tenant = await createTenant();
  ({ owner } = tenant);
  app = await createApp(tenant, { name: 'Shop' });
  member = await createMember(tenant, 'member');
  await sql(`UPDATE users SET name = 'Mia Chen' WHERE id = $1`, member.userId);
});

async function inboxOf(api: Api, of = tenant): Promise<Inbox> {
  const { status, body } = await api.get(`/v1/organizations/${of.organizationId}/inbox`);
  expect(status).toBe(200);
  return body as Inbox;
}
const entriesOf = async (api: Api): Promise<readonly Entry[]> => (await inboxOf(api)).entries;
const kindsOf = async (api: Api): Promise<string[]> => (await entriesOf(api)).map(({ kind }) => kind);
const onlyEntry = async (api: Api): Promise<Entry> => {
  const [entry, ...others] = await entriesOf(api);
  expect(others).toEqual([]);
  return entry as Entry;
};

describe('an approval', () => {
  let channel: TestChannel;
  beforeEach(async () => {
    channel = await createChannel(app, { name: 'production', requiredApprovals: 2 });
  });

  const ask = async (who = member, values: object = {}): Promise<string> => {
    const { buildId } = await registerBundle(app);
    const body = { appBuildId: buildId, appChannelId: channel.id, ...values };
    return expectCreated<{ id: string }>(await who.api.post(`${app.path}/deployments`, body)).id;
  };
  const approve = (who: Actor, id: string) => who.api.post(`${app.path}/deployments/${id}/approvals`, {});

  it('waits for those who can give it, until they have, and not for the person who asks', async () => {
    const other = await createMember(tenant, 'member');
    const third = await createMember(tenant, 'member');
    const id = await ask(member, { notes: 'Fix checkout on iPad' });
    expect(await onlyEntry(other.api)).toEqual({
      id,
      kind: 'approval',
      since: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      sentence: 'Mia Chen asks: “Fix checkout on iPad”. 2 approvals are missing.',
      link: `/apps/${app.id}/deployments/${id}`,
      object: {
        name: 'Build 1',
        appId: app.id,
        appName: 'Shop',
        appChannelId: channel.id,
        appChannelName: 'production',
        appDestinationId: null,
        appDestinationName: null,
        appDeploymentId: id,
        appBuildId: expect.any(String) as string,
        appCertificateId: null,
        appProvisioningProfileId: null,
        webhookId: null,
      },
    });
    expect(await entriesOf(member.api)).toEqual([]);
    expect((await approve(other, id)).status).toBe(200);
    expect(await entriesOf(other.api)).toEqual([]);
    expect((await onlyEntry(third.api)).sentence).toContain('1 approval is missing.');
    // It can be withdrawn, and is missing again.
    await other.api.delete(`${app.path}/deployments/${id}/approvals`);
    expect(await kindsOf(other.api)).toEqual(['approval']);
    await approve(other, id);
    await approve(third, id);
    for (const { api } of [owner, other, third]) expect(await entriesOf(api)).toEqual([]);
  });

  it('no longer waits when it is rejected, or its channel is deleted', async () => {
    const rejected = await ask();
    await ask(member, { comment: 'Second' });
    expect(await kindsOf(owner.api)).toEqual(['approval', 'approval']);
    await owner.api.post(`${app.path}/deployments/${rejected}/reject`, {});
    expect((await onlyEntry(owner.api)).sentence).toBe('Mia Chen asks: “Second”. 2 approvals are missing.');
    await app.api.delete(`${app.path}/channels/${channel.id}`);
    expect(await entriesOf(owner.api)).toEqual([]);
  });

  it('of a deployment to a store names the destination', async () => {
    const destination = await createDestination(app, { name: 'Play', requiredApprovals: 1 });
    const body = { appBuildId: await createReleaseBuild(app), appDestinationId: destination.id };
    const { id } = expectCreated<{ id: string }>(await member.api.post(`${app.path}/deployments`, body));
    expect(await onlyEntry(owner.api)).toMatchObject({
      id,
      kind: 'approval',
      object: { appDestinationName: 'Play', appChannelName: null },
    });
    expect(await entriesOf(member.api)).toEqual([]);
  });
});

it('has a held plan, until it is resumed', async () => {
  await registerBundle(app, { appChannelName: 'default' });
  const { id } = await createDeployment(app, { rolloutPercentage: 0 });
  await putPlan(app, id, {}, 'start');
  expect(await entriesOf(owner.api)).toEqual([]);
  const plan = `${app.path}/deployments/${id}/rollout-plan`;
  await app.api.post(`${plan}/hold`, { comment: 'Checkout fails' });
  expect(await onlyEntry(member.api)).toMatchObject({
    id,
    kind: 'plan_held',
    sentence: 'A person has held the plan: “Checkout fails”. It stays at 10 %.',
    link: `/apps/${app.id}/deployments/${id}`,
    object: { appChannelName: 'default', name: 'Build 2' },
  });
  await sql(
    `UPDATE rollout_plans SET reason = 'health-gate', comment = NULL, evidence = $2, health_gate = $3 WHERE deployment_id = $1`,
    id,
    JSON.stringify({ offered: 1200, applied: 1000, rolledBack: 31, notApplied: 0 }),
    JSON.stringify({ maxFailureShare: 0.02, minDevices: 100, confidence: 0.95 }),
  );
  expect((await onlyEntry(owner.api)).sentence).toBe(
    '3.1 % of the devices that ran it went back to an older bundle; the limit is 2 %. It stays at 10 %.',
  );
  await app.api.post(`${plan}/resume`);
  expect(await entriesOf(owner.api)).toEqual([]);
});

describe('a submission', () => {
  const deploy = async (destinationId: string): Promise<{ id: string; jobId: string }> => {
    const body = {
      appBuildId: await createReleaseBuild(app, { versionCode: String(versions++) }),
      appDestinationId: destinationId,
    };
    return expectCreated(await app.api.post(`${app.path}/deployments`, body));
  };
  let versions = 100;
  let destinationId: string;
  let submitted: { id: string; jobId: string };
  beforeEach(async () => {
    ({ id: destinationId } = await createDestination(app, { name: 'Play' }));
    submitted = await deploy(destinationId);
  });

  const release = (status: string, message: string): Promise<unknown> =>
    sql(
      `INSERT INTO store_releases (id, app_id, status, status_since, message, store_status)
       VALUES ($1, $2, $3, now(), $4, 'NOT_APPROVED')
       ON CONFLICT (id) DO UPDATE SET status = $3, message = $4`,
      submitted.id,
      app.id,
      status,
      message,
    );

  it('that is on its way does not wait for a person', async () => {
    expect(await entriesOf(owner.api)).toEqual([]);
  });

  it('that has failed waits until another one goes there, at most 30 days', async () => {
    await endSubmission(submitted, 'failed');
    await sql(
      `UPDATE submissions SET message = 'The store refused the file.', store_message = 'Version code used' WHERE id = $1`,
      submitted.id,
    );
    expect(await onlyEntry(member.api)).toMatchObject({
      id: submitted.id,
      kind: 'submission_refused',
      sentence: 'The store refused the file. The store: “Version code used”.',
      link: `/apps/${app.id}/deployments/${submitted.id}`,
      object: { name: '1.4.0', appDestinationName: 'Play' },
    });
    await sql(`UPDATE jobs SET finished_at = now() - interval '31 days' WHERE id = $1`, submitted.jobId);
    expect(await entriesOf(owner.api)).toEqual([]);
    await sql(`UPDATE jobs SET finished_at = now() WHERE id = $1`, submitted.jobId);
    await deploy(destinationId);
    expect(await entriesOf(owner.api)).toEqual([]);
  });

  it('whose release the review rejects, or that a person must continue, waits until that is over', async () => {
    await endSubmission(submitted, 'prepared');
    expect(await entriesOf(owner.api)).toEqual([]);
    await release('rejected', 'Google has not approved it.');
    expect(await onlyEntry(owner.api)).toMatchObject({
      kind: 'submission_refused',
      sentence: 'Google has not approved it.',
    });
    await release('draft', 'Finish the draft in the Play Console.');
    expect((await onlyEntry(owner.api)).kind).toBe('submission_waiting');
    await release('in_review', 'Google reviews it.');
    expect(await entriesOf(owner.api)).toEqual([]);
  });

  /** A change of the release that a user has requested. */
  const changed = async (): Promise<{ id: string; jobId: string }> => {
    await sql('UPDATE store_releases SET user_fraction = 0.1 WHERE id = $1', submitted.id);
    const path = `${app.path}/deployments/${submitted.id}`;
    const { status, body, text } = await member.api.patch(path, { rolloutPercentage: 0.5 });
    expect([status, text]).toEqual([200, text]);
    return (body as { submission: { openAction: { id: string; jobId: string } } }).submission.openAction;
  };
  const failed = async (change: { id: string; jobId: string }, message: string): Promise<void> => {
    await endSubmission(change, 'failed');
    await sql(
      `UPDATE submissions SET message = $2, store_message = 'Forbidden' WHERE id = $1`,
      change.id,
      message,
    );
  };

  it.each(['halted', 'paused'])('whose release is %s waits until it goes on', async (status) => {
    await endSubmission(submitted, 'prepared');
    await release(status, 'The rollout is stopped at 10 %.');
    expect(await onlyEntry(member.api)).toMatchObject({
      id: submitted.id,
      kind: 'release_stopped',
      sentence: 'The rollout is stopped at 10 %.',
      link: `/apps/${app.id}/deployments/${submitted.id}`,
      object: { name: '1.4.0', appDestinationName: 'Play' },
    });
    await release('rolling_out', 'Some users get it.');
    expect(await entriesOf(owner.api)).toEqual([]);
  });

  it('whose release was to be changed waits when that fails, until it is changed or moves', async () => {
    await endSubmission(submitted, 'prepared');
    await release('rolling_out', 'Some users get it.');
    const change = await changed();
    expect(await entriesOf(owner.api)).toEqual([]);
    await failed(change, 'Google Play refuses the key.');
    expect(await onlyEntry(member.api)).toMatchObject({
      id: submitted.id,
      kind: 'release_change_failed',
      sentence: 'Setting the share to 50 % has failed. Google Play refuses the key. The store: “Forbidden”.',
      link: `/apps/${app.id}/deployments/${submitted.id}`,
    });
    // Of a plan, which is held.
    await sql('UPDATE submissions SET created_by_user_id = NULL WHERE id = $1', change.id);
    expect(await entriesOf(owner.api)).toEqual([]);
    await sql('UPDATE submissions SET created_by_user_id = $2 WHERE id = $1', change.id, member.userId);
    expect(await kindsOf(owner.api)).toEqual(['release_change_failed']);
    const again = await changed();
    expect(await entriesOf(owner.api)).toEqual([]);
    await failed(again, 'Google Play refuses the key.');
    expect(await kindsOf(owner.api)).toEqual(['release_change_failed']);
    await sql(`UPDATE store_releases SET status_since = now() WHERE id = $1`, submitted.id);
    expect(await entriesOf(owner.api)).toEqual([]);
  });
});

it('has damaged files, once for an app, until they are repaired', async () => {
  const shared = randomUUID();
  await publishManifest(app, { 'index.html': randomUUID(), 'app.js': shared });
  const { buildId, id } = await publishManifest(
    app,
    { 'index.html': randomUUID(), 'app.js': shared },
    {
      values: { channelName: 'default' },
    },
  );
  const damage = (what: string | null) =>
    sql(
      `UPDATE blobs SET damage = $2, damaged_at = CASE WHEN $2::text IS NOT NULL THEN now() END
         FROM bundle_files AS file WHERE file.blob_id = blobs.id AND file.bundle_id = $1 AND file.href = 'app.js'`,
      id,
      what,
    );
  expect(await entriesOf(owner.api)).toEqual([]);
  await damage('missing');
  expect(await onlyEntry(member.api)).toMatchObject({
    id: buildId,
    kind: 'files_damaged',
    sentence:
      '1 stored file is damaged: devices do not get 2 builds, of which this is the newest. Publish the same files again, or deploy another build.',
    link: `/apps/${app.id}/builds/${buildId}`,
    object: { name: 'Build 2', appBuildId: buildId },
  });
  await damage(null);
  expect(await entriesOf(owner.api)).toEqual([]);
});

it('has certificates and profiles that expire within 30 days, not those that expired long ago', async () => {
  const { id } = await createCertificate(app, { name: 'Upload' });
  const { certificateId, profiles } = await createIosSigning(app, { name: 'Distribution' });
  const expire = (table: string, of: string | undefined, interval: string) =>
    sql(`UPDATE ${table} SET expires_at = now() + interval '${interval}' WHERE id = $1`, of);
  await expire('certificates', id, '12 days 1 hour');
  await expire('certificates', certificateId, '60 days');
  await expire('provisioning_profiles', profiles[0]?.id, '-3 days -1 hour');
  expect(await entriesOf(member.api)).toMatchObject([
    {
      id,
      kind: 'signing_expiring',
      sentence: 'The certificate expires in 12 days.',
      link: `/apps/${app.id}/signing`,
      object: { name: 'Upload', appName: 'Shop', appCertificateId: id, appProvisioningProfileId: null },
    },
    {
      id: profiles[0]?.id,
      kind: 'signing_expiring',
      sentence: 'The provisioning profile expired 3 days ago.',
      object: { appCertificateId: certificateId, appProvisioningProfileId: profiles[0]?.id },
    },
  ]);
  // Members may not change what is protected.
  await sql('UPDATE certificates SET protected = true WHERE app_id = $1', app.id);
  expect(await entriesOf(member.api)).toEqual([]);
  expect(await kindsOf(owner.api)).toEqual(['signing_expiring', 'signing_expiring']);
  await expire('certificates', id, '31 days');
  await expire('provisioning_profiles', profiles[0]?.id, '-8 days');
  expect(await entriesOf(owner.api)).toEqual([]);
});

it('has webhooks that fail or that Slipway has disabled, for those who may change them', async () => {
  const organization = { path: `/v1/organizations/${tenant.organizationId}`, api: owner.api };
  const ofApp = await createWebhook(app, { name: 'Chat' });
  const ofAll = await createWebhook(organization, { name: 'Archive' });
  await owner.api.patch((await createWebhook(app)).path, { enabled: false });
  const attempts = (id: string, count: number) =>
    sql(
      `INSERT INTO webhook_schedules (webhook_id, failures, unsuccessful_attempts, unsuccessful_since)
       VALUES ($1, $2, $2, now()) ON CONFLICT (webhook_id) DO UPDATE SET unsuccessful_attempts = $2`,
      id,
      count,
    );
  await attempts(ofApp.id, 4);
  expect(await entriesOf(owner.api)).toEqual([]);
  await attempts(ofApp.id, 5);
  await sql(
    `UPDATE webhooks SET enabled = false, disabled_reason = 'gone', updated_at = now() - interval '1 day' WHERE id = $1`,
    ofAll.id,
  );
  expect(await entriesOf(owner.api)).toMatchObject([
    {
      id: ofApp.id,
      kind: 'webhook_failing',
      sentence: 'The last 5 attempts to reach hooks.example.com have failed. Slipway tries again.',
      link: `/apps/${app.id}/webhooks`,
      object: { name: 'Chat', appName: 'Shop' },
    },
    {
      id: ofAll.id,
      kind: 'webhook_disabled',
      sentence: 'hooks.example.com said that it is gone, so Slipway has disabled the webhook.',
      link: `/organizations/${tenant.organizationId}/webhooks`,
      object: { name: 'Archive', appId: null },
    },
  ]);
  expect(await entriesOf(member.api)).toEqual([]);
  const token = await createToken(owner.api, { appIds: [app.id] });
  expect((await entriesOf(token.api)).map(({ id }) => id)).toEqual([ofApp.id]);
  await owner.api.patch(ofAll.path, { enabled: true });
  expect((await onlyEntry(owner.api)).id).toBe(ofApp.id);
});

describe('what a caller sees', () => {
  let id: string;
  beforeEach(async () => {
    const channel = await createChannel(app, { name: 'production', requiredApprovals: 1 });
    const { buildId } = await registerBundle(app);
    const body = { appBuildId: buildId, appChannelId: channel.id };
    ({ id } = expectCreated<{ id: string }>(await member.api.post(`${app.path}/deployments`, body)));
  });

  it('is what its role lets it act on', async () => {
    const of = async (role: 'admin' | 'member' | 'viewer' | 'billing') =>
      (await createMember(tenant, role)).api;
    expect(await kindsOf(await of('admin'))).toEqual(['approval']);
    expect(await kindsOf(await of('member'))).toEqual(['approval']);
    expect(await kindsOf(await of('viewer'))).toEqual([]);
    const path = `/v1/organizations/${tenant.organizationId}/inbox`;
    expectError(await (await of('billing')).get(path), 403, 'not_authorized');
    expectError(await (await createActor()).api.get(path), 404, 'organization_not_found');
    expectError(
      await owner.api.get(`/v1/organizations/${randomUUID()}/inbox`),
      404,
      'organization_not_found',
    );
  });

  it('is of the apps that its teams and its token cover', async () => {
    const other = await createMember(tenant, 'member');
    const team = await createTeam(tenant);
    expect(await entriesOf(other.api)).toEqual([]);
    await assignApp(tenant, team, app.id);
    await assignMember(tenant, team, other.memberId);
    expect((await onlyEntry(other.api)).id).toBe(id);
    const second = await createApp(tenant);
    const tokenOf = async (values: object): Promise<Api> => (await createToken(owner.api, values)).api;
    expect(await kindsOf(await tokenOf({ appIds: [second.id] }))).toEqual([]);
    expect(await kindsOf(await tokenOf({ appIds: [app.id] }))).toEqual(['approval']);
    expect(await kindsOf(await tokenOf({ permissions: 'read-only' }))).toEqual([]);
    expect(
      await kindsOf(await tokenOf({ permissions: ['apps:read', 'deployments:read', 'deployments:approve'] })),
    ).toEqual(['approval']);
  });

  it('is nothing of other tenants, and nothing while the organization is suspended', async () => {
    const elsewhere = await createTenant();
    await sql(
      `INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'owner')`,
      elsewhere.organizationId,
      owner.userId,
    );
    expect(await inboxOf(owner.api, elsewhere)).toEqual({ entries: [], more: 0 });
    expect(await kindsOf(owner.api)).toEqual(['approval']);
    await sql('UPDATE organizations SET suspended_at = now() WHERE id = $1', tenant.organizationId);
    expect(await entriesOf(owner.api)).toEqual([]);
  });

  it('is cut at 100 entries, newest first, with the number of the others', async () => {
    await sql(
      `INSERT INTO deployments (id, app_id, build_id, channel_id, approval_status, required_approvals, created_by_user_id, created_at)
       SELECT gen_random_uuid(), app_id, build_id, channel_id, 'pending', 1, created_by_user_id, created_at - number * interval '1 minute'
         FROM deployments CROSS JOIN generate_series(1, 104) AS number WHERE id = $1`,
      id,
    );
    const { entries, more } = await inboxOf(owner.api);
    expect([entries.length, more]).toEqual([100, 5]);
    expect(entries[0]?.id).toBe(id);
    const times = entries.map(({ since }) => since);
    expect(times).toEqual(times.toSorted().toReversed());
  });
});

it('has a hint in the stream of changes for what has no event', async () => {
  const stream = await ChangeStream.open(member.api, tenant.organizationId);
  const hint = { appId: null, kind: 'inbox', id: tenant.organizationId };
  const hints = (): number => stream.hints.filter(({ kind }) => kind === 'inbox').length;
  try {
    const { id } = await createCertificate(app);
    await eventually(() => expect(stream.hints).toContainEqual(hint));
    const next = async (change: () => Promise<unknown>): Promise<void> => {
      const before = hints();
      await change();
      await eventually(() => expect(hints()).toBeGreaterThan(before));
    };
    await next(() => app.api.delete(`${app.path}/certificates/${id}`));
    const webhook = await createWebhook(app);
    await next(() => app.api.patch(webhook.path, { enabled: false }));
    const { id: destinationId } = await createDestination(app);
    const body = { appBuildId: await createReleaseBuild(app), appDestinationId: destinationId };
    const deployment = expectCreated<{ id: string; jobId: string }>(
      await app.api.post(`${app.path}/deployments`, body),
    );
    await endSubmission(deployment, 'failed');
    await next(() => app.api.delete(`${app.path}/destinations/${destinationId}`));
  } finally {
    stream.close();
  }
});
