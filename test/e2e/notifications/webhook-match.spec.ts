import { matchesWebhook } from '../../../src/notifications/webhooks/webhook-match.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';

const id = (n: number): string => `00000000-0000-7000-8000-00000000000${n}`;
const [ORGANIZATION, OTHER_ORGANIZATION, APP, OTHER_APP, CHANNEL, OTHER_CHANNEL] = [1, 2, 3, 4, 5, 6].map(id);

const ofApp = { organization_id: ORGANIZATION, app_id: APP, channel_id: CHANNEL, type: 'job_finished' };
const ofOrganization = { organization_id: ORGANIZATION, app_id: null, channel_id: null, type: 'runner_lost' };
const appWebhook = {
  enabled: true,
  organization_id: ORGANIZATION,
  app_id: APP,
  app_ids: [],
  channel_ids: [],
  events: ['*'],
};
const organizationWebhook = { ...appWebhook, app_id: null };

/** Whether the webhook gets the event. */
async function matches(event: object, webhook: object): Promise<boolean> {
  const [row] = await query<{ matches: boolean | null }>(
    testEnvironment().databaseUrl,
    `SELECT ${matchesWebhook} AS matches
       FROM jsonb_populate_record(NULL::events, $1) AS event,
            jsonb_populate_record(NULL::webhooks, $2) AS webhook`,
    [JSON.stringify(event), JSON.stringify(webhook)],
  );
  // As in a condition, where NULL counts as false.
  return row?.matches === true;
}

it('sends events of an app to its webhooks and to those of its organization', async () => {
  expect(await matches(ofApp, appWebhook)).toBe(true);
  expect(await matches(ofApp, organizationWebhook)).toBe(true);
  expect(await matches({ ...ofApp, app_id: OTHER_APP }, appWebhook)).toBe(false);
  expect(await matches({ ...ofApp, app_id: OTHER_APP }, organizationWebhook)).toBe(true);
});

it('sends events of an organization to its own webhooks only', async () => {
  expect(await matches(ofOrganization, organizationWebhook)).toBe(true);
  expect(await matches(ofOrganization, appWebhook)).toBe(false);
});

it('sends nothing to another organization, also of an app that moved', async () => {
  const elsewhere = { organization_id: OTHER_ORGANIZATION };
  expect(await matches(ofApp, { ...organizationWebhook, ...elsewhere })).toBe(false);
  expect(await matches(ofApp, { ...organizationWebhook, ...elsewhere, app_ids: [APP] })).toBe(false);
  expect(await matches(ofApp, { ...appWebhook, ...elsewhere })).toBe(false);
});

it('sends nothing to a disabled webhook', async () => {
  expect(await matches(ofApp, { ...appWebhook, enabled: false })).toBe(false);
});

it('goes by types', async () => {
  for (const [events, expected] of [
    [['job_finished'], true],
    [['job_created', 'job_finished'], true],
    [['job_created'], false],
    [['job'], false],
    [['job_created', '*'], true],
  ] as const) {
    expect(await matches(ofApp, { ...appWebhook, events })).toBe(expected);
  }
});

it('goes by apps and channels; what concerns none passes no filter', async () => {
  expect(await matches(ofApp, { ...organizationWebhook, app_ids: [OTHER_APP, APP] })).toBe(true);
  expect(await matches(ofApp, { ...organizationWebhook, app_ids: [OTHER_APP] })).toBe(false);
  expect(await matches(ofOrganization, { ...organizationWebhook, app_ids: [APP] })).toBe(false);
  expect(await matches(ofApp, { ...appWebhook, channel_ids: [CHANNEL, OTHER_CHANNEL] })).toBe(true);
  expect(await matches(ofApp, { ...appWebhook, channel_ids: [OTHER_CHANNEL] })).toBe(false);
  expect(await matches({ ...ofApp, channel_id: null }, { ...appWebhook, channel_ids: [CHANNEL] })).toBe(
    false,
  );
});
