import { type Actor, createMember } from '../../builders/identities.js';
import { passStep, putPlan } from '../../builders/rollout-plan.js';
import { recordedEvents } from '../../support/events/recorded-events.js';
import { eventually } from '../../support/eventually.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';
import type { TestStoreDeployment } from '../../support/stores/store-submissions.js';

let site: PlaySite;

beforeAll(async () => {
  site = await PlaySite.start();
});
afterAll(() => site.dispose());
beforeEach(() => site.play.faults.clear());

/** The events of a deployment about it, its approvals and its plan. */
const events = async (objectId: string) =>
  (await recordedEvents({ objectId }, site.site))
    .filter(({ type }) => /^app_(deployment|approval|rollout)/.test(type))
    .map(({ type, data }) => ({ type: type.replace('app_', ''), ...data }) as Record<string, unknown>);
const types = async (id: string): Promise<unknown[]> => (await events(id)).map(({ type }) => type);

describe('a deployment to a destination that requires approvals', () => {
  let shop: PublishedApp;
  let author: Actor;
  let ada: Actor;
  let count = 0;

  beforeEach(async () => {
    shop = await site.app(`com.example.events${++count}`, { destination: { requiredApprovals: 1 } });
    author = await createMember(shop.app.tenant, 'member', site.site);
    ada = await createMember(shop.app.tenant, 'admin', site.site);
    await site.site.query(`UPDATE users SET name = 'Grace Hopper' WHERE id = $1`, [author.userId]);
    await site.site.query(`UPDATE users SET name = 'Ada Lovelace' WHERE id = $1`, [ada.userId]);
  });

  const path = (id = ''): string => `${shop.app.path}/deployments${id && `/${id}`}`;
  const deploy = async (values: object = {}, who = author, build = shop.build(42)) =>
    expectCreated<TestStoreDeployment>(
      await who.api.post(path(), {
        appBuildId: await build,
        appDestinationId: shop.destinationId,
        ...values,
      }),
    );

  it('is created once, as the API shows it without names of people, and approved', async () => {
    const build = shop.build(42);
    const { id, ...shown } = await deploy({}, author, build);
    expect((await deploy({}, author, build)).id).toBe(id);
    const [created, requested, ...others] = await events(id);
    const {
      submission,
      createdBy: _,
      updatedBy: _by,
      takenBackAt: _time,
      etag: _tag,
      ...rest
    } = { id, ...shown } as Record<string, unknown>;
    const message = 'Waits for the approval of 1 person.';
    const type = 'deployment_created';
    expect(created).toEqual({
      ...rest,
      type,
      appAutomationId: null,
      submission: { ...(submission as object), message },
    });
    const of = { appDestinationId: shop.destinationId, appChannelId: null, createdByUserId: author.userId };
    expect(requested).toMatchObject({ ...of, type: 'approval_requested', missingApprovals: 1 });
    expect(others).toEqual([]);
    expect((await ada.api.post(`${path(id)}/approvals`, {})).status).toBe(200);
    expect((await events(id)).slice(2)).toMatchObject([
      { ...of, type: 'approval_given', userId: ada.userId, missingApprovals: 0 },
    ]);
    expect(JSON.stringify(await events(id))).not.toMatch(/Hopper|Lovelace|@/);
  });

  it('says that it is rejected: by a user, with its job, or because its time is over', async () => {
    const rejected = await deploy();
    const rejection = await ada.api.post(`${path(rejected.id)}/reject`, { comment: 'Broken' });
    expect(rejection.status).toBe(200);
    const canceled = await deploy({}, author, shop.build(43));
    const job = await author.api.patch(`/v1/jobs/${canceled.jobId}`, { status: 'canceled' });
    expect(job.status).toBe(200);
    const late = await deploy({}, author, shop.build(44));
    await site.site.query(`UPDATE queue.job SET start_after = now() WHERE name = 'approval-deadlines'`);
    await eventually(async () => expect(await types(late.id)).toHaveLength(3));
    const last = async ({ id }: TestStoreDeployment) => (await events(id)).slice(2);
    const type = 'approval_rejected';
    expect(await last(rejected)).toMatchObject([{ type, userId: ada.userId, comment: 'Broken' }]);
    expect(await last(canceled)).toMatchObject([{ type, userId: author.userId }]);
    const comment = 'The deployment was not approved within 24 hours, which is the limit. Deploy again.';
    expect(await last(late)).toMatchObject([{ type, userId: null, comment }]);
    const { organizationId } = shop.app.tenant;
    const all = JSON.stringify(await recordedEvents({ organizationId }, site.site));
    expect(all).not.toMatch(/Hopper|Lovelace/);
  });

  it('says that its approvals were overridden, when it is deployed again in an emergency', async () => {
    const build = shop.build(42);
    const { id } = await deploy({}, author, build);
    await deploy({ emergency: { reason: 'Payments fail' } }, ada, build);
    expect((await events(id)).slice(2)).toMatchObject([
      { type: 'approval_given', userId: ada.userId, emergencyReason: 'Payments fail', missingApprovals: 0 },
    ]);
  });
});

describe('a rollout plan of a release on Google Play', () => {
  let count = 0;

  /** A release that a tenth of the users have, with a plan that has begun. */
  async function rollOut(): Promise<{ shop: PublishedApp; id: string }> {
    const shop = await site.app(`com.example.rollout${++count}`, {
      play: { tracks: { production: [{ status: 'completed', versionCodes: ['1'] }] } },
    });
    const { id } = await shop.release(2, { rolloutPercentage: 0.1 });
    await putPlan(shop.app, id, {}, 'start');
    return { shop, id };
  }

  const eventuallyTypes = (id: string, expected: readonly string[]): Promise<void> =>
    eventually(async () => {
      await site.hurry();
      expect((await types(id)).slice(1)).toEqual(expected);
    });
  const reached = 'rollout_step_reached';

  it('reaches a step when the store has taken its share', async () => {
    const { id } = await rollOut();
    expect(await types(id)).toEqual(['deployment_created', reached]);
    await passStep(id, site.site);
    await eventuallyTypes(id, [reached, reached]);
    await passStep(id, site.site);
    await eventuallyTypes(id, [reached, reached, 'rollout_completed']);
    expect((await events(id)).slice(1)).toMatchObject([
      { stepIndex: 0, rolloutPercentage: 0.1, appDestinationName: expect.any(String) as string },
      { stepIndex: 1, rolloutPercentage: 0.5 },
      { stepIndex: 2, rolloutPercentage: 1, appChannelId: null },
    ]);
  });

  it('is held when the store refuses the share, and reaches the step after it was resumed', async () => {
    const { shop, id } = await rollOut();
    site.play.refuse('account issues', { packageName: shop.packageName });
    await passStep(id, site.site);
    await eventuallyTypes(id, [reached, 'rollout_held']);
    expect((await events(id)).at(-1)).toMatchObject({
      reason: 'store',
      stepIndex: 1,
      rolloutPercentage: 0.1,
      storeMessage: expect.stringContaining('Play Console') as string,
    });
    const plan = `${shop.app.path}/deployments/${id}/rollout-plan`;
    expect((await shop.app.api.post(`${plan}/resume`)).status).toBe(200);
    await eventuallyTypes(id, [reached, 'rollout_held', 'rollout_resumed', reached]);
    expect((await shop.app.api.post(`${plan}/abort`)).status).toBe(200);
    expect((await events(id)).at(-1)).toMatchObject({ type: 'rollout_aborted', reason: 'person' });
  });
});
