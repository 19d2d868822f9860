import { generateKeyPairSync } from 'node:crypto';
import {
  closeStores,
  configFor,
  json,
  refusalFrom,
  type Respond,
  serve,
  sessionFor,
} from '../../../../test/support/stores/store-servers.js';
import { AppStoreConnectClient } from './app-store-connect-client.js';
import type { CallBudget } from '../rate-limits/call-budget.service.js';

afterEach(closeStores);

const privateKeyPem = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const key = { keyId: 'KEY1234567', issuerId: 'issuer-1', privateKeyPem };
const budget = { take: () => Promise.resolve(), learn: () => Promise.resolve() } as unknown as CallBudget;

async function appleWith(respond: Respond) {
  const apple = await serve(respond);
  const config = configFor('http://127.0.0.1:1');
  config.stores.appStoreConnectUrl = apple.url;
  const session = sessionFor(config);
  return { client: new AppStoreConnectClient(session, { baseUrl: apple.url, key, budget }), apple };
}

const version = (id: string, platform: string, more: object = {}, relationships: object = {}) => ({
  type: 'appStoreVersions',
  id,
  attributes: { platform, versionString: '1.2', appVersionState: 'PREPARE_FOR_SUBMISSION', ...more },
  relationships,
});
const to = (type: string, id: string) => ({ data: { type, id } });

describe('the calls about versions in the App Store', () => {
  it('list those of a platform with build and phased release, without an order', async () => {
    const { client, apple } = await appleWith(
      json({
        data: [
          version(
            'v-1',
            'IOS',
            { releaseType: 'SCHEDULED', earliestReleaseDate: '2026-12-01T10:00:00-08:00' },
            {
              build: to('builds', 'b-1'),
              appStoreVersionPhasedRelease: to('appStoreVersionPhasedReleases', 'p-1'),
            },
          ),
          version('v-2', 'MAC_OS'),
        ],
        included: [
          { type: 'builds', id: 'p-1' },
          {
            type: 'appStoreVersionPhasedReleases',
            id: 'p-1',
            attributes: { phasedReleaseState: 'ACTIVE', currentDayNumber: 3 },
          },
        ],
      }),
    );
    await expect(client.appStore.versions('12', 'ios')).resolves.toEqual([
      {
        id: 'v-1',
        versionString: '1.2',
        state: 'PREPARE_FOR_SUBMISSION',
        releaseType: 'SCHEDULED',
        earliestReleaseDate: new Date('2026-12-01T18:00:00Z'),
        buildId: 'b-1',
        phasedRelease: { id: 'p-1', state: 'ACTIVE', dayNumber: 3 },
      },
    ]);
    const url = new URL(apple.calls[0]?.url ?? '', apple.url);
    expect(url.pathname).toBe('/v1/apps/12/appStoreVersions');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      'filter[platform]': 'IOS',
      include: 'build,appStoreVersionPhasedRelease',
    });
    expect(url.searchParams.has('sort')).toBe(false);
  });

  it('send a date only with a schedule', async () => {
    const { client, apple } = await appleWith(json({ data: version('v-1', 'IOS') }, 201));
    const settings = { versionString: '1.2', releaseType: 'MANUAL', earliestReleaseDate: null } as const;
    await expect(client.appStore.createVersion('12', 'tvos', settings)).resolves.toBe('v-1');
    await client.appStore.updateVersion('v-1', {
      releaseType: 'SCHEDULED',
      earliestReleaseDate: new Date('2026-12-01T18:00:00Z'),
    });
    expect(apple.calls.map(({ body }) => JSON.parse(body.toString()) as unknown)).toEqual([
      {
        data: {
          type: 'appStoreVersions',
          attributes: { platform: 'TV_OS', versionString: '1.2', releaseType: 'MANUAL' },
          relationships: { app: to('apps', '12') },
        },
      },
      {
        data: {
          type: 'appStoreVersions',
          id: 'v-1',
          attributes: { releaseType: 'SCHEDULED', earliestReleaseDate: '2026-12-01T18:00:00.000Z' },
        },
      },
    ]);
  });

  it('take a version without a state for no answer', async () => {
    const { client } = await appleWith(json({ data: version('v-1', 'IOS', { appVersionState: null }) }));
    const { refusal } = await refusalFrom(client.appStore.version('v-1'));
    expect(refusal.code).toBe('store_answer_unusable');
  });
});

describe('the calls about reviews of the App Store', () => {
  const submission = (id: string, state: string, platform = 'IOS', versionId?: string) => ({
    type: 'reviewSubmissions',
    id,
    attributes: { state, platform },
    relationships:
      versionId === undefined ? {} : { appStoreVersionForReview: to('appStoreVersions', versionId) },
  });

  it('list what is open, whatever the filter matches', async () => {
    const { client, apple } = await appleWith(
      json({
        data: [
          submission('r-1', 'WAITING_FOR_REVIEW', 'IOS', 'v-1'),
          submission('r-2', 'COMPLETE'),
          submission('r-3', 'IN_REVIEW', 'MAC_OS'),
        ],
      }),
    );
    await expect(client.reviews.open('12', 'ios')).resolves.toEqual([
      { id: 'r-1', state: 'WAITING_FOR_REVIEW', versionId: 'v-1' },
    ]);
    const { searchParams } = new URL(apple.calls[0]?.url ?? '', apple.url);
    expect(searchParams.get('filter[app]')).toBe('12');
    expect(searchParams.get('filter[state]')).not.toContain('COMPLETE');
    expect(searchParams.has('sort')).toBe(false);
  });

  it('submit and cancel with what the document names', async () => {
    const { client, apple } = await appleWith(json({ data: submission('r-1', 'CANCELING') }));
    await client.reviews.submit('r-1');
    await expect(client.reviews.cancel('r-1')).resolves.toMatchObject({ state: 'CANCELING' });
    expect(apple.calls.map(({ method, body }) => [method, JSON.parse(body.toString()) as unknown])).toEqual(
      [{ submitted: true }, { canceled: true }].map((attributes) => [
        'PATCH',
        { data: { type: 'reviewSubmissions', id: 'r-1', attributes } },
      ]),
    );
  });

  it('show items that are no versions', async () => {
    const { client } = await appleWith(
      json({
        data: [
          {
            type: 'reviewSubmissionItems',
            id: 'i-1',
            relationships: { appStoreVersion: to('appStoreVersions', 'v-1') },
          },
          { type: 'reviewSubmissionItems', id: 'i-2', relationships: { appStoreVersion: { data: null } } },
          { type: 'reviewSubmissionItems', id: 'i-3', attributes: { state: 'REMOVED' } },
        ],
      }),
    );
    await expect(client.reviews.items('r-1')).resolves.toEqual([
      { id: 'i-1', versionId: 'v-1' },
      { id: 'i-2', versionId: null },
    ]);
  });
});
