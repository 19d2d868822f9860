import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { cloneDatabase, dropDatabase } from '../setup/databases.js';
import { startServer } from '../setup/server.js';
import { testEnvironment } from '../setup/test-environment.js';
import { type Fault, StoreProxy } from '../support/s3/store-proxy.js';

let databaseUrl: string;
let dataDir: string;
let proxy: StoreProxy;

beforeAll(async () => {
  databaseUrl = await cloneDatabase(testEnvironment().templateUrl);
  dataDir = await mkdtemp(join(tmpdir(), 'slipway-start-'));
  proxy = await StoreProxy.start(process.env['S3_ENDPOINT'] ?? '');
});
beforeEach(() => proxy.heal());
afterAll(async () => {
  await proxy.stop();
  await dropDatabase(databaseUrl);
  await rm(dataDir, { recursive: true });
});

/** Starts a server, which must not start. @returns what it says at its end */
async function failedStart(env: Readonly<Record<string, string>>): Promise<string> {
  const start = startServer({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...env });
  const { message } = await start.then(
    async (server) => {
      await server.kill();
      throw new Error('It started.');
    },
    (error: Error) => error,
  );
  return message.trim().split('\n').at(-1) ?? '';
}

it.each<[string, Record<string, string>, RegExp]>([
  [
    'lacks its bucket',
    { S3_BUCKET: 'nowhere' },
    /^The bucket "nowhere" \(S3_BUCKET\) does not exist at http.*\.$/,
  ],
  [
    'does not know the access key',
    { S3_ACCESS_KEY_ID: 'test:stranger' },
    /^The object storage at http.* rejects the keys \(S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY\): \w+\.$/,
  ],
  [
    'has another secret',
    { S3_SECRET_ACCESS_KEY: 'guessed' },
    /^The object storage at http.* rejects the keys \(S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY\): \w+\.$/,
  ],
  [
    'is in another region',
    { S3_REGION: 'eu-central-1' },
    /^The bucket "slipway" \(S3_BUCKET\) is in another region, not in eu-central-1 \(S3_REGION\)\.$/,
  ],
  [
    'is not there',
    { S3_ENDPOINT: 'http://127.0.0.1:1' },
    /^The object storage at http:\/\/127\.0\.0\.1:1 \(S3_ENDPOINT, S3_REGION\) does not respond: .+\.$/,
  ],
  [
    'has no address',
    { S3_ENDPOINT: 'http://storage.invalid' },
    /^The object storage at http:\/\/storage\.invalid \(S3_ENDPOINT, S3_REGION\) does not respond: .+\.$/,
  ],
])('does not start when the store %s, and says so in one sentence', async (_case, env, sentence) => {
  expect(await failedStart(env)).toMatch(sentence);
});

it.each<[string, Fault, readonly string[], RegExp]>([
  [
    'is read-only',
    { kind: 'error', status: 403, code: 'AccessDenied' },
    ['PUT'],
    /^The keys \(S3_ACCESS_KEY_ID\) lack a permission for the bucket "slipway" \(S3_BUCKET\): AccessDenied\.$/,
  ],
  [
    'must not be read',
    { kind: 'error', status: 403, code: 'AccessDenied' },
    ['GET'],
    /^The keys \(S3_ACCESS_KEY_ID\) lack a permission for the bucket "slipway" \(S3_BUCKET\): AccessDenied\.$/,
  ],
  [
    'is full',
    { kind: 'error', status: 507, code: 'InsufficientStorage' },
    ['PUT'],
    /^The bucket "slipway" \(S3_BUCKET\) is full at http.*\.$/,
  ],
  [
    'fails',
    { kind: 'error', status: 500, code: 'InternalError' },
    ['PUT'],
    /^The object storage at http.* \(S3_ENDPOINT\) failed with 500 InternalError\.$/,
  ],
])('does not start when the store %s', async (_case, fault, methods, sentence) => {
  proxy.failAll(fault, methods);
  expect(await failedStart({ S3_ENDPOINT: proxy.url })).toMatch(sentence);
});

it('leaves nothing of the check in the bucket', async () => {
  const server = await startServer({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    S3_ENDPOINT: proxy.url,
  });
  await server.kill();
  const probes = proxy.seen.filter(({ path }) => path.includes(`${basename(dataDir)}/.probe/`));
  expect(probes.map(({ method }) => method)).toEqual(expect.arrayContaining(['PUT', 'GET', 'DELETE']));
  expect(probes.at(-1)?.method).toBe('DELETE');
});
