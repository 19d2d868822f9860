import { generateKeyPairSync } from 'node:crypto';
import { publishManifest, publishZip } from '../builders/publication.js';
import { eventually } from '../support/eventually.js';
import { type Files, withoutUtf8Flags, zipOf } from '../support/live-updates/archives.js';
import { MANIFEST } from '../support/live-updates/uploads.js';
import type { PluginDevice } from '../support/plugins/plugin-device.js';
import { expectShown, inTurn, PluginSite } from '../support/plugins/plugin-site.js';
import { ALL_VERSIONS, VERSIONS, versionsSince } from '../support/plugins/prepared.js';
import { publishFolder } from '../support/plugins/publish-folder.js';

/** Three releases of an app: changed, removed and new files, empty ones, and contents that move between files. */
const RELEASES: readonly Files[] = [
  { 'index.html': '<h1>1</h1>', 'assets/app.js': 'start(1);', 'assets/logo.svg': '<svg/>', 'a.txt': '' },
  { 'index.html': '<h1>1</h1>', 'assets/app.js': 'start(2);', 'assets/logo.svg': '<svg/>', 'a.txt': 'a' },
  {
    'index.html': '<h1>1</h1>',
    'assets/app.js': 'a',
    'assets/new.css': 'a {}',
    'a.txt': '',
    'b.txt': 'start(2);',
  },
];

/** In these no content moves, which is refused for signed manifests. */
const SIGNED_RELEASES: readonly Files[] = [
  { 'index.html': '<h1>1</h1>', 'assets/app.js': 'start(1);', 'assets/logo.svg': '<svg/>' },
  { 'index.html': '<h1>1</h1>', 'assets/app.js': 'start(2);', 'assets/logo.svg': '<svg/>', 'a.txt': 'a' },
  { 'index.html': '<h1>3</h1>', 'assets/app.js': 'start(2);', 'assets/new.css': 'a {}', 'a.txt': 'a' },
];

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string;

let site: PluginSite;
beforeAll(async () => {
  site = await PluginSite.start();
});
afterEach(() => site.stopDevices());
afterAll(() => site.dispose());

const syncAll = (devices: readonly PluginDevice[]): Promise<(string | null)[]> =>
  inTurn(devices, (device) => device.syncAndRestart());

describe.each(['zip', 'manifest'] as const)(
  'releases that the command-line tool publishes as %s',
  (artifactType) => {
    it.each([
      ['unsigned', RELEASES, undefined, {}, ALL_VERSIONS],
      ['signed', SIGNED_RELEASES, privatePem, { publicKey: publicPem }, VERSIONS],
    ])('are installed one after the other: %s', async (_name, releases, key, config, versions) => {
      const app = await site.createApp();
      const devices = await site.installAll(app, { config }, versions);
      await expectShown(devices);
      for (const files of releases) {
        const id = await publishFolder(app, files, artifactType, key);
        expect(await syncAll(devices)).toEqual(devices.map(() => id));
        await expectShown(devices, { id, files });
      }
      // Nothing is new.
      expect(await syncAll(devices)).toEqual(devices.map(() => null));
    });

    it('are refused where they are not signed with the key of the app, and installed when they are', async () => {
      const app = await site.createApp();
      const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const config = { publicKey: other.publicKey.export({ type: 'spki', format: 'pem' }) };
      const devices = await site.installAll(app, { config });
      await publishFolder(app, SIGNED_RELEASES[0]!, artifactType, privatePem);
      await inTurn(devices, (device) =>
        expect(device.sync()).rejects.toThrow('Signature verification failed.'),
      );
      await publishFolder(app, SIGNED_RELEASES[1]!, artifactType);
      // Some versions take the missing signature for an empty one.
      await inTurn(devices, (device) => expect(device.sync()).rejects.toThrow(/signature/i));
      await expectShown(devices);

      const otherPem = other.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
      const id = await publishFolder(app, SIGNED_RELEASES[2]!, artifactType, otherPem);
      await syncAll(devices);
      await expectShown(devices, { id, files: SIGNED_RELEASES[2]! });
    });
  },
);

it('fetches only the files of a manifest that have changed', async () => {
  const app = await site.createApp();
  await publishManifest(app, RELEASES[0]!);
  const devices = await site.installAll(app);
  await syncAll(devices);
  const { id } = await publishManifest(app, RELEASES[1]!);
  for (const device of devices) {
    site.proxy.requests.length = 0;
    await device.syncAndRestart();
    const fetched = site.proxy.requests.flatMap(({ query }) => query.get('href') ?? []);
    expect({ version: device.version, fetched: fetched.toSorted() }).toEqual({
      version: device.version,
      fetched: ['a.txt', 'assets/app.js', MANIFEST].toSorted(),
    });
  }
  await expectShown(devices, { id, files: RELEASES[1]! });
});

describe('files', () => {
  const odd: Files = {
    'index.html': '<html>',
    'assets/Grüße & 1+1 = 100%.txt': 'hello',
    'assets/a b/c+d/%20.js': '1',
    "assets/it's (new)!.js": '2',
    'assets/日本 😀.js': '3',
    'assets/semi;colon,comma@at$.js': '4',
    'assets/[id]#hash?query.js': '5',
    'assets/no-extension': '',
    ...Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`chunks/${n % 7}/${n}.js`, `chunk(${n});`])),
  };

  it.each([
    ['a zip', publishZip],
    ['a manifest', publishManifest],
  ])('of odd names, and 150 others, arrive in %s', async (_form, publish) => {
    const app = await site.createApp();
    const { id } = await publish(app, odd);
    const devices = await site.installAll(app);
    await syncAll(devices);
    await expectShown(devices, { id, files: odd });
  });

  it.each([
    ['a zip', publishZip],
    ['a manifest', publishManifest],
  ])('beside an index.html in a folder become the app, in %s', async (_form, publish) => {
    const app = await site.createApp();
    const devices = await site.installAll(app);
    for (const files of RELEASES) {
      const inFolder = Object.fromEntries(
        Object.entries(files).map(([href, content]) => [`www/${href}`, content]),
      );
      const { id } = await publish(app, { ...inFolder, 'license.txt': 'free' });
      await syncAll(devices);
      await expectShown(devices, { id, files });
    }
  });

  it('come in Brotli since 8.4 and in gzip before, and are unpacked', async () => {
    const app = await site.createApp();
    const files: Files = { 'index.html': '<p>again</p>'.repeat(5000), 'app.js': 'start();\n'.repeat(5000) };
    const { id } = await publishManifest(app, files);
    const devices = await site.installAll(app);
    for (const device of devices) {
      site.proxy.requests.length = 0;
      await device.syncAndRestart();
      const encodings = site.proxy.requests
        .filter(({ query }) => query.get('href') === 'app.js')
        .map(({ answer }) => answer.encoding);
      expect({ version: device.version, encodings }).toEqual({
        version: device.version,
        encodings: [versionsSince('8.4.0').includes(device.version) ? 'br' : 'gzip'],
      });
    }
    await expectShown(devices, { id, files });
  });

  it('come in a generated zip at the first time, and one by one later', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 27 }, (_, n) => [
        `assets/${n}.js`,
        `export const c${n} = () => 'component';\n`.repeat(9),
      ]),
    );
    const app = await site.createApp();
    const first: Files = { 'index.html': '<html>', ...many };
    const { id } = await publishManifest(app, first);
    const check = `${app.path}/bundles/latest?platform=0&pluginVersion=8.4.3&appVersionCode=10`;
    await eventually(async () => {
      const { body } = await app.api.request('get', check);
      expect(body).toMatchObject({ artifactType: 'zip' });
    });
    const devices = await site.installAll(app);
    site.proxy.requests.length = 0;
    await syncAll(devices);
    expect(site.proxy.requests.filter(({ query }) => query.has('href'))).toEqual([]);
    await expectShown(devices, { id, files: first });

    const second: Files = { ...first, 'assets/7.js': 'export {};' };
    const next = await publishManifest(app, second);
    site.proxy.requests.length = 0;
    await syncAll(devices);
    const fetched = site.proxy.requests.flatMap(({ query }) => query.get('href') ?? []);
    expect(fetched.toSorted()).toEqual(devices.flatMap(() => ['assets/7.js', MANIFEST]).toSorted());
    await expectShown(devices, { id: next.id, files: second });
  });
});

it('names in UTF-8 without the flag are installed as they are', async () => {
  const app = await site.createApp();
  const devices = await site.installAll(app);
  const files = { 'index.html': '<script src="café.js">', 'café.js': 'start();' };
  const { id } = await publishZip(app, withoutUtf8Flags(await zipOf(files)));
  await syncAll(devices);
  await expectShown(devices, { id, files });
});
