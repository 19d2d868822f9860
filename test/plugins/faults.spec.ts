import { publishManifest, publishZip } from '../builders/publication.js';
import type { Files } from '../support/live-updates/archives.js';
import { MANIFEST } from '../support/live-updates/uploads.js';
import { expectShown, inTurn, PluginSite } from '../support/plugins/plugin-site.js';
import type { Fault, Match } from '../support/plugins/tls-proxy.js';

const FIRST: Files = { 'index.html': '<h1>1</h1>', 'app.js': 'start(1);'.repeat(500), 'logo.svg': '<svg/>' };
const SECOND: Files = { 'index.html': '<h1>2</h1>', 'app.js': 'start(2);'.repeat(500), 'logo.svg': '<svg/>' };

const HTML: Fault = {
  kind: 'answer',
  status: 200,
  type: 'text/html',
  body: '<html>Sign in to the Wi-Fi</html>',
};
const UNAVAILABLE: Fault = {
  kind: 'answer',
  status: 503,
  type: 'text/plain',
  body: 'upstream connect error',
};

const isCheck: Match = ({ path }) => path.endsWith('/bundles/latest');
const isDownload: Match = ({ path }) => path.includes('/download');
const isOf =
  (href: string): Match =>
  ({ query }) =>
    query.get('href') === href;

const ON_CHECKS: [string, Match, Fault][] = [
  ['a page instead of the answer to the check', isCheck, HTML],
  ['an error of a proxy instead of the answer to the check', isCheck, UNAVAILABLE],
  ['a cut in the answer to the check', isCheck, { kind: 'cut', after: 20 }],
];

let site: PluginSite;
beforeAll(async () => {
  site = await PluginSite.start();
});
afterEach(() => site.stopDevices());
afterAll(() => site.dispose());

describe.each<[string, typeof publishManifest, [string, Match, Fault][]]>([
  [
    'zip',
    publishZip,
    [
      ['a page instead of the zip', isDownload, HTML],
      ['an error of a proxy instead of the zip', isDownload, UNAVAILABLE],
      ['a cut in the zip', isDownload, { kind: 'cut', after: 100 }],
      ['one other bit in the zip', isDownload, { kind: 'flip' }],
    ],
  ],
  [
    'manifest',
    publishManifest,
    [
      ['a page instead of the manifest', isOf(MANIFEST), HTML],
      ['an error of a proxy instead of the manifest', isOf(MANIFEST), UNAVAILABLE],
      ['one other bit in the manifest', isOf(MANIFEST), { kind: 'flip' }],
      ['an error of a proxy instead of a file', isOf('app.js'), UNAVAILABLE],
      ['a cut in a file', isOf('app.js'), { kind: 'cut', after: 10 }],
      ['one other bit in a file', isOf('app.js'), { kind: 'flip' }],
    ],
  ],
])('an update as %s', (form, publish, onDownloads) => {
  it('changes nothing while it fails, and is installed when nothing fails any more', async () => {
    const app = await site.createApp();
    const first = await publish(app, FIRST);
    const devices = await site.installAll(app);
    await inTurn(devices, (device) => device.syncAndRestart());
    const { id } = await publish(app, SECOND);
    for (const [name, match, fault] of [...ON_CHECKS, ...onDownloads]) {
      site.proxy.spoil(match, fault);
      const outcomes = await inTurn(devices, async (device) => {
        // A failed check is "no update" for some versions.
        const next = await device.sync().catch(() => null);
        return { version: device.version, fault: name, next, kept: await device.kept() };
      });
      expect(outcomes).toEqual(
        devices.map(({ version }) => ({ version, fault: name, next: null, kept: [first.id] })),
      );
    }
    await expectShown(devices, { id: first.id, files: FIRST });
    site.proxy.heal();
    await inTurn(devices, (device) => device.syncAndRestart());
    await expectShown(devices, { id, files: SECOND });
  });

  it('that is killed in the middle is installed after the next start', async () => {
    const app = await site.createApp();
    const devices = await site.installAll(app);
    const { id } = await publish(app, FIRST);
    for (const device of devices) {
      site.proxy.spoil(form === 'zip' ? isDownload : isOf('app.js'), { kind: 'stall', after: 10 });
      const stalled = site.proxy.stalled();
      const interrupted = device.sync().catch((error: Error) => error);
      await stalled;
      await device.stop('SIGKILL');
      expect(await interrupted).toBeInstanceOf(Error);
      site.proxy.heal();
      await device.start();
      await expectShown([device]);
      await device.syncAndRestart();
    }
    await expectShown(devices, { id, files: FIRST });
  });
});
