import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { createGitConnection } from '../builders/git-connection.js';
import { createTenant } from '../builders/identities.js';
import { publishZip } from '../builders/publication.js';
import { someOf } from '../setup/depth.js';
import { freePort } from '../setup/free-port.js';
import { testEnvironment } from '../setup/test-environment.js';
import { importAab } from '../support/app-submissions/submissions.js';
import { AndroidDevice } from '../support/devices/android.js';
import { setGitRemote } from '../support/git/git-remote.js';
import { GitServer, hasGit } from '../support/git/git-server.js';
import { LocalServer } from '../support/git/local-server.js';
import { RestServer } from '../support/git/rest-server.js';
import { zipOf } from '../support/live-updates/archives.js';
import { see } from '../support/live-updates/native-versions.js';
import { makeApk } from '../support/native-builds/apk-writer.js';
import { makeAppleIdentity, makeP12 } from '../support/native-builds/apple/identity.js';
import { makeProfile } from '../support/native-builds/apple/profile.js';
import { importFile } from '../support/native-builds/imports.js';
import { makeIpa } from '../support/native-builds/ipa-writer.js';
import { hasKeytool } from '../support/native-builds/keystores/keytool.js';
import { serveBuilds } from '../support/native-builds/leases.js';
import { receiverPrograms } from '../support/notifications/receiver-page.js';
import { capacitorProject, hasGradleTools } from '../support/runners/android/android-project.js';
import { createAndroidCertificate, startAndroidRunner } from '../support/runners/android/android-runner.js';
import { IosMachine } from '../support/runners/ios/ios-machine.js';
import { BUNDLE_ID, capacitorIosProject } from '../support/runners/ios/ios-project.js';
import { startIosRunner } from '../support/runners/ios/ios-runner.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';
import { OwnSite } from '../support/servers/own-site.js';
import { startAppStoreConnect } from '../support/stores/app-store-connect/app-store-connect.js';
import { startGooglePlay } from '../support/stores/google-play/google-play.js';
import { GuideStores } from '../support/stores/guide-stores.js';
import { pagesWithCommands } from '../support/processes/pages.js';
import { readPage, runShell, shellLinesOf } from '../support/processes/shell.js';

const root = join(import.meta.dirname, '../..');

let app: TestApp;
let device: AndroidDevice;
let folder: string;
/** What a page has started, the last one first. */
let stops: (() => Promise<void>)[];

/** An app with two versions in the channel `production`, whose newest one runs on a device. */
beforeEach(async () => {
  stops = [];
  app = await createApp();
  await createChannel(app, { name: 'production' });
  await publishZip(app, { 'index.html': '1' }, { values: { channelName: 'production' } });
  await publishZip(app, { 'index.html': '2' }, { values: { channelName: 'production' } });
  device = new AndroidDevice({ appId: app.id, channelName: 'production', deviceId: 'my-phone' });
  await device.sync();
  folder = await mkdtemp(join(tmpdir(), 'slipway-guide-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await write('slipway/.slipway/token', `${app.tenant.owner.token}\n`);
  await write('dist/index.html', '3');
});

afterEach(async () => {
  for (const stop of stops) await stop();
  await rm(folder, { recursive: true, force: true });
});

async function write(path: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

/** Makes the folder a checkout with a commit. */
function commit(): void {
  setGitRemote(folder, 'https://github.com/acme/shop.git');
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  execFileSync('git', ['-C', folder, ...author, 'commit', '--quiet', '--allow-empty', '--message', 'First']);
}

/** What the reader of a page has done before, and sees. */
interface Reading {
  /** @returns what the page says, and what stands for it here */
  readonly before?: () => Promise<Readonly<Record<string, string>>>;
  /** Whether the page assumes that the command-line tool finds the server and the token. */
  readonly signedIn?: boolean;
  readonly needsGit?: boolean;
  /** What makes and signs Android apps, and a sandbox. */
  readonly needsAndroid?: boolean;
  readonly needsKeytool?: boolean;
  readonly prints: readonly (string | RegExp)[];
}

/** Pages below `docs` with commands. */
const readings: Readonly<Record<string, Reading>> = {
  clients: {
    signedIn: true,
    needsGit: true,
    before: async () => {
      commit();
      return { 'https://slipway.example.com': testEnvironment().origin };
    },
    prints: ['Live Update successfully uploaded.', 'slipway.ts'],
  },
  'guides/android-signing-keys': {
    needsKeytool: true,
    prints: ['Certificate created successfully.', '"keyAlias": "upload"', '"subject":"CN=Shop, O=Example"'],
  },
  'guides/bring-your-own-artifact': {
    signedIn: true,
    before: async () => {
      // Of more than one part.
      const entries = { 'assets/video.mp4': randomBytes(11 * 1024 * 1024) };
      await write(
        'app-release.apk',
        await makeApk({ packageName: 'com.example.shop', signed: 'v2', entries }),
      );
      return {};
    },
    prints: [/Reading app-release\.apk: 11,\d{3},\d{3} bytes\./, 'Package: com.example.shop'],
  },
  'guides/build-a-receiver': {
    before: serveReceiver,
    prints: [
      /"eventType":"webhook_test"/,
      /^webhook_test \S+\napp_channel_paused \S+\napp_channel_resumed \S+\n$/m,
    ],
  },
  'guides/build-android-apps': {
    signedIn: true,
    needsAndroid: true,
    before: serveAndroidBuilds,
    prints: ['Signed and verified app-release.aab', 'Share URL: '],
  },
  'guides/build-ios-apps': {
    signedIn: true,
    before: serveIosBuilds,
    prints: [
      'This runner has no sandbox.',
      'Certificate created successfully.',
      `Signing App (${BUNDLE_ID}) with the profile Shop`,
      'Share URL: ',
    ],
  },
  'guides/build-web-apps': {
    signedIn: true,
    needsGit: true,
    before: serveWebBuilds,
    prints: ['Built by the test'],
  },
  'guides/emergency-rollback': {
    prints: ['Rolled back to Build #1 (1 step back).', 'No update available: the channel is paused.'],
  },
  'guides/environments': {
    before: async () => {
      await write('.env.production', 'API_KEY=correct horse\n');
      return {};
    },
    prints: ['"appEnvironmentId":"'],
  },
  'guides/git-repositories': {
    needsGit: true,
    before: async () => {
      const repository = {
        id: 1,
        name: 'shop',
        full_name: 'acme/shop',
        html_url: 'https://github.com/acme/shop',
      };
      const routes = { '/api/v3/repos/acme/shop': repository, '/api/v3/user/repos': [repository] };
      const server = await RestServer.start(routes);
      stops.push(() => server.stop());
      setGitRemote(folder, 'https://github.com/acme/shop.git');
      return {
        '"provider": "github"': `"provider": "github", "baseUrl": "${server.origin}"`,
        'pat_…': 'pat_1',
      };
    },
    prints: ['"path":"acme/shop"', 'Repository connected successfully.'],
  },
  'guides/hotfix-during-review': {
    before: () =>
      serveStores(
        async (stores) => {
          await stores.addPlayDestinations({ 'Google Play': 'production' });
          await stores.submit(await stores.importAab(42), 'Google Play');
          await stores.addAppleDestination('App Store', { appleSubmitForReview: true });
          await stores.submit(await stores.importIpa('1.4.0', '42'), 'App Store');
          await stores.importAab(43);
          await stores.importIpa('1.4.1', '43');
        },
        { hasReviews: true },
      ),
    prints: [
      /App Store waiting_for_review$/m,
      /Google Play in_review$/m,
      /status: 'withdrawn'/,
      /status: 'in_review'/,
    ],
  },
  'guides/import-bundles': {
    before: async () => {
      await write('bundles/1.0.0.zip', await zipOf({ 'index.html': '1.0.0' }));
      await write('bundles/1.1.0.zip', await zipOf({ 'index.html': '1.1.0' }));
      const values = { channelName: 'beta', minAndroidAppVersionCode: '10', gitRef: 'v1.1.0' };
      await write('bundles/1.1.0.zip.json', JSON.stringify(values));
      return {};
    },
    prints: ['1.0.0.zip: would be imported', '1.1.0.zip: imported\n2 of 2 bundles.'],
  },
  'guides/install-on-iphones': {
    before: serveIpa,
    prints: [
      /"profileType":"ad-hoc".*"deviceCount":1/,
      '"url":"https://slipway.example.com/app-build-shares/',
      /^itms-services:\/\/\?action=download-manifest&url=https%3A%2F%2Fslipway\.example\.com/m,
    ],
  },
  'guides/invite-people': { prints: [/"link":"http:[^"]+\/join\?token=[\w-]{32}"/] },
  'guides/move-from-capawesome-cloud': { prints: ['Live Update successfully uploaded.'] },
  'guides/move-from-codepush': {
    signedIn: true,
    before: async () => {
      // Names ignore case, so the app has the other channel.
      await createChannel(app, { name: 'Staging' });
      await write('www/index.html', '3');
      return {};
    },
    prints: ['Live Update successfully uploaded.', 'Deployment'],
  },
  'guides/move-from-eas-update': {
    signedIn: true,
    needsGit: true,
    before: async () => {
      commit();
      return {};
    },
    prints: ['Live Update successfully uploaded.'],
  },
  'guides/new-store-version': {
    before: async () => {
      await see(app, '10');
      return {};
    },
    prints: ['"maxAndroidAppVersionCode":"10"', 'Live Update successfully uploaded.'],
  },
  'guides/no-update': { prints: [/^served\nHTTP\/1\.1 200 OK\r\n.*^x-checksum: [0-9a-f]{64}\r$/ims] },
  'guides/page-me-when-a-rollout-goes-wrong': {
    before: servePager,
    prints: [
      '"state":"running"',
      /"health":true,.*"mail":\{"available":false,/,
      'trigger app_rollout_held\nresolve app_rollout_resumed\n',
      '"url":"https://pager.example.com/slipway"',
    ],
  },
  'guides/promote-a-tested-build': {
    before: () =>
      serveStores(async (stores) => {
        await stores.addPlayDestinations({ 'Internal testing': 'internal', 'Google Play': 'production' });
        await stores.importAab(42);
      }),
    prints: [
      /Uploading the aab/,
      /^Google Play promote 42 released$/m,
      /^Internal testing submit 42 released$/m,
    ],
  },
  'guides/release-in-steps': {
    before: () =>
      serveStores(async (stores) => {
        await stores.addPlayDestinations({ 'Google Play': 'production' });
        await stores.importAab(42);
        await stores.addAppleDestination('TestFlight');
        await stores.importIpa('1.4.0', '42');
        stores.approveVersions();
      }),
    prints: [
      /status: 'rolling_out'/,
      '20 % of the users of the track production get the release.',
      'The rollout is halted at 20 %',
      '"state":"running"',
      'All users of the track production get the release.',
      'The phased release is paused at 1 %',
      'All users get it.',
      /"kind":"requested".*"action":"release"/,
    ],
  },
  'guides/staged-rollout': {
    prints: [
      'Device forced to channel successfully.',
      'Rolled out to 50%.',
      '"state":"running"',
      '"state":"aborted"',
    ],
  },
  'guides/submit-to-google-play': {
    before: serveGooglePlay,
    prints: [
      '"ok":true',
      'Deployment completed successfully.',
      /\(100 %\)/,
      'The track internal has this release already',
      '"state": "prepared"',
    ],
  },
  'guides/submit-to-testflight': {
    before: serveAppStoreConnect,
    prints: [
      /^\{"ok":true,/m,
      'Destination updated successfully.',
      '"profileType":"app-store"',
      'Deployment completed successfully.',
      'Notes for testers: de-DE, en-US.',
      'uploads nothing',
      "External testers get it after Apple's beta review.",
      '"state": "prepared"',
    ],
  },
  'guides/tell-the-chat': {
    before: serveChats,
    prints: [/"format":"teams"/, /"format":"discord"/, /"eventType":"webhook_test".*"status":"succeeded"/],
  },
};

/** One receiver for all chats, where each address of the page leads. */
async function serveChats(): Promise<Readonly<Record<string, string>>> {
  const chats = await LocalServer.start((request, response) =>
    request.resume().on('end', () => response.end()),
  );
  stops.push(() => chats.stop());
  return {
    'https://hooks.slack.com/services/T000': `${chats.origin}/slack`,
    'https://prod-00.westeurope.logic.azure.com': `${chats.origin}/teams`,
    'https://discord.com/api/webhooks/000': `${chats.origin}/discord`,
  };
}

/** The programs of the page, and a port for the receiver. */
async function serveReceiver(): Promise<Readonly<Record<string, string>>> {
  for (const [name, program] of Object.entries(receiverPrograms)) await write(name, program);
  const port = await freePort();
  return {
    'node receiver.mjs': `PORT=${port} node receiver.mjs`,
    'https://hooks.example.com/slipway': `http://127.0.0.1:${port}/slipway`,
    $CHANNEL_ID: app.defaultChannelId,
  };
}

/** A server that devices reach by https, and there an app with an ipa. */
async function serveIpa(): Promise<Readonly<Record<string, string>>> {
  const site = await OwnSite.start({ PUBLIC_URL: 'https://slipway.example.com' });
  stops.push(() => site.dispose());
  app = await createApp(await createTenant(site));
  await write('slipway/.slipway/token', `${app.tenant.owner.token}\n`);
  const artifact = { type: 'ipa', fileName: 'App.ipa' };
  const ipa = await makeIpa({ profile: 'ad-hoc', expiresAt: new Date('2099-06-01T12:00:00Z') });
  const { job } = await importFile(app, ipa, { platform: 'ios', artifact });
  expect(job.status).toBe('succeeded');
  return { [testEnvironment().origin]: site.origin };
}

/** A pager, which takes what PagerDuty takes. */
async function servePager(): Promise<Readonly<Record<string, string>>> {
  const pager = await LocalServer.start((request, response) => {
    void json(request).then((body) => {
      const { routing_key: key, dedup_key: object, payload } = body as Readonly<Record<string, unknown>>;
      const isGood = typeof key === 'string' && key.length === 32 && typeof object === 'string';
      if (isGood && payload !== undefined)
        expect(payload).toMatchObject({ summary: 'A rollout is held: production' });
      response.writeHead(isGood ? 202 : 400).end('{"status":"success"}');
    });
  });
  stops.push(() => pager.stop());
  return { 'https://events.pagerduty.com/v2/enqueue': pager.origin };
}

/** A project, a certificate, and a runner. */
async function serveAndroidBuilds(): Promise<Readonly<Record<string, string>>> {
  for (const [path, content] of Object.entries(capacitorProject(app.id))) await write(path, content);
  await write('.gitignore', 'node_modules\nslipway\n.*\n');
  await createAndroidCertificate(app, 'Upload key');
  const runner = await startAndroidRunner(app);
  stops.push(async () => void (await runner.stop()));
  return {};
}

/** A project, the files that sign it, and a runner on a stand-in for a Mac. */
async function serveIosBuilds(): Promise<Readonly<Record<string, string>>> {
  for (const [path, content] of Object.entries(capacitorIosProject(app.id))) await write(path, content);
  await write('.gitignore', 'node_modules\nslipway\n.*\n');
  const identity = makeAppleIdentity();
  await write('distribution.p12', makeP12(identity));
  const certificates = [identity.certificate.raw];
  await write('shop.mobileprovision', makeProfile({ name: 'Shop', bundleId: BUNDLE_ID, certificates }));
  const runner = await startIosRunner(app, await IosMachine.create());
  stops.push(async () => void (await runner.stop()));
  return { $P12_PASSWORD: 'storepass' };
}

/** The stand-in for Google Play, a server that knows it, and there an app with a build. */
async function serveGooglePlay(): Promise<Readonly<Record<string, string>>> {
  const packageName = 'com.example.shop';
  const play = await startGooglePlay();
  play.addApp({ packageName, languages: ['de-DE'] });
  await write('service-account.json', play.addServiceAccount({ packages: [packageName] }).json);
  const site = await OwnSite.start({ GOOGLE_PLAY_URL: play.url, GOOGLE_TOKEN_URL: play.tokenUrl });
  stops.push(
    () => site.dispose(),
    () => play.stop(),
  );
  app = await createApp(await createTenant(site));
  await write('slipway/.slipway/token', `${app.tenant.owner.token}\n`);
  await importAab(app, { packageName, versionCode: 42 });
  return { [testEnvironment().origin]: site.origin };
}

/** The stand-ins for both stores, and a server that knows them. */
async function serveStores(
  prepare: (stores: GuideStores) => Promise<void>,
  options: Parameters<typeof GuideStores.start>[0] = {},
): Promise<Readonly<Record<string, string>>> {
  const stores = await GuideStores.start(options);
  stops.push(() => stores.stop());
  ({ app } = stores);
  await write('slipway/.slipway/token', `${app.tenant.owner.token}\n`);
  await prepare(stores);
  return { [testEnvironment().origin]: stores.site.origin };
}

/** The stand-in for App Store Connect, a server that knows it, and there an app with a build. */
async function serveAppStoreConnect(): Promise<Readonly<Record<string, string>>> {
  const bundleId = 'com.example.shop';
  const connect = await startAppStoreConnect();
  connect.processing.polls = 0;
  const groups = { Team: 'internal', 'Public beta': 'external' } as const;
  connect.addApp({ id: '1234567890', bundleId, groups });
  const key = connect.addKey();
  await write(`AuthKey_${key.keyId}.p8`, key.p8);
  const site = await OwnSite.start({ APP_STORE_CONNECT_URL: connect.url });
  stops.push(
    () => site.dispose(),
    () => connect.stop(),
  );
  app = await createApp(await createTenant(site));
  await write('slipway/.slipway/token', `${app.tenant.owner.token}\n`);
  const ipa = await makeIpa({ packageName: bundleId, profile: 'app-store', usesNonExemptEncryption: false });
  const artifact = { type: 'ipa', fileName: 'App.ipa' };
  const { job } = await importFile(app, ipa, { platform: 'ios', artifact });
  expect(job.status).toBe('succeeded');
  return {
    [testEnvironment().origin]: site.origin,
    '2X9R4HXF34': key.keyId,
    '57246542-96fe-1a63-e053-0824d011072a': key.issuerId ?? '',
  };
}

/** A project, a server of its repository, one of its zip, and what does the builds of the app. */
async function serveWebBuilds(): Promise<Readonly<Record<string, string>>> {
  await write('package.json', '{}');
  await write('.gitignore', 'node_modules\nslipway\n.*\n');
  const git = await GitServer.start();
  git.create('acme/shop.git');
  git.commit('acme/shop.git', 'main', 'First');
  const access = { provider: 'git_http', authKind: 'basic', token: undefined, baseUrl: git.origin };
  const { id } = await createGitConnection(app.tenant, access);
  const link = { gitConnectionId: id, path: 'acme/shop.git' };
  expect((await app.api.put(`${app.path}/repository`, link)).status).toBe(200);
  const project = await zipOf({ 'package.json': '{}' });
  const files = await LocalServer.start((_request, response) => response.end(project));
  stops.push(
    serveBuilds(app),
    () => git.stop(),
    () => files.stop(),
  );
  return { 'https://files.corp.example.com': files.origin };
}

/** Copies the lines of a page into a shell, in which the reader has set the id of the app and can run `slipway`. */
async function follow(page: string): Promise<string> {
  const { before, signedIn = false } = readings[page] ?? {};
  const { origin } = testEnvironment();
  const replaced = Object.entries((await before?.()) ?? {});
  const text = replaced.reduce(
    (lines, [written, real]) => lines.replaceAll(written, real),
    await readPage(`docs/${page}.md`, origin),
  );
  const start = [
    `export APP_ID=${app.id}`,
    `slipway() { node ${root}/dist/slipway.js "$@"; }`,
    // In a checkout of Slipway.
    `npm() { command npm --prefix ${root} "$@"; }`,
    ...(signedIn
      ? [
          `export CAPAWESOME_TOKEN=${app.tenant.owner.token}`,
          `echo 'API_BASE_URL="${origin}"' > .capawesomerc`,
        ]
      : []),
  ];
  const { code, output } = await runShell(`${start.join('\n')}\n${shellLinesOf(text)}`, folder);
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  return output;
}

const followed = Object.keys(readings).filter((page) => {
  const { needsGit = false, needsKeytool = false, needsAndroid = false } = readings[page] ?? {};
  return (
    (hasGit || !needsGit) &&
    (hasKeytool || !needsKeytool) &&
    ((hasGradleTools && hasSandbox) || !needsAndroid)
  );
});

it.each(someOf(followed))('does what docs/%s.md says', async (page) => {
  const output = await follow(page);
  for (const line of readings[page]?.prints ?? []) expect(output).toMatch(line);
});

it('follows every page about clients and every guide that has commands', () => {
  expect(Object.keys(readings)).toEqual(pagesWithCommands());
});

it('takes a version back from a device that runs it when its percentage becomes 0', async () => {
  const { body } = await app.api.get(`${app.path}/deployments`);
  const [newest] = body as [{ id: string }];
  const { bundleId: bad } = await device.sync();
  await app.api.patch(`${app.path}/deployments/${newest.id}`, { rolloutPercentage: 0 });
  const { bundleId: older } = await device.sync();
  expect([bad, older]).toEqual([expect.any(String), expect.any(String)]);
  expect(older).not.toBe(bad);
});

it('finds out why a device gets no update as the guide says', async () => {
  const { body } = await app.api.get(`${app.path}/channels?name=production`);
  const [{ id }] = body as [{ id: string }];
  await app.api.post(`${app.path}/channels/${id}/pause`, {});
  const page = await readPage('docs/guides/no-update.md', testEnvironment().origin);
  const explain = shellLinesOf(page.split('\n## ')[0] ?? '');
  const { code, output } = await runShell(`export APP_ID=${app.id}\n${explain}`, folder);
  expect({ code, output }).toEqual({
    code: 0,
    output: 'channel-paused\nThe channel production is paused: resume it.\n',
  });
});
