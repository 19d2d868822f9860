import { createApp, type TestApp } from '../../builders/app.js';
import { createCertificate } from '../../builders/certificate.js';
import { createIosSigning, createProfile } from '../../builders/provisioning-profile.js';
import { createRunner } from '../../builders/runner.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';
import { makeAppleIdentity, makeP12 } from '../../support/native-builds/apple/identity.js';
import { takeJob } from '../../support/native-builds/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';

const identity = makeAppleIdentity();
const certificates = [identity.certificate.raw];

let app: TestApp;
let source: string;
beforeEach(async () => {
  app = await createApp();
  await createRunner(app.tenant, {}, { platforms: ['ios'], stacks: ['macos-tahoe'] });
  source = await uploadSource(app);
});

const post = (type: string, values: object = {}) =>
  app.api.post(`${app.path}/builds`, { platform: 'ios', type, appBuildSourceId: source, ...values });
const start = async (type: string, values: object = {}) =>
  expectCreated<{ id: string; jobId: string; warnings: unknown[] }>(await post(type, values));
const certificate = async (made = identity, name = 'Shop'): Promise<string> =>
  (await createCertificate(app, { name, platform: 'ios', password: 'storepass' }, makeP12(made), 'a.p12')).id;

/** Nothing is created. */
async function expectRefused(code: string, text: string, ...request: Parameters<typeof post>): Promise<void> {
  const response = await post(...request);
  expectError(response, 400, code);
  expect((response.body as { message: string }).message).toContain(text);
  expect((await app.api.get(`${app.path}/builds`)).body).toEqual([]);
}

describe('an iOS build is refused at once', () => {
  it('without a certificate that signs builds of its type', async () => {
    for (const type of ['development', 'ad-hoc', 'app-store', 'enterprise']) {
      await expectRefused('certificate_required', `builds of the type ${type}`, type);
    }
    const appCertificateId = await certificate();
    const text = 'The certificate Shop is for production';
    await expectRefused('certificate_unfit', text, 'development', { appCertificateId });
    await query(testEnvironment().databaseUrl, 'UPDATE certificates SET expires_at = now() WHERE id = $1', [
      appCertificateId,
    ]);
    const expired = 'The certificate Shop expired on';
    await expectRefused('certificate_unfit', expired, 'ad-hoc', { appCertificateName: 'shop' });
  });

  it('without a provisioning profile that signs it', async () => {
    const appCertificateId = await certificate();
    const code = 'provisioning_profile_unfit';
    const values = { appCertificateId };
    const add = (profile: object) => createProfile(app, profile, { certificateId: appCertificateId });
    await createProfile(app, { certificates });
    await expectRefused(code, 'no provisioning profile of the type ad-hoc: link one', 'ad-hoc', values);
    await add({ type: 'app-store', certificates });
    await expectRefused(code, 'only of app-store', 'ad-hoc', values);
    const old = await add({ name: 'Old', certificates });
    await query(
      testEnvironment().databaseUrl,
      'UPDATE provisioning_profiles SET expires_at = now() WHERE id = $1',
      [old.id],
    );
    await expectRefused(code, 'The provisioning profile Old is expired', 'ad-hoc', values);
    await add({ name: 'Foreign', certificates, teamId: 'ZZZZZZZZZZ' });
    await expectRefused(code, 'The provisioning profile Foreign is of another team', 'ad-hoc', values);
    await add({ name: 'Other' });
    await expectRefused(code, 'Other is without the certificate Shop', 'ad-hoc', values);
    await add({ name: 'Right', certificates, bundleId: 'com.example.shop' });
    const configuration = { name: 'staging', packageName: 'com.example.staging' };
    await app.api.post(`${app.path}/configurations`, configuration);
    const staging = { ...values, appConfigurationName: 'staging' };
    await expectRefused(code, 'than com.example.staging of the configuration staging', 'ad-hoc', staging);
    await add({ name: 'Wildcard', certificates, bundleId: 'com.example.*' });
    expect((await post('ad-hoc', staging)).status).toBe(201);
    expect((await post('ad-hoc', values)).status).toBe(201);
  });
});

describe('an iOS build that can be signed', () => {
  it.each([
    ['development', 'development'],
    ['ad-hoc', 'distribution'],
    ['app-store', 'distribution'],
    ['enterprise', 'distribution'],
  ] as const)('of the type %s gets the certificate with the profiles of its type', async (type, kind) => {
    const own = makeAppleIdentity({ type: kind });
    const { certificateId, profiles } = await createIosSigning(app, {
      identity: own,
      types: ['development', 'ad-hoc', 'app-store', 'enterprise'],
    });
    const profile = profiles.find(({ name }) => name === `Shop ${type}`);
    const { jobId, warnings } = await start(type, { appCertificateId: certificateId });
    expect(warnings).toEqual([]);
    const { body } = await (await takeJob(jobId)).api.get('/v1/runner/job/payload');
    expect(body).toMatchObject({
      certificate: {
        type: kind === 'development' ? 'development' : 'production',
        fileName: 'shop.p12',
        password: 'storepass',
        keyAlias: null,
        keyPassword: null,
        profiles: [
          {
            uuid: profile?.uuid,
            name: `Shop ${type}`,
            type,
            teamId: 'A1B2C3D4E5',
            bundleId: 'com.example.app',
            expiresAt: '2027-06-01T12:00:00.000Z',
            certificateFingerprints: [own.sha256Fingerprint],
          },
        ],
      },
      masks: ['storepass'],
    });
    const sent = Buffer.from((body as Payload).certificate.profiles[0]?.file ?? '', 'base64');
    expect(sent.toString('latin1')).toContain(profile?.uuid);
    const reads = await query(
      testEnvironment().databaseUrl,
      `SELECT FROM activities WHERE kind = 'certificate-read' AND detail = $1`,
      [certificateId],
    );
    expect(reads).toHaveLength(1);
  });

  it('warns about what expires within 30 days', async () => {
    const soon = new Date(Date.now() + 20 * 24 * 3600 * 1000);
    const appCertificateId = await certificate(makeAppleIdentity({ days: 20 }));
    const [row] = (await app.api.get(`${app.path}/certificates`)).body as { sha256Fingerprint: string }[];
    await createProfile(
      app,
      { name: 'Soon', certificates, expiresAt: soon },
      { certificateId: appCertificateId },
    );
    await query(
      testEnvironment().databaseUrl,
      'UPDATE provisioning_profiles SET certificate_fingerprints = $1 WHERE certificate_id = $2',
      [[row?.sha256Fingerprint], appCertificateId],
    );
    expect((await start('ad-hoc', { appCertificateId })).warnings).toEqual([
      { code: 'certificate_expires', message: expect.stringContaining('The certificate Shop expires on') },
      {
        code: 'provisioning_profile_expires',
        message: `The provisioning profile Soon expires on ${soon.toISOString().slice(0, 10)}. Apps that are signed with it stop to start then.`,
      },
    ]);
  });
});

it('a build for simulators needs no certificate, and does not use one', async () => {
  expect((await post('simulator')).status).toBe(201);
  const appCertificateId = await certificate(makeAppleIdentity({ days: 5 }));
  const { jobId, warnings } = await start('simulator', { appCertificateId });
  expect(warnings).toEqual([]);
  const { body } = await (await takeJob(jobId)).api.get('/v1/runner/job/payload');
  expect(body).toMatchObject({ certificate: null, masks: [] });
});

interface Payload {
  readonly certificate: { readonly file: string; readonly profiles: { readonly file: string }[] };
}
