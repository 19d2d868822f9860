import { generateKeyPairSync } from 'node:crypto';
import {
  closeStores,
  configFor,
  refusalFrom,
  serve,
  sessionFor,
} from '../../../../test/support/stores/store-servers.js';
import { StoreRefusal } from '../../calls/refusals/refusal.js';
import { AppStoreConnectClient } from './app-store-connect-client.js';
import type { CallBudget } from '../rate-limits/call-budget.service.js';

afterEach(closeStores);

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = {
  keyId: '2X9R4HXF34',
  issuerId: null,
  privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const budget = { take: () => Promise.resolve(), learn: () => Promise.resolve() } as unknown as CallBudget;

/** A client of an App Store Connect that gives one answer to everything. */
async function clientOf(text: string, status = 200): Promise<AppStoreConnectClient> {
  const { url } = await serve((_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
  });
  const config = configFor('http://127.0.0.1:1');
  config.stores.appStoreConnectUrl = url;
  return new AppStoreConnectClient(sessionFor(config), { baseUrl: url, key, budget });
}

const version = { version: '1.0', buildNumber: '1' };
const CALLS: readonly ((client: AppStoreConnectClient) => Promise<unknown>)[] = [
  (client) => client.app('1'),
  (client) => client.appsByBundleId('com.example.app'),
  (client) => client.apps(21),
  (client) => client.betaGroups('1'),
  (client) => client.storeVersions('1', 'ios'),
  (client) => client.builds('1', 'ios', version),
  (client) => client.build('1'),
  (client) => client.buildBetaDetail('1'),
  (client) => client.buildUploads('1', 'ios', version),
  (client) => client.buildUpload('1'),
  (client) => client.createBuildUpload('1', 'ios', version),
  (client) => client.createBuildUploadFile('1', { fileName: 'a', sizeInBytes: 3 }),
  (client) => client.buildUploadFile('1'),
  (client) => client.betaLocalizations('1'),
  (client) => client.appLocales('1'),
  (client) => client.betaReviewState('1'),
  (client) => client.markUploaded('1'),
  (client) => client.submitForBetaReview('1'),
  (client) => client.addToGroup('1', '2'),
];

const LONG = Array(190_000).fill('0').join(',');
const ANSWERS: Readonly<Record<string, string>> = {
  'a list without an end': `{"data": [${LONG}]}`,
  'related resources without an end': `{"data": [], "included": [${LONG}]}`,
  'lists in lists': '['.repeat(100_000) + ']'.repeat(100_000),
  'objects in objects': `{"data":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
  prototypes:
    '{"__proto__": {"data": {}}, "data": {"__proto__": {"id": "1"}, "attributes": {"__proto__": {}}}}',
  nulls: '{"data": {"id": "1", "attributes": null, "relationships": null}, "included": null, "links": null}',
  'a list of nulls': '{"data": [null, {"id": null}]}',
  'an id that is a path': '{"data": {"id": "../../apps", "attributes": {}}}',
  'control characters': '{"data": {"id": "1\\u0000", "attributes": {"name": "a\\u0000b"}}}',
  'errors with a status that is none': '{"errors": [{"status": "500", "code": "X"}]}',
  'a number': '5',
  nothing: '',
  'a next page at a private address': '{"data": [], "links": {"next": "http://169.254.169.254/latest"}}',
  'a next page at another host': '{"data": [], "links": {"next": "//elsewhere.example/x"}}',
};

it.each(Object.entries(ANSWERS))('refuses %s, or reads nothing from it', async (_, answer) => {
  const client = await clientOf(answer);
  for (const call of CALLS) {
    const error = await call(client).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error !== null && !(error instanceof StoreRefusal)) throw error;
  }
});

it.each(['{}', '{"data": null}', '{"errors": []}'])('does not take %s for an empty list', async (answer) => {
  const refusal = await refusalFrom((await clientOf(answer)).appsByBundleId('com.example.app'));
  expect(refusal.refusal).toMatchObject({ code: 'store_answer_unusable', retry: 'again' });
});

it('does not take an upload without a state for one that has ended', async () => {
  const client = await clientOf('{"data": {"id": "1", "attributes": {"state": {"state": {}}}}}');
  expect((await refusalFrom(client.buildUpload('1'))).refusal.code).toBe('store_answer_unusable');
});

it('reads a list whose pages repeat themselves to an end, and each group once', async () => {
  const group = { id: '1', attributes: { name: 'Team', isInternalGroup: true } };
  const client = await clientOf(JSON.stringify({ data: [group], links: { next: '/v1/betaGroups' } }));
  expect((await client.betaGroups('1')).map(({ name }) => name)).toEqual(['Team']);
});
