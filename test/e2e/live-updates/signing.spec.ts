import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { expectInstallable } from '../../support/devices/expect-installable.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { zipOf } from '../../support/live-updates/archives.js';
import {
  download,
  MANIFEST,
  manifestOf,
  postFile,
  publish,
  SIGNATURE,
} from '../../support/live-updates/uploads.js';
import { sha256 } from '../../support/sha256.js';

const keyPair = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength });
const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const signed = (content: Buffer | string, key: KeyObject) =>
  sign('sha256', Buffer.from(content), key).toString('base64');

const current = keyPair();
const next = keyPair(4096);
const foreign = keyPair();
const files = { 'index.html': '<html>', 'app.js': 'app' };

let app: TestApp;

beforeEach(async () => {
  app = await createApp();
});

const setKeys = (...keys: KeyObject[]) => app.api.patch(app.path, { publicKeys: keys.map(spki) });

async function upload(keys: Readonly<Record<string, KeyObject>>, fields: object = {}): Promise<TestBundle> {
  const bundle = await createBundle(app, fields);
  for (const [href, content] of Object.entries({ ...files, [MANIFEST]: manifestOf(files) })) {
    const key = keys[href] ?? keys['*'];
    const signature = key === undefined ? undefined : signed(content, key);
    expect((await postFile(bundle, content, { href, signature })).status).toBe(201);
  }
  return bundle;
}

describe('the public keys of an app', () => {
  it('are none at first, and can be given with it, changed and removed', async () => {
    expect((await app.api.get(app.path)).body).toMatchObject({ publicKeys: [] });
    const pem = spki(current.publicKey);
    const { publicKeys } = (await setKeys(current.publicKey, next.publicKey)).body as {
      publicKeys: string[];
    };
    expect(publicKeys).toEqual([pem, spki(next.publicKey)]);
    expect((await app.api.get(app.path)).body).toMatchObject({ publicKeys });
    expect((await app.api.patch(app.path, { name: 'Renamed' })).body).toMatchObject({ publicKeys });
    expect((await app.api.patch(app.path, { publicKeys: [] })).body).toMatchObject({ publicKeys: [] });
    const other = await createApp(app.tenant, { publicKeys: [pem] });
    expect((await app.api.get(other.path)).body).toMatchObject({ publicKeys: [pem] });
  });

  it('are kept once and in one form', async () => {
    const pkcs1 = current.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    const pem = spki(current.publicKey);
    const { body } = await app.api.patch(app.path, {
      publicKeys: [pkcs1, ` ${pem.replaceAll('\n', '\r\n')} `, pem],
    });
    expect(body).toMatchObject({ publicKeys: [pem] });
  });

  it.each<[string, unknown]>([
    ['a text', spki(current.publicKey)],
    ['null', null],
    ['numbers', [1]],
    ['no PEM', ['key']],
    ['a PEM without a key', ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----']],
    ['a short key', [spki(keyPair(1024).publicKey)]],
    ['a private key', [current.privateKey.export({ type: 'pkcs8', format: 'pem' })]],
    ['an elliptic curve', [spki(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)]],
    ['a key for PSS', [spki(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey)]],
    ['one wrong key among right ones', [spki(current.publicKey), 'key']],
    ['eleven keys', Array.from({ length: 11 }, () => spki(current.publicKey))],
  ])('are refused when they are %s', async (_case, publicKeys) => {
    expectInvalid(await app.api.patch(app.path, { publicKeys }), 'publicKeys');
    expect((await app.api.get(app.path)).body).toMatchObject({ publicKeys: [] });
  });
});

describe('a bundle of an app with public keys', () => {
  it('is published when every signature is by one of them', async () => {
    await setKeys(next.publicKey, current.publicKey);
    const bundle = await upload({ '*': current.privateKey, 'app.js': next.privateKey });
    expect((await publish(bundle)).status).toBe(200);
    const zip = await createBundle(app, { artifactType: 'zip' });
    const content = await zipOf(files);
    await postFile(zip, content, { signature: signed(content, current.privateKey) });
    expect((await publish(zip)).status).toBe(200);
    await expectInstallable(app.api.origin, app.id, zip.id, 'zip', current.privateKey);
  });

  it('may be unsigned, where the channel takes that', async () => {
    await setKeys(current.publicKey);
    expect((await publish(await upload({}))).status).toBe(200);
  });

  it('is refused with a signature by another key, named, until that is replaced', async () => {
    await setKeys(current.publicKey);
    const bundle = await upload({ '*': current.privateKey, 'app.js': foreign.privateKey });
    const refused = await publish(bundle);
    expectError(refused, 400, 'invalid_signature');
    expect(refused.body).toMatchObject({
      errors: [{ field: 'files', message: 'app.js has a signature by no key of the app.' }],
    });
    expect((await download(bundle, 'app.js')).status).toBe(404);
    const signature = signed(files['app.js'], current.privateKey);
    await postFile(bundle, files['app.js'], { href: 'app.js', signature });
    expect((await publish(bundle)).status).toBe(200);
    await expectInstallable(app.api.origin, app.id, bundle.id, 'manifest', current.privateKey);
  });

  it.each<[string, () => string]>([
    ['of another file', () => signed('other', current.privateKey)],
    ['that is none', () => SIGNATURE],
  ])('is refused with a signature %s', async (_case, signature) => {
    await setKeys(current.publicKey);
    const bundle = await createBundle(app, { artifactType: 'zip' });
    await postFile(bundle, await zipOf(files), { signature: signature() });
    expectError(await publish(bundle), 400, 'invalid_signature');
  });

  it('is refused when its key was removed meanwhile', async () => {
    await setKeys(current.publicKey);
    const bundle = await upload({ '*': current.privateKey });
    await setKeys(next.publicKey);
    expectError(await publish(bundle), 400, 'invalid_signature');
    await setKeys(next.publicKey, current.publicKey);
    expect((await publish(bundle)).status).toBe(200);
  });

  it('goes to a protected channel only if each file is signed', async () => {
    await setKeys(current.publicKey);
    const { name } = await createChannel(app, { protected: true });
    const values = { channelName: name };
    const whole = await upload({ '*': current.privateKey }, values);
    expect((await publish(whole)).status).toBe(200);
    const { 'index.html': index } = { 'index.html': current.privateKey };
    expectError(await publish(await upload({ 'index.html': index }, values)), 400, 'unsigned_bundle');
  });

  it('that was published before goes to a protected channel if its signatures are by a key of today', async () => {
    const { id } = await createChannel(app, { protected: true });
    const own = await upload({ '*': current.privateKey });
    const other = await upload({ '*': foreign.privateKey });
    for (const bundle of [own, other]) expect((await publish(bundle)).status).toBe(200);
    await setKeys(current.publicKey);
    const deploy = ({ buildId }: TestBundle) =>
      app.api.post(`${app.path}/deployments`, { appBuildId: buildId, appChannelId: id });
    expect((await deploy(own)).status).toBe(201);
    expectError(await deploy(other), 400, 'unsigned_bundle');
  });
});

describe('a registered bundle of an app with public keys', () => {
  const content = 'zip';
  const register = (fields: object) =>
    app.api.post(`${app.path}/bundles`, {
      artifactType: 'zip',
      url: 'https://example.com/bundle.zip',
      ...fields,
    });

  beforeEach(() => setKeys(current.publicKey));

  it('is verified by the checksum that is stated', async () => {
    const signature = signed(content, current.privateKey);
    expect((await register({ checksum: sha256(content).toUpperCase(), signature })).status).toBe(201);
    expect((await register({ checksum: sha256(content) })).status).toBe(201);
    expect((await register({})).status).toBe(201);
  });

  it('is refused with another signature, or one without a checksum', async () => {
    const other = { checksum: sha256(content), signature: signed(content, foreign.privateKey) };
    expectError(await register(other), 400, 'invalid_signature');
    const wrong = { checksum: sha256('other'), signature: signed(content, current.privateKey) };
    expectError(await register(wrong), 400, 'invalid_signature');
    expectInvalid(await register({ signature: signed(content, current.privateKey) }), 'checksum');
    expect((await app.api.get(`${app.path}/builds`)).body).toEqual([]);
  });
});
