import { generateKeyPairSync } from 'node:crypto';
import { s3Env } from '../setup/object-storage.js';
import type { Files } from '../support/live-updates/archives.js';
import { expectShown, inTurn, PluginSite } from '../support/plugins/plugin-site.js';
import { publishFolder } from '../support/plugins/publish-folder.js';
import { versionsSince } from '../support/plugins/prepared.js';
import { uniqueName } from '../support/unique-name.js';

const RELEASES: readonly Files[] = [
  { 'index.html': '<h1>1</h1>', 'app.js': 'start(1);', 'a b+c.txt': '' },
  { 'index.html': '<h1>2</h1>', 'app.js': 'start(1);', 'a b+c.txt': 'a' },
];
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const publicPem = publicKey.export({ type: 'spki', format: 'pem' });

const isThere = process.env['S3_ENDPOINT'] !== undefined;

(isThere ? describe : describe.skip).each([
  ['without redirects', {}],
  ['with redirects', { DOWNLOAD_REDIRECTS: 'true', S3_PUBLIC_ENDPOINT: 'https://store.test' }],
])('files in object storage, %s,', (_name, env: Record<string, string>) => {
  let site: PluginSite;
  beforeAll(async () => {
    const storage = { ...s3Env(), STORAGE: 's3', S3_PREFIX: uniqueName('plugins') };
    site = await PluginSite.start({ ...storage, ...env }, process.env['S3_ENDPOINT']);
  });
  afterEach(() => site.stopDevices());
  afterAll(() => site.dispose());

  it.each(['zip', 'manifest'] as const)('are installed as on disk: %s', async (artifactType) => {
    const app = await site.createApp();
    const devices = await site.installAll(app);
    const signing = await site.installAll(app, { config: { publicKey: publicPem } }, versionsSince('7.2.2'));
    for (const files of RELEASES) {
      const id = await publishFolder(app, files, artifactType, privatePem);
      site.proxy.requests.length = 0;
      await inTurn([...devices, ...signing], (device) => device.syncAndRestart());
      await expectShown([...devices, ...signing], { id, files });
      const isRedirected = 'DOWNLOAD_REDIRECTS' in env && artifactType === 'zip';
      const fromStore = site.proxy.requests.filter(({ host }) => host === 'store.test');
      // Those that say what they are: 8.2 and newer, with and without a key.
      expect(fromStore).toHaveLength(isRedirected ? 2 : 0);
    }
  });
});
