import { type Actor, createMember } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';
import type { TestStoreDeployment } from '../../support/stores/store-submissions.js';

const emergency = { reason: 'Payments fail; INC-42' };
const IN_PAST = '2020-01-01T00:00:00Z';
const IN_FUTURE = '2120-01-01T00:00:00Z';

interface Pending extends TestStoreDeployment {
  readonly approvalStatus: string;
  readonly submission: TestStoreDeployment['submission'];
}

let site: PlaySite;
let shop: PublishedApp;
let author: Actor;
let ada: Actor;
let bob: Actor;

beforeAll(async () => {
  site = await PlaySite.start();
});
afterAll(() => site.dispose());

let packages = 0;
beforeEach(async () => {
  shop = await site.app(`com.example.approved${++packages}`, { destination: { requiredApprovals: 2 } });
  const { tenant } = shop.app;
  [author, ada, bob] = await Promise.all([
    createMember(tenant, 'member', site.site),
    createMember(tenant, 'member', site.site),
    createMember(tenant, 'admin', site.site),
  ]);
  await site.site.query(`UPDATE users SET name = 'Grace Hopper' WHERE id = $1`, [author.userId]);
  await site.site.query(`UPDATE users SET name = 'Ada Lovelace' WHERE id = $1`, [ada.userId]);
});

const pathOf = (id = ''): string => `${shop.app.path}/deployments${id === '' ? '' : `/${id}`}`;
const deploy = async (values: object = {}, who = author, build = shop.build(42)): Promise<Pending> =>
  expectCreated(
    await who.api.post(pathOf(), {
      appBuildId: await build,
      appDestinationId: shop.destinationId,
      ...values,
    }),
  );
const approve = (who: Actor, id: string, body: object = {}) => who.api.post(`${pathOf(id)}/approvals`, body);
const shownOf = async (id: string): Promise<Pending> => (await shop.deployment(id)) as Pending;
const eventsOf = async (id: string): Promise<unknown[]> =>
  site.site.query(
    `SELECT kind, actor, user_id, message FROM release_events
      WHERE release_id = $1 AND kind IN ('approved', 'approval_withdrawn', 'approval_rejected', 'overridden') ORDER BY id`,
    [id],
  );
const freeze = (from: string, to: string) =>
  shop.app.api.patch(`${shop.app.path}/destinations/${shop.destinationId}`, {
    freezeWindows: [{ from, to, reason: 'Holidays' }],
  });

describe('a deployment to a destination that requires approvals', () => {
  it('waits with its job, says for whom, and is submitted after the last approval', async () => {
    const pending = await deploy();
    const waits =
      'Waits for the approval of 2 people other than Grace Hopper, who has created the deployment.';
    expect(pending).toMatchObject({
      approvalStatus: 'pending',
      requiredApprovals: 2,
      createdBy: { id: author.userId, name: 'Grace Hopper', email: author.email },
      submission: { state: 'created', message: waits },
    });
    expect(await shop.job(pending)).toMatchObject({ status: 'queued' });
    expect((await shop.log(pending)).split('\n')[0]).toContain(waits);
    expectError(await approve(author, pending.id), 403, 'own_deployment');
    expect((await approve(ada, pending.id, { comment: 'Tested' })).body).toMatchObject({
      approvalStatus: 'pending',
      submission: {
        message: 'Ada Lovelace has approved the deployment. It waits for the approval of 1 person more.',
      },
    });
    expectError(await approve(ada, pending.id), 409, 'already_approved');
    expect(shop.released).toEqual([]);
    expect((await approve(bob, pending.id)).body).toMatchObject({ approvalStatus: 'approved' });
    expect((await shop.end(pending)).job).toMatchObject({ status: 'succeeded' });
    expect(shop.released).toEqual(['production 42 completed']);
    expect(await eventsOf(pending.id)).toEqual([
      { kind: 'approved', actor: 'user', user_id: ada.userId, message: 'Tested' },
      { kind: 'approved', actor: 'user', user_id: bob.userId, message: null },
    ]);
    expectError(await approve(bob, pending.id), 409, 'deployment_not_pending');
    expect((await shop.app.api.get(`${pathOf(pending.id)}/approvals`)).body).toMatchObject([
      { userId: ada.userId, decision: 'approved', comment: 'Tested' },
      { userId: bob.userId, decision: 'approved' },
    ]);
  });

  it('is the same as long as it waits, and an emergency lets it begin', async () => {
    const build = shop.build(42);
    const pending = await deploy({}, author, build);
    expect(await deploy({}, ada, build)).toMatchObject({ id: pending.id, approvalStatus: 'pending' });
    const body = { appBuildId: await build, appDestinationId: shop.destinationId, emergency };
    expectError(await ada.api.post(pathOf(), body), 403, 'not_authorized');
    expect(await deploy({ emergency }, bob, build)).toMatchObject({
      id: pending.id,
      approvalStatus: 'approved',
      emergency: { userId: bob.userId, ...emergency },
    });
    await shop.end(pending);
    expect(shop.released).toEqual(['production 42 completed']);
    expect(await eventsOf(pending.id)).toEqual([
      { kind: 'overridden', actor: 'user', user_id: bob.userId, message: emergency.reason },
    ]);
  });

  it('needs none in an emergency, at its creation and later', async () => {
    const first = await deploy({ emergency }, bob);
    expect(first).toMatchObject({ approvalStatus: 'approved', requiredApprovals: 2 });
    await shop.end(first);
    const second = await deploy({}, bob, shop.build(43));
    expectError(await approve(ada, second.id, { emergency }), 403, 'not_authorized');
    expect((await approve(bob, second.id, { emergency })).body).toMatchObject({
      approvalStatus: 'approved',
      emergency,
    });
    await shop.end(second);
    expect(shop.released).toEqual(['production 42 completed', 'production 43 completed']);
  });

  it('needs more after an approval was withdrawn', async () => {
    const { id, jobId } = await deploy();
    await approve(ada, id);
    expect((await ada.api.delete(`${pathOf(id)}/approvals`)).status).toBe(204);
    await approve(bob, id);
    expect(await shownOf(id)).toMatchObject({ approvalStatus: 'pending' });
    expect(await shop.log({ jobId })).toContain(
      'Ada Lovelace has withdrawn an approval. It waits for the approval of 2 people more.',
    );
    await approve(ada, id);
    expect(await shownOf(id)).toMatchObject({ approvalStatus: 'approved' });
  });

  it.each([['another user'], ['its creator']])('is rejected by %s, with its job', async (whose) => {
    const pending = await deploy();
    const who = whose === 'its creator' ? author : ada;
    const rejected = await who.api.post(`${pathOf(pending.id)}/reject`, {
      comment: 'The checkout\nis broken.',
    });
    const message = 'A user has rejected the deployment: The checkout is broken.';
    expect(rejected.body).toMatchObject({
      approvalStatus: 'rejected',
      submission: { state: 'failed', message },
    });
    expect(await shop.job(pending)).toMatchObject({ status: 'rejected', statusMessage: message });
    expectError(await approve(bob, pending.id), 409, 'deployment_not_pending');
    expect(await eventsOf(pending.id)).toMatchObject([
      { kind: 'approval_rejected', actor: 'user', user_id: who.userId },
    ]);
  });

  it('is rejected when its job is canceled', async () => {
    const pending = await deploy();
    const path = `/v1/jobs/${pending.jobId}`;
    expect((await author.api.patch(path, { status: 'canceled' })).status).toBe(200);
    expect(await shownOf(pending.id)).toMatchObject({ approvalStatus: 'rejected' });
    expectError(await approve(ada, pending.id), 409, 'deployment_not_pending');
    expect(await shop.job(pending)).toMatchObject({ status: 'canceled' });
  });

  it('has its whole time again after a suspension of the organization', async () => {
    const late = await deploy();
    await site.site.query('UPDATE organizations SET resumed_at = now() WHERE id = $1', [
      shop.app.tenant.organizationId,
    ]);
    const planned = `SELECT start_after > now() + interval '23 hours' AS later FROM queue.job
      WHERE name = 'approval-deadlines' AND data->>'deploymentId' = $1 AND state <> 'completed'`;
    await site.site.query(`UPDATE queue.job SET start_after = now() WHERE data->>'deploymentId' = $1`, [
      late.id,
    ]);
    await eventually(async () => {
      expect(await site.site.query(planned, [late.id])).toEqual([{ later: true }]);
    });
    expect(await shownOf(late.id)).toMatchObject({ approvalStatus: 'pending' });
  });

  it('is rejected when its time is over, and only then', async () => {
    const late = await deploy();
    const { id: approvedId, ...approved } = await deploy({}, author, shop.build(43));
    await approve(ada, approvedId);
    await approve(bob, approvedId);
    const planned = await site.site.query(
      `SELECT start_after > now() + interval '23 hours' AS later FROM queue.job
        WHERE name = 'approval-deadlines' AND data->>'deploymentId' = $1`,
      [late.id],
    );
    expect(planned).toEqual([{ later: true }]);
    await site.site.query(`UPDATE queue.job SET start_after = now() WHERE name = 'approval-deadlines'`);
    const message = 'The deployment was not approved within 24 hours, which is the limit. Deploy again.';
    await eventually(async () => {
      expect(await shownOf(late.id)).toMatchObject({ approvalStatus: 'rejected', submission: { message } });
    });
    expect(await shop.job(late)).toMatchObject({ status: 'rejected', statusMessage: message });
    expect(await eventsOf(late.id)).toEqual([
      { kind: 'approval_rejected', actor: 'slipway', user_id: null, message },
    ]);
    expect((await shop.end({ id: approvedId, ...approved })).job).toMatchObject({ status: 'succeeded' });
    expect(await shownOf(approvedId)).toMatchObject({ approvalStatus: 'approved' });
  });

  it('goes live once, however many approve, reject and cancel it at once', async () => {
    const pending = await deploy();
    await approve(ada, pending.id);
    const others = await Promise.all(
      Array.from({ length: 3 }, () => createMember(shop.app.tenant, 'member', site.site)),
    );
    const responses = await Promise.all([
      ...others.map((other) => approve(other, pending.id)),
      bob.api.post(`${pathOf(pending.id)}/reject`, {}),
      author.api.patch(`/v1/jobs/${pending.jobId}`, { status: 'canceled' }),
    ]);
    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    const { approvalStatus } = await shownOf(pending.id);
    const { status } = (await shop.end(pending)).job;
    const outcomes = ['approved succeeded', 'approved canceled', 'rejected rejected', 'rejected canceled'];
    expect(outcomes).toContain(`${approvalStatus} ${status}`);
    expect(shop.released).toEqual(status === 'succeeded' ? ['production 42 completed'] : []);
  });

  it('is not approved for those who see nothing of it, or may not approve', async () => {
    const { id } = await deploy();
    const stranger = await site.app('com.example.stranger');
    expectError(await stranger.app.api.post(`${pathOf(id)}/approvals`, {}), 404, 'app_not_found');
    const foreign = `${stranger.app.path}/deployments/${id}/approvals`;
    expectError(await stranger.app.api.post(foreign, {}), 404, 'deployment_not_found');
    const viewer = await createMember(shop.app.tenant, 'viewer', site.site);
    expectError(await approve(viewer, id), 403, 'not_authorized');
    expectError(await viewer.api.post(`${pathOf(id)}/reject`, {}), 403, 'not_authorized');
  });
});

describe('a frozen destination', () => {
  it('takes no deployment and no last approval, unless it is an emergency', async () => {
    const pending = await deploy();
    await freeze(IN_PAST, IN_FUTURE);
    const body = { appBuildId: await shop.build(43), appDestinationId: shop.destinationId };
    const refused = expectError(await author.api.post(pathOf(), body), 409, 'destination_frozen');
    expect(refused.message).toMatch(/^The destination Google Play \d+ is frozen until \S+ \(Holidays\)\.$/);
    expect((await approve(ada, pending.id)).body).toMatchObject({ approvalStatus: 'pending' });
    expectError(await approve(bob, pending.id), 409, 'destination_frozen');
    const list = (await shop.app.api.get(`${pathOf(pending.id)}/approvals`)).body as unknown[];
    expect(list).toHaveLength(1);
    expect((await approve(bob, pending.id, { emergency })).body).toMatchObject({ emergency });
    await freeze(IN_PAST, '2020-01-02T00:00:00Z');
    expect(await deploy(body)).toMatchObject({ approvalStatus: 'pending' });
  });
});
