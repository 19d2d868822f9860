import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import type { TestBundle } from '../../builders/bundle.js';
import { createChannel, type TestChannel } from '../../builders/channel.js';
import { createMember } from '../../builders/identities.js';
import { publishZip } from '../../builders/publication.js';
import { passStep, putPlan, type TestPlan } from '../../builders/rollout-plan.js';
import { AndroidDevice } from '../../support/devices/android.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';
import {
  asFiles,
  COPIED,
  EXCHANGED,
  FIRST,
  publishSigned,
  trySigned,
} from '../../support/live-updates/signed-manifests.js';

/*
 * Devices that run FIRST would build EXCHANGED wrongly, and the other way round. A build may only go to a channel whose
 * devices would do so where that is a step back.
 */

interface Created {
  readonly id: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

let app: TestApp;
let beta: TestChannel;
let first: TestBundle & { readonly deploymentId: string };

beforeEach(async () => {
  app = await createApp();
  beta = await createChannel(app, { name: 'beta' });
  first = await publishSigned(app, FIRST);
});

const promote = (bundle: TestBundle, values: object = {}): Promise<Response> =>
  app.api.post(`${app.path}/deployments`, {
    appBuildId: bundle.buildId,
    appChannelId: app.defaultChannelId,
    ...values,
  });

/** Published to beta only. */
async function onBeta(files: Record<string, string>): Promise<TestBundle> {
  const { bundle, response } = await trySigned(app, files, { channelName: 'beta' });
  expect(response.status).toBe(200);
  return bundle;
}

const share = (id: string, rolloutPercentage: number) =>
  app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage });

describe('a deployment', () => {
  it('is refused where devices of the channel would mix files, and they keep getting what they run', async () => {
    const device = new AndroidDevice({ appId: app.id });
    await device.sync();
    const { message } = expectError(await promote(await onBeta(EXCHANGED)), 400, 'unsafe_reuse');
    expect(message).toBe(
      'i18n/de.json would keep the content of build 1 on devices that run it. Change the file, a line break is enough, or publish a zip.',
    );
    expect(await device.sync()).toMatchObject({ bundleId: first.id });
    expect(
      (await app.api.get(`${app.path}/deployments?appChannelId=${app.defaultChannelId}`)).body,
    ).toHaveLength(1);
  });

  it('is refused in an emergency, too', async () => {
    const emergency = { reason: 'Payments fail; INC-42' };
    expectError(await promote(await onBeta(EXCHANGED), { emergency }), 400, 'unsafe_reuse');
  });

  it('is made with a warning where only some devices would', async () => {
    const next = await onBeta(EXCHANGED);
    await share(first.deploymentId, 0.5);
    const { status, body } = await promote(next);
    expect(status).toBe(201);
    const { id, warnings } = body as Created;
    expect(warnings).toEqual([
      {
        code: 'unsafe_reuse',
        message:
          'Devices that run build 1 are not offered this bundle: i18n/de.json would keep its content on them. Change the file, a line break is enough, or publish a zip.',
      },
    ]);
    expect((await app.api.get(`${app.path}/deployments/${id}`)).body).toMatchObject({ warnings: [] });
  });

  it('is made with a warning where only old plugins would lack files', async () => {
    const { status, body } = await promote(await onBeta(COPIED));
    expect([status, (body as Created).warnings.map(({ code }) => code)]).toEqual([201, ['unsafe_reuse']]);
  });

  it('is made without one where no device would', async () => {
    const next = await onBeta({ ...FIRST, 'i18n/de.json': '{"a":2}' });
    const { status, body } = await promote(next);
    expect([status, (body as Created).warnings]).toEqual([201, []]);
  });

  it('only warns when it rolls back: the channel has delivered the build before', async () => {
    await publishZip(app, { 'index.html': 'between' });
    const { bundle } = await trySigned(app, EXCHANGED);
    const { status, body } = await promote(first);
    expect([status, (body as Created).warnings.map(({ code }) => code)]).toEqual([201, ['unsafe_reuse']]);
    // Devices of the bundle keep it; those of others go back.
    const stuck = new AndroidDevice({ appId: app.id });
    stuck.bundleId = bundle.id;
    expect((await stuck.check()).status).toBe(404);
    const fresh = new AndroidDevice({ appId: app.id });
    expect(await fresh.sync()).toMatchObject({ bundleId: first.id });
    expect(fresh.files).toEqual(asFiles(FIRST));
  });

  it('is checked for its own channel', async () => {
    const other = await createChannel(app, { name: 'other' });
    const { status } = await promote(await onBeta(EXCHANGED), { appChannelId: other.id });
    expect(status).toBe(201);
    expectError(await promote(first, { appChannelId: beta.id }), 400, 'unsafe_reuse');
  });
});

it('an approval checks again', async () => {
  const next = await onBeta(EXCHANGED);
  await share(first.deploymentId, 0.5);
  const channel = `${app.path}/channels/${app.defaultChannelId}`;
  expect((await app.api.patch(channel, { requiredApprovals: 1 })).status).toBe(200);
  const { id } = (await promote(next)).body as Created;
  await share(first.deploymentId, 1);
  const ada = await createMember(app.tenant, 'admin');
  const approvals = `${app.path}/deployments/${id}/approvals`;
  expectError(await ada.api.post(approvals, {}), 400, 'unsafe_reuse');
  const emergency = { reason: 'Payments fail; INC-42' };
  expectError(await ada.api.post(approvals, { emergency }), 400, 'unsafe_reuse');
  expect((await app.api.get(approvals)).body).toEqual([]);
  expect((await app.api.get(`${app.path}/deployments/${id}`)).body).toMatchObject({
    approvalStatus: 'pending',
  });
  await share(first.deploymentId, 0.5);
  const { status, body } = await ada.api.post(approvals, {});
  expect([status, body]).toMatchObject([
    200,
    { approvalStatus: 'approved', warnings: [{ code: 'unsafe_reuse' }] },
  ]);
});

describe('a rollout plan', () => {
  let id: string;
  let path: string;

  /** A deployment to no one yet, which was safe when it was made. */
  beforeEach(async () => {
    const next = await onBeta(EXCHANGED);
    await share(first.deploymentId, 0.5);
    ({ id } = (await promote(next, { rolloutPercentage: 0 })).body as Created);
    path = `${app.path}/deployments/${id}/rollout-plan`;
  });

  const plan = async (): Promise<TestPlan> => (await app.api.get(path)).body as TestPlan;

  it('is held when devices that get the next step would mix files, and again after it was resumed', async () => {
    await putPlan(app, id, {}, 'start');
    await share(first.deploymentId, 1);
    for (const action of [null, 'resume']) {
      if (action !== null) expect((await app.api.post(`${path}/${action}`)).status).toBe(200);
      await passStep(id);
      await eventually(async () => {
        expect(await plan()).toMatchObject({ state: 'held', reason: 'unsafe-reuse', stepIndex: 0 });
      });
      expect((await app.api.get(`${app.path}/deployments/${id}`)).body).toMatchObject({
        rolloutPercentage: 0.1,
      });
    }
    await share(first.deploymentId, 0.5);
    expect((await app.api.post(`${path}/resume`)).status).toBe(200);
    await passStep(id);
    await eventually(async () => expect(await plan()).toMatchObject({ state: 'running', stepIndex: 1 }));
  });

  it('does not start then', async () => {
    await putPlan(app, id);
    await share(first.deploymentId, 1);
    expectError(await app.api.post(`${path}/start`), 400, 'unsafe_reuse');
    expect(await plan()).toMatchObject({ state: 'draft' });
  });
});
