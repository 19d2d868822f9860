import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';
import { zipOf } from '../support/live-updates/archives.js';
import { trySigned } from '../support/live-updates/signed-manifests.js';
import { MANIFEST, manifestOf } from '../support/live-updates/uploads.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';

const program = join(import.meta.dirname, '../../dist/slipway.js');

let app: TestApp;
let folder: string;

beforeEach(async () => {
  app = await createApp();
  folder = await temporaryFolder();
});

async function importBundles(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const tokenFile = join(await temporaryFolder(), 'token');
  await writeFile(tokenFile, `${app.api.token}\n`);
  const child = spawn(process.execPath, [
    program,
    'import',
    'bundles',
    '--app',
    app.id,
    '--server',
    testEnvironment().origin,
    '--token-file',
    tokenFile,
    ...args,
  ]);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { code, out, err };
}

async function write(path: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

interface Deployment {
  readonly appChannelId: string;
  readonly appBuildId: string;
  readonly rolloutPercentage: number;
}

/** Oldest first. */
async function deployments(): Promise<Deployment[]> {
  const { body } = await app.api.get(`${app.path}/deployments`);
  return (body as Deployment[]).reverse();
}

async function builds(): Promise<Record<string, unknown>[]> {
  const all = await deployments();
  return Promise.all(
    all.map(async ({ appBuildId }) => {
      const { body } = await app.api.get(`${app.path}/builds/${appBuildId}`);
      return body as Record<string, unknown>;
    }),
  );
}

const zip = (version: string): Promise<Buffer> => zipOf({ 'index.html': `<p>${version}</p>` });

it('publishes the zips of a folder by path, with their channels and constraints', async () => {
  const { id: channelId } = await createChannel(app, { name: 'beta' });
  await write('1.0.0.zip', await zip('1.0.0'));
  await write('1.1.0.zip', await zip('1.1.0'));
  await write(
    '1.1.0.zip.json',
    JSON.stringify({
      channelName: 'beta',
      minIosAppVersionCode: '12',
      rolloutPercentage: 0.5,
      customProperties: { version: '1.1.0' },
      gitRef: 'v1.1.0',
    }),
  );
  await write('notes.txt', 'nothing');
  const { code, out } = await importBundles(folder);
  expect([code, out]).toEqual([0, '1.0.0.zip: imported\n1.1.0.zip: imported\n2 of 2 bundles.\n']);
  expect(await deployments()).toMatchObject([
    { appChannelId: app.defaultChannelId, rolloutPercentage: 1 },
    { appChannelId: channelId, rolloutPercentage: 0.5 },
  ]);
  expect((await builds())[1]).toMatchObject({
    minIosAppVersionCode: '12',
    customProperties: { version: '1.1.0' },
    gitRef: 'v1.1.0',
  });
});

it('prints what publications warn of, and counts it', async () => {
  await write('1.zip', await zipOf({ 'www/index.html': '<p></p>', 'www/aux.js': '' }));
  await write('2.zip', await zip('2'));
  await write('3.zip', await zipOf({ 'dist/index.html': '<p></p>' }));
  const { code, out, err } = await importBundles(folder);
  expect([code, out]).toEqual([
    0,
    '1.zip: imported\n2.zip: imported\n3.zip: imported\n3 of 3 bundles, 3 warnings.\n',
  ]);
  expect(err.split('\n')).toEqual([
    expect.stringMatching(/^1\.zip: warning: Everything is in the folder www\./),
    expect.stringMatching(/^1\.zip: warning: Windows cannot unpack "www\/aux\.js"/),
    expect.stringMatching(/^3\.zip: warning: Everything is in the folder dist\./),
    '',
  ]);
  await write('4.zip', await zipOf({ 'www/index.html': '<p>4</p>' }));
  expect((await importBundles(folder)).out).toContain(
    '3.zip: imported before\n4.zip: imported\n4 of 4 bundles, 1 warning.',
  );
});

it('imports nothing twice, and what is new', async () => {
  await write('1.zip', await zip('1'));
  await importBundles(folder);
  await write('2.zip', await zip('2'));
  const { out } = await importBundles(folder);
  expect(out).toBe('1.zip: imported before\n2.zip: imported\n2 of 2 bundles.\n');
  expect(await deployments()).toHaveLength(2);
});

it('goes on with the bundle that a killed run had begun', async () => {
  await write('1.zip', await zip('1'));
  await importBundles(folder);
  // As if the run had been killed before it noted the bundle.
  await writeFile(join(folder, 'imported.ndjson'), '{"finger');
  const { code, out } = await importBundles(folder);
  expect([code, out]).toEqual([0, '1.zip: imported before\n1 of 1 bundles.\n']);
  expect(await deployments()).toHaveLength(1);
});

it('sends large zips in parts', async () => {
  await write(
    'large.zip',
    await zipOf({ 'index.html': '<p></p>', 'video.mp4': randomBytes(21 * 1024 * 1024) }),
  );
  expect((await importBundles(folder)).code).toBe(0);
  expect(await deployments()).toHaveLength(1);
});

it('creates channels on request', async () => {
  await write('a/1.zip', await zip('1'));
  await write('a/1.zip.json', JSON.stringify({ channelName: 'Night' }));
  const refused = await importBundles(folder);
  expect([refused.code, refused.err]).toEqual([1, 'a/1.zip: Channel not found.\n']);
  expect((await importBundles('--create-channels', folder)).code).toBe(0);
  const { body } = await app.api.get(`${app.path}/channels?name=night`);
  expect(body).toMatchObject([{ name: 'Night' }]);
});

it('sends nothing in a dry run', async () => {
  await write('1.zip', await zip('1'));
  await write('2.zip', 'no zip');
  const { code, out, err } = await importBundles('--dry-run', folder);
  expect([code, out, err]).toEqual([
    1,
    '1.zip: would be imported\n1 of 2 bundles.\n',
    '2.zip: The file is not a zip.\n',
  ]);
  expect(await deployments()).toEqual([]);
});

it('goes on after a bundle that cannot be imported', async () => {
  await write('1.zip', 'no zip');
  await write('2.zip', await zip('2'));
  await write('2.zip.json', JSON.stringify({ minIosAppVersionCode: 12 }));
  await write('3.zip', await zip('3'));
  const { code, out } = await importBundles(folder);
  expect([code, out]).toEqual([1, '3.zip: imported\n1 of 3 bundles.\n']);
});

describe('manifests of another server', () => {
  const [zipped, alone] = [randomUUID(), randomUUID()];
  const files = { 'index.html': '<p></p>', 'a.js': '1', 'b.js': '2' };

  const stored = () =>
    query<{ id: string }>(
      testEnvironment().databaseUrl,
      'SELECT bundle_id AS id FROM plain_manifests WHERE app_id = $1 AND build_number IS NULL ORDER BY 1',
      [app.id],
    );

  it('are imported under the ids that devices report: alone, and those of zips', async () => {
    await write('1.0.0.zip', await zipOf({ ...files, [MANIFEST]: manifestOf(files) }));
    await write('1.0.0.zip.json', JSON.stringify({ bundleId: zipped.toUpperCase() }));
    await write(`${alone}.manifest.json`, manifestOf(files));
    const dry = await importBundles('--dry-run', folder);
    expect([dry.code, await stored()]).toEqual([0, []]);
    const { code, out } = await importBundles(folder);
    expect([code, out]).toEqual([
      0,
      `${alone}.manifest.json as ${alone}: imported\n1.0.0.zip as ${zipped}: imported\n2 of 2 manifests.\n` +
        '1.0.0.zip: imported\n1 of 1 bundles.\n',
    ]);
    expect(await stored()).toEqual([zipped, alone].sort().map((id) => ({ id })));
    expect((await importBundles(folder)).out).toContain(`as ${zipped}: imported before\n`);
    // Two files exchange their content, so devices of none of the three are offered it.
    const exchanged = { ...files, 'a.js': '2', 'b.js': '1' };
    await createChannel(app, { name: 'beta' });
    const { response } = await trySigned(app, exchanged, { channelName: 'beta' });
    expect((response.body as { warnings: { message: string }[] }).warnings[0]?.message).toContain(
      'Devices that run build 1 or one of 2 others are not offered',
    );
  });

  it('make a zip without one known', async () => {
    await write('1.zip', await zip('1'));
    await write('1.zip.json', JSON.stringify({ bundleId: zipped }));
    expect((await importBundles(folder)).code).toBe(0);
    expect(await stored()).toEqual([{ id: zipped }]);
  });

  it('are refused with a reason, and the others are imported', async () => {
    await write(`${alone}.manifest.json`, '{}');
    await write(`${zipped}.manifest.json`, manifestOf(files));
    const { code, out, err } = await importBundles(folder);
    expect([code, out]).toEqual([
      1,
      `${zipped}.manifest.json as ${zipped}: imported\n1 of 2 manifests.\n0 of 0 bundles.\n`,
    ]);
    expect(err).toBe(`${alone}.manifest.json as ${alone}: The manifest ${MANIFEST} is not a JSON array.\n`);
    await write('1.0.0.manifest.json', manifestOf(files));
    expect(await importBundles(folder)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('1.0.0.manifest.json: the id of the bundle must be a UUID.') as string,
    });
  });
});

describe('a list of addresses', () => {
  let server: Server;
  let origin: string;

  beforeEach(async () => {
    const content = await zip('hosted');
    server = createServer((request, response) => {
      if (request.url === '/1.zip') response.end(content);
      else if (request.url === '/manifest') response.end(manifestOf({ 'index.html': '' }));
      else response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => server.close());

  it('is downloaded and published in its order', async () => {
    const list = join(folder, 'bundles.txt');
    const lines = [
      '# Two of the same, for two versions.',
      `${origin}/1.zip`,
      JSON.stringify({ url: `${origin}/1.zip`, minAndroidAppVersionCode: '7' }),
      `${origin}/2.zip`,
    ];
    await writeFile(list, lines.join('\n'));
    const { code, err, out } = await importBundles('--channel', 'default', list);
    expect([code, err]).toEqual([1, `${origin}/2.zip: The address answers 404.\n`]);
    expect(out).toContain('2 of 3 bundles.');
    expect((await builds()).map(({ minAndroidAppVersionCode }) => minAndroidAppVersionCode)).toEqual([
      null,
      '7',
    ]);
    expect(await readFile(`${list}.imported.ndjson`, 'utf8')).toContain(`${origin}/1.zip`);
  });

  it('may name manifests of other bundles', async () => {
    const list = join(folder, 'bundles.txt');
    const [one, other] = [randomUUID(), randomUUID()];
    const lines = [
      { bundleId: one, manifest: `${origin}/manifest` },
      { bundleId: other, url: `${origin}/1.zip` },
    ];
    await writeFile(list, lines.map((line) => JSON.stringify(line)).join('\n'));
    const { code, out } = await importBundles(list);
    expect([code, out]).toEqual([
      0,
      `${origin}/manifest as ${one}: imported\n${origin}/1.zip as ${other}: imported\n2 of 2 manifests.\n` +
        `${origin}/1.zip: imported\n1 of 1 bundles.\n`,
    ]);
  });

  it('is refused as a whole when a line is wrong', async () => {
    const list = join(folder, 'bundles.txt');
    await writeFile(list, `${origin}/1.zip\nfile:///etc/passwd\n`);
    const { code, err } = await importBundles(list);
    expect([code, err]).toEqual([1, `${list}:2: an http or https address is expected.\n`]);
  });
});

it.each([
  ['no source', []],
  ['an unknown option', ['--force', '.']],
  ['a source that does not exist', ['/nowhere']],
])('explains itself when it gets %s', async (_, args) => {
  const { code, err } = await importBundles(...args);
  expect(code).toBeGreaterThan(0);
  expect(err).toMatch(/Usage|does not exist/);
});
