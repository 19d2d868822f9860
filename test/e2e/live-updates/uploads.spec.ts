import { randomBytes } from 'node:crypto';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, type TestBundle } from '../../builders/bundle.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { isOnS3 } from '../../setup/object-storage.js';
import { eventually } from '../../support/eventually.js';
import { filePart, fileParts, type Form, form, type Part, send } from '../../support/http/multipart.js';
import {
  announce,
  beginUpload,
  completeUpload,
  postFile,
  publish,
  putPart,
  uploadFiles,
} from '../../support/live-updates/uploads.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { sha256 } from '../../support/sha256.js';

const MIB = 1024 * 1024;

let site: OwnSite;
let tenant: Tenant;
let other: Tenant;
let app: TestApp;
let bundle: TestBundle;

beforeAll(async () => {
  // A server of its own, so that everything in its storage can be accounted for.
  site = await OwnSite.start();
  [tenant, other] = [await createTenant(site), await createTenant(site)];
  app = await createApp(tenant);
});
afterAll(() => site.dispose());
beforeEach(async () => {
  bundle = await createBundle(app);
});
afterEach(() => site.expectTidy());

/** What the server keeps of a file: what was announced, and its stored bytes. */
async function kept(
  href: string,
  of = bundle,
): Promise<{ id: string; checksum: string; bytes: Buffer | null }> {
  const [row] = await site.query<{ id: string; checksum: string; blob_id: string | null }>(
    'SELECT id, checksum, blob_id FROM bundle_files WHERE bundle_id = $1 AND href = $2',
    [of.id, href],
  );
  if (row === undefined) throw new Error(`There is no file ${href}.`);
  return {
    id: row.id,
    checksum: row.checksum,
    bytes: row.blob_id === null ? null : await site.read(row.blob_id),
  };
}

async function blobsOf(content: Buffer | string): Promise<number> {
  return (await site.query('SELECT 1 FROM blobs WHERE sha256 = $1', [sha256(content)])).length;
}

async function filesOf(of = bundle): Promise<number> {
  return (await site.query('SELECT 1 FROM bundle_files WHERE bundle_id = $1', [of.id])).length;
}

describe('a file in one request', () => {
  it.each([0, 1, 2, 3, 4, 5])('may come as part %d', async (place) => {
    const content = randomBytes(100_000);
    const parts = fileParts(content, { href: 'app.js' }).filter(({ name }) => name !== 'file');
    parts.splice(place, 0, filePart(content));
    expect((await send(bundle.api, 'post', `${bundle.path}/files`, form(parts))).status).toBe(201);
    expect((await kept('app.js')).bytes?.equals(content)).toBe(true);
  });

  it('may have its parts in any order', async () => {
    const content = randomBytes(70_000);
    const parts = fileParts(content, { href: 'app.js', signature: 'AAAA' });
    for (let turn = 0; turn < parts.length; turn++) {
      parts.push(...parts.splice(0, 1));
      const rotated = turn % 2 === 0 ? parts : parts.toReversed();
      expect((await send(bundle.api, 'post', `${bundle.path}/files`, form(rotated))).status).toBe(201);
    }
    expect((await kept('app.js')).bytes?.equals(content)).toBe(true);
  });

  it('may be empty', async () => {
    expect((await postFile(bundle, '', { href: 'empty.txt' })).status).toBe(201);
    expect((await kept('empty.txt')).bytes).toHaveLength(0);
  });

  it('is compared with its checksum whatever the case of the digits', async () => {
    const content = randomBytes(1000);
    const checksum = sha256(content).toUpperCase();
    expect((await postFile(bundle, content, { href: 'app.js', checksum })).status).toBe(201);
    expect((await kept('app.js')).checksum).toBe(sha256(content));
  });

  it('replaces the one of the same path and keeps its id', async () => {
    const first = await postFile(bundle, 'first', { href: 'app.js' });
    const second = await postFile(bundle, 'second', { href: 'app.js' });
    const third = await postFile(bundle, 'second', { href: 'app.js' });
    expect(second.body).toEqual(first.body);
    expect(third.body).toEqual(first.body);
    expect((await kept('app.js')).bytes?.toString()).toBe('second');
    expect(await filesOf()).toBe(1);
  });

  it('is one of them when several of the same path come at once', async () => {
    const contents = Array.from({ length: 10 }, (_, i) => Buffer.from(`content ${i}`));
    const responses = await Promise.all(
      contents.map((content) => postFile(bundle, content, { href: 'app.js' })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ body }) => (body as { id: string }).id)).size).toBe(1);
    const { bytes, checksum } = await kept('app.js');
    expect(sha256(bytes!)).toBe(checksum);
    expect(await filesOf()).toBe(1);
  });

  it('shares its bytes with the same content elsewhere in the organization', async () => {
    const content = randomBytes(50_000);
    const second = await createBundle(app);
    await Promise.all([
      ...Array.from({ length: 5 }, (_, i) => postFile(bundle, content, { href: `${i}.js` })),
      ...Array.from({ length: 5 }, (_, i) => postFile(second, content, { href: `${i}.js` })),
    ]);
    expect((await filesOf()) + (await filesOf(second))).toBe(10);
    expect(await blobsOf(content)).toBe(1);
  });

  it('shares nothing with another organization', async () => {
    const content = randomBytes(1000);
    const theirs = await createBundle(await createApp(other));
    await postFile(bundle, content, { href: 'app.js' });
    await postFile(theirs, content, { href: 'app.js' });
    expect(await blobsOf(content)).toBe(2);
  });

  it('of a zip needs no path', async () => {
    const zip = await createBundle(app, { artifactType: 'zip' });
    const content = randomBytes(1000);
    const first = await postFile(zip, content, {});
    const second = await postFile(zip, content, { href: '' });
    expect(first.status).toBe(201);
    expect(second.body).toEqual(first.body);
  });

  it.each(['a', 'a b+c/ü.js', '.DS_Store', '..a/b..', 'a'.repeat(1024), `${'ü'.repeat(511)}/b`])(
    'may have the path %p',
    async (href) => {
      expect((await postFile(bundle, 'x', { href })).status).toBe(201);
      expect((await kept(href)).bytes?.toString()).toBe('x');
    },
  );

  it.each([
    ['leaves the bundle', '../x'],
    ['leaves the bundle half-way', 'a/../../x'],
    ['holds a dot segment', 'a/./b'],
    ['is absolute', '/abs'],
    ['ends in a slash', 'a/'],
    ['holds an empty segment', 'a//b'],
    ['holds a backslash', 'a\\b'],
    ['holds a NUL', 'a\0b'],
    ['holds a line feed', 'a\nb'],
    ['holds a DEL', 'a\x7fb'],
    ['has 1,025 bytes', 'a'.repeat(1025)],
    ['has 1,025 bytes in fewer characters', `${'ü'.repeat(512)}a`],
    ['is missing', undefined],
    ['is empty', ''],
  ])('is refused when its path %s', async (_case, href) => {
    const content = randomBytes(100);
    const response = await postFile(bundle, content, { href });
    expect(response.status).toBe(400);
    expect(typeof (response.body as { message: unknown }).message).toBe('string');
    expect(await filesOf()).toBe(0);
    expect(await blobsOf(content)).toBe(0);
  });

  it.each([
    ['the checksum is of other bytes', { checksum: sha256('other') }, 'checksum'],
    ['the checksum is missing', { checksum: undefined }, 'checksum'],
    ['the checksum is no SHA-256', { checksum: 'abc' }, 'checksum'],
    ['the size is one byte less', { sizeInBytes: '99' }, 'sizeInBytes'],
    ['the size is one byte more', { sizeInBytes: '101' }, 'sizeInBytes'],
    ['the size is negative', { sizeInBytes: '-1' }, 'sizeInBytes'],
    ['the size is not whole', { sizeInBytes: '1.5' }, 'sizeInBytes'],
    ['the size is no number', { sizeInBytes: 'abc' }, 'sizeInBytes'],
    ['the size is missing', { sizeInBytes: undefined }, 'sizeInBytes'],
    ['the size is over 1 GiB', { sizeInBytes: String(1024 * MIB + 1) }, 'sizeInBytes'],
    ['the media type is missing', { mimeType: undefined }, 'mimeType'],
    ['the media type is none', { mimeType: 'x\r\nSet-Cookie: a=b' }, 'mimeType'],
    ['the name is missing', { name: undefined }, 'name'],
    ['the signature is not Base64', { signature: '***' }, 'signature'],
  ])('is refused, and the earlier one stays, when %s', async (_case, fields, field) => {
    await postFile(bundle, 'earlier', { href: 'app.js' });
    const before = await kept('app.js');
    const content = randomBytes(100);
    const response = await postFile(bundle, content, { href: 'app.js', ...fields });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
    expect(await kept('app.js')).toEqual(before);
    expect(await blobsOf(content)).toBe(0);
  });

  it('is announced with up to 1 GiB', async () => {
    await announce(bundle, 'x', { href: 'app.js', sizeInBytes: String(1024 * MIB) });
    expect((await kept('app.js')).bytes).toBeNull();
  });

  it('is refused with 413 over 64 MiB', async () => {
    const content = Buffer.alloc(64 * MIB + 1);
    const response = await postFile(bundle, content, { href: 'big.bin' });
    expect(response.status).toBe(413);
    expect(await filesOf()).toBe(0);
  });

  it.each<[string, Part]>([
    ['is a text', { name: 'file', content: 'bytes' }],
    ['has no file name', { name: 'file', content: 'bytes', type: 'application/octet-stream' }],
    ['has an empty file name', { name: 'file', content: 'bytes', filename: '' }],
  ])('is refused when the part %s', async (_case, part) => {
    const parts = fileParts('bytes', { href: 'app.js' }).map((p) => (p.name === 'file' ? part : p));
    const response = await send(bundle.api, 'post', `${bundle.path}/files`, form(parts));
    expect(response.status).toBe(400);
    expect((response.body as { message: string }).message).toMatch(/^file must be sent as a file/);
    expect(await filesOf()).toBe(0);
  });

  it('cannot be added to a published bundle', async () => {
    await uploadFiles(bundle, { 'app.js': 'published', 'index.html': '<html>' });
    expect((await publish(bundle)).status).toBe(200);
    expect((await postFile(bundle, 'other', { href: 'app.js' })).status).toBe(409);
    expect((await postFile(bundle, 'other', { href: 'new.js' })).status).toBe(409);
    expect((await kept('app.js')).bytes?.toString()).toBe('published');
    expect(await blobsOf('other')).toBe(0);
  });

  it.each([
    ['of another organization', () => createApp(other).then((theirs) => createBundle(theirs))],
    ['that does not exist', async () => ({ ...bundle, path: `${app.path}/bundles/${app.id}` })],
    ['with a malformed id', async () => ({ ...bundle, path: `${app.path}/bundles/unknown` })],
    [
      'of another app',
      async () => {
        const { id } = await createBundle(await createApp(tenant));
        return { ...bundle, path: `${app.path}/bundles/${id}` };
      },
    ],
  ])('is not found for a bundle %s', async (_case, find) => {
    const content = randomBytes(1000);
    const { path } = await find();
    const response = await postFile({ ...bundle, path }, content, { href: 'app.js' });
    expect(response.status).toBe(404);
    expect(await blobsOf(content)).toBe(0);
  });
});

describe('a malformed multipart request', () => {
  const good = (): Part[] => fileParts('good', { href: 'app.js' });
  const cut = ({ contentType, body }: Form, bytes: number): Form => ({
    contentType,
    body: body.subarray(0, body.length - bytes),
  });

  it.each<[string, () => Form, number]>([
    ['no field at all', () => form([]), 400],
    ['nothing but the file', () => form([filePart('x')]), 400],
    ['a field twice', () => form([...good(), { name: 'checksum', content: sha256('good') }]), 400],
    ['two files', () => form([filePart('a'), ...good()]), 400],
    ['a file under another name', () => form([filePart('x', 'x', 'other'), ...good()]), 400],
    ['a field of 17 KiB', () => form([...good(), { name: 'x', content: 'x'.repeat(17 * 1024) }]), 400],
    [
      'a field name of 10,000 characters',
      () => form([...good(), { name: 'x'.repeat(10_000), content: '' }]),
      400,
    ],
    [
      '30 fields',
      () => form([...Array.from({ length: 30 }, (_, i) => ({ name: `f${i}`, content: '' })), ...good()]),
      400,
    ],
    ['a nested field', () => form([...good(), { name: `a${'[b]'.repeat(100)}`, content: '' }]), 400],
    ['a part without name', () => form([{ name: '', content: 'x' }, ...good()]), 400],
    [
      'another boundary',
      () => ({ ...form(good()), contentType: 'multipart/form-data; boundary=other' }),
      400,
    ],
    ['no boundary', () => ({ ...form(good()), contentType: 'multipart/form-data' }), 400],
    ['its end missing', () => cut(form(good()), 10), 400],
    ['its second half missing', () => cut(form(good()), form(good()).body.length / 2), 400],
    ['nothing but a boundary', () => cut(form([]), 4), 400],
    [
      'another subtype',
      () => ({ ...form(good()), contentType: form(good()).contentType.replace('form-data', 'mixed') }),
      415,
    ],
    ['another type', () => ({ contentType: 'text/plain', body: Buffer.from('x') }), 415],
    ['JSON instead', () => ({ contentType: 'application/json', body: Buffer.from('{"href":"a"}') }), 415],
    ['no body', () => ({ contentType: 'multipart/form-data; boundary=x', body: Buffer.alloc(0) }), 400],
  ])('with %s is refused', async (_case, make, status) => {
    const response = await send(bundle.api, 'post', `${bundle.path}/files`, make());
    expect(response.status).toBe(status);
    expect(typeof (response.body as { message: unknown }).message).toBe('string');
    expect(await filesOf()).toBe(0);
  });

  it.each(['__proto__', 'constructor', 'toString', 'a[', 'a[1000000]'])(
    'with a field %s does no harm',
    async (name) => {
      const response = await send(
        bundle.api,
        'post',
        `${bundle.path}/files`,
        form([{ name, content: 'x' }, ...good()]),
      );
      expect([201, 400]).toContain(response.status);
    },
  );
});

describe('a connection that is cut off', () => {
  /** Begins a request and sends only the first bytes of its body. */
  function begin(method: string, path: string, { contentType, body }: Form, bytes: number): ClientRequest {
    const request = httpRequest(`${site.origin}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${tenant.owner.token}`,
        'Content-Type': contentType,
        'Content-Length': body.length,
      },
    });
    request.on('error', () => undefined);
    request.write(body.subarray(0, bytes));
    return request;
  }

  // Object storage shows nothing of a file before it has all of it, so the test would not know when to end the request.
  const itOnDisk = isOnS3 ? it.skip : it;

  itOnDisk('in the middle of a file leaves nothing behind', async () => {
    const body = form(fileParts(randomBytes(2 * MIB), { href: 'app.js' }));
    const before = await site.owners();
    const requests = Array.from({ length: 5 }, () => begin('POST', `${bundle.path}/files`, body, MIB));
    await eventually(async () => expect(await site.incoming()).toHaveLength(5));
    requests.forEach((request) => request.destroy());
    await site.expectTidy();
    expect(await site.owners()).toEqual(before);
    expect(await filesOf()).toBe(0);
  });

  it('behind the file leaves nothing behind', async () => {
    const content = randomBytes(MIB);
    const body = form(fileParts(content, { href: 'app.js' }));
    const before = await site.objects();
    const request = begin('POST', `${bundle.path}/files`, body, body.body.length - 100);
    await eventually(async () => expect(await site.objects()).toHaveLength(before.length + 1));
    request.destroy();
    await site.expectTidy();
    expect(await site.objects()).toEqual(before);
    expect(await filesOf()).toBe(0);
  });

  itOnDisk('in the middle of a part leaves nothing behind', async () => {
    const content = randomBytes(2 * MIB);
    const file = await announce(bundle, content, { href: 'app.js' });
    const uploadId = await beginUpload(bundle.api, file);
    const before = await site.owners();
    const path = `${file}/upload?action=mpu-uploadpart&uploadId=${uploadId}`;
    const request = begin('PUT', path, form([filePart(content, 'blob', 'blob')]), MIB);
    await eventually(async () => expect(await site.incoming()).toHaveLength(1));
    request.destroy();
    await site.expectTidy();
    expect(await site.owners()).toEqual(before);
  });
});

describe('a file in parts', () => {
  const contents = [randomBytes(300_000), randomBytes(300_000), randomBytes(1234)];
  const content = Buffer.concat(contents);
  const parts = contents.map((part, i) => ({ etag: sha256(part), partNumber: i + 1 }));
  let file: string;
  let uploadId: string;

  beforeEach(async () => {
    file = await announce(bundle, content, { href: 'app.js' });
    uploadId = await beginUpload(bundle.api, file);
  });

  const put = (
    number: number,
    bytes: Buffer | string = contents[number - 1]!,
    upload = uploadId,
    of = file,
  ) => putPart(bundle.api, of, upload, number, bytes);
  const complete = (wanted: readonly { etag: string; partNumber: number }[] = parts, upload = uploadId) =>
    completeUpload(bundle.api, file, upload, wanted);
  const partRows = () => site.query('SELECT 1 FROM upload_parts WHERE upload_id = $1', [uploadId]);

  it('may come in any order', async () => {
    for (const number of [3, 1, 2]) {
      const response = await put(number);
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ etag: sha256(contents[number - 1]!), partNumber: number });
    }
    expect((await complete()).status).toBe(200);
    expect((await kept('app.js')).bytes?.equals(content)).toBe(true);
    expect(await partRows()).toEqual([]);
  });

  it('may have parts that are joined without copying them', async () => {
    const large = [randomBytes(5 * MIB), randomBytes(5 * MIB), randomBytes(10)];
    const whole = Buffer.concat(large);
    const largeFile = await announce(bundle, whole, { href: 'large.bin' });
    const upload = await beginUpload(bundle.api, largeFile);
    for (const number of [2, 3, 1]) await put(number, large[number - 1]!, upload, largeFile);
    const wanted = large.map((part, i) => ({ etag: sha256(part), partNumber: i + 1 }));
    expect((await completeUpload(bundle.api, largeFile, upload, wanted)).status).toBe(200);
    expect((await kept('large.bin')).bytes?.equals(whole)).toBe(true);
    await uploadFiles(bundle, { 'index.html': 'x', 'large.bin': whole });
    expect((await publish(bundle)).status).toBe(200);
    const download = await fetch(`${site.origin}${bundle.path}/download?href=large.bin`);
    expect(sha256(Buffer.from(await download.arrayBuffer()))).toBe(sha256(whole));
  });

  it('may come all at once, and each of them several times', async () => {
    const responses = await Promise.all([1, 2, 3, 3, 2, 1, 1, 2, 3].map((number) => put(number)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await partRows()).toHaveLength(3);
    expect((await complete()).status).toBe(200);
    expect((await kept('app.js')).bytes?.equals(content)).toBe(true);
  });

  it('may correct a part: the last one of a number counts, and nothing of the others is kept', async () => {
    await put(1, 'wrong bytes');
    expect(await partRows()).toHaveLength(1);
    await Promise.all([put(1), put(2), put(3)]);
    expect((await complete()).status).toBe(200);
    expect((await kept('app.js')).bytes?.equals(content)).toBe(true);
  });

  it('may have its part number before the bytes', async () => {
    const reversed = form([{ name: 'partNumber', content: '1' }, filePart(contents[0]!, 'blob', 'blob')]);
    const path = `${file}/upload?action=mpu-uploadpart&uploadId=${uploadId}`;
    expect((await send(bundle.api, 'put', path, reversed)).status).toBe(200);
  });

  it('may have parts of no bytes', async () => {
    await Promise.all([put(1), put(2), put(3), put(4, '')]);
    const response = await complete([...parts, { etag: sha256(''), partNumber: 4 }]);
    expect(response.status).toBe(200);
    expect((await kept('app.js')).bytes?.equals(content)).toBe(true);
  });

  it('of no bytes may be one empty part', async () => {
    const empty = await announce(bundle, '', { href: 'empty.txt' });
    const upload = await beginUpload(bundle.api, empty);
    await put(1, '', upload, empty);
    const response = await completeUpload(bundle.api, empty, upload, [{ etag: sha256(''), partNumber: 1 }]);
    expect(response.status).toBe(200);
    expect((await kept('empty.txt')).bytes).toHaveLength(0);
  });

  it('is complete however often that is said, also at once', async () => {
    await Promise.all([put(1), put(2), put(3)]);
    const responses = await Promise.all([complete(), complete(), complete(), complete()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await complete()).status).toBe(200);
    expect((await kept('app.js')).bytes?.equals(content)).toBe(true);
    expect(await blobsOf(content)).toBe(1);
    expect(await partRows()).toEqual([]);
  });

  it('may be uploaded twice at once', async () => {
    const second = await beginUpload(bundle.api, file);
    await Promise.all([1, 2, 3].flatMap((number) => [put(number), put(number, undefined, second)]));
    const responses = await Promise.all([complete(), complete(parts, second)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await kept('app.js')).bytes?.equals(content)).toBe(true);
  });

  it('is not complete with a wrong etag, or without one of its parts', async () => {
    await Promise.all([put(1), put(2)]);
    expect((await complete([{ etag: sha256('wrong'), partNumber: 1 }, ...parts.slice(1)])).status).toBe(400);
    expect((await complete()).status).toBe(400);
    await put(3);
    expect((await complete([parts[0]!, ...parts])).status).toBe(400);
    expect((await complete([])).status).toBe(400);
    expect(
      (await bundle.api.post(`${file}/upload?action=mpu-complete&uploadId=${uploadId}`, {})).status,
    ).toBe(400);
    expect((await bundle.api.post(`${file}/upload?action=mpu-complete`, { parts })).status).toBe(400);
    expect((await kept('app.js')).bytes).toBeNull();
    expect((await complete()).status).toBe(200);
  });

  it.each([
    ['shorter', () => parts.slice(0, 2)],
    ['of other bytes', () => [parts[0]!, { etag: sha256('x'.repeat(300_000)), partNumber: 2 }, parts[2]!]],
    ['longer', () => [...parts, { etag: sha256('x'.repeat(300_000)), partNumber: 4 }]],
  ])('that is %s than announced is refused, and nothing of it remains', async (_case, wanted) => {
    await Promise.all([put(1), put(2), put(3)]);
    if (_case === 'of other bytes') await put(2, 'x'.repeat(300_000));
    if (_case === 'longer') await put(4, 'x'.repeat(300_000));
    expect((await complete(wanted())).status).toBe(400);
    expect((await kept('app.js')).bytes).toBeNull();
    expect(await partRows()).toEqual([]);
    expect((await complete()).status).toBe(404);
  });

  it('has one part of each number, also when several come at once', async () => {
    const bytes = Array.from({ length: 6 }, (_, i) => `part ${i}`);
    const responses = await Promise.all(bytes.map((part) => put(1, part)));
    expect(responses.map(({ status }) => status)).toEqual(bytes.map(() => 200));
    const rows = await site.query<{ id: string; sha256: string }>(
      'SELECT id, sha256 FROM upload_parts WHERE upload_id = $1',
      [uploadId],
    );
    expect(rows).toHaveLength(1);
    expect(bytes.map(sha256)).toContain(rows[0]!.sha256);
    await eventually(async () => expect(await site.objects()).toEqual(await site.owners()));
    // What was replaced cannot be used any more.
    const lost = bytes.map(sha256).find((etag) => etag !== rows[0]!.sha256)!;
    const response = await complete([{ etag: lost, partNumber: 1 }]);
    expect([response.status, response.body]).toMatchObject([400, { errors: [{ field: 'parts' }] }]);
  });

  it('takes no parts beyond the announced size', async () => {
    const announced = await announce(bundle, 'x'.repeat(1000), { href: 'small.txt' });
    const upload = await beginUpload(bundle.api, announced);
    const add = (number: number, bytes: number) =>
      put(number, String(number).repeat(bytes), upload, announced);
    for (let number = 1; number <= 3; number++) expect((await add(number, 400)).status).toBe(200);
    for (let number = 4; number <= 6; number++) {
      const { status, body } = await add(number, 400);
      expect([status, body]).toMatchObject([400, { errors: [{ field: 'blob' }] }]);
    }
    // A stored part may still be corrected, and many at once get no further than one after the other.
    expect((await put(3, 'y'.repeat(200), upload, announced)).status).toBe(200);
    await Promise.all(Array.from({ length: 9 }, (_, i) => add(i + 1, 400)));
    const [{ sum } = { sum: 0 }] = await site.query<{ sum: number }>(
      'SELECT sum(size_in_bytes)::int AS sum FROM upload_parts WHERE upload_id = $1',
      [upload],
    );
    expect(sum).toBeGreaterThanOrEqual(1000);
    expect(sum).toBeLessThanOrEqual(1400);
  });

  it('has three uploads at a time; a further one replaces the oldest', async () => {
    const uploads = [uploadId];
    await put(1);
    for (let turn = 0; turn < 3; turn++) uploads.push(await beginUpload(bundle.api, file));
    const statuses = await Promise.all(uploads.map(async (id) => (await put(1, undefined, id)).status));
    expect(statuses).toEqual([404, 200, 200, 200]);
  });

  it('that is wrong is refused each time when that is said several times at once', async () => {
    await Promise.all([put(1), put(2), put(3)]);
    const wrong = parts.slice(0, 2);
    const responses = await Promise.all(Array.from({ length: 6 }, () => complete(wrong)));
    for (const { status } of responses) expect([400, 404]).toContain(status);
    expect(await partRows()).toEqual([]);
  });

  it('is refused when it was replaced meanwhile', async () => {
    await Promise.all([put(1), put(2), put(3)]);
    await postFile(bundle, 'replacement', { href: 'app.js' });
    expect((await complete()).status).toBe(400);
    expect((await kept('app.js')).bytes?.toString()).toBe('replacement');
  });

  it('may be announced again before it is complete', async () => {
    await Promise.all([put(1), put(2)]);
    expect(await announce(bundle, content, { href: 'app.js' })).toBe(file);
    await put(3);
    expect((await complete()).status).toBe(200);
    expect((await kept('app.js')).bytes?.equals(content)).toBe(true);
  });

  it('takes no part once it is complete', async () => {
    await Promise.all([put(1), put(2), put(3)]);
    await complete();
    expect((await put(1)).status).toBe(404);
    expect(await partRows()).toEqual([]);
  });

  it.each([
    ['that no one began', async () => [file, app.id, 404]],
    ['of another file', async () => [await announce(bundle, 'x', { href: 'other.js' }), uploadId, 404]],
    ['whose id is malformed', async () => [file, 'unknown', 400]],
  ] as [string, () => Promise<[string, string, number]>][])(
    'is refused for an upload %s',
    async (_case, target) => {
      const [path, upload, status] = await target();
      const before = await site.objects();
      expect((await put(1, undefined, upload, path)).status).toBe(status);
      expect((await completeUpload(bundle.api, path, upload, parts)).status).toBe(status);
      await eventually(async () => expect(await site.objects()).toEqual(before));
    },
  );

  it('is out of reach for another organization', async () => {
    const { api } = other.owner;
    await Promise.all([put(1), put(2), put(3)]);
    expect((await putPart(api, file, uploadId, 1, 'x')).status).toBe(404);
    expect((await completeUpload(api, file, uploadId, parts)).status).toBe(404);
    expect((await api.post(`${file}/upload?action=mpu-create`, {})).status).toBe(404);
    const theirs = await createBundle(await createApp(other));
    const theirFile = await announce(theirs, content, { href: 'app.js' });
    expect((await putPart(api, theirFile, uploadId, 1, 'x')).status).toBe(404);
    expect((await completeUpload(api, theirFile, uploadId, parts)).status).toBe(404);
    expect((await kept('app.js')).bytes).toBeNull();
  });

  it.each<[string, Part[]]>([
    ['without bytes', [{ name: 'partNumber', content: '1' }]],
    [
      'with a text as bytes',
      [
        { name: 'blob', content: 'x' },
        { name: 'partNumber', content: '1' },
      ],
    ],
    ['without number', [filePart('x', 'blob', 'blob')]],
    ['with number 0', [filePart('x', 'blob', 'blob'), { name: 'partNumber', content: '0' }]],
    ['with number 10,001', [filePart('x', 'blob', 'blob'), { name: 'partNumber', content: '10001' }]],
    ['with number 1.5', [filePart('x', 'blob', 'blob'), { name: 'partNumber', content: '1.5' }]],
    ['with number abc', [filePart('x', 'blob', 'blob'), { name: 'partNumber', content: 'abc' }]],
    ['with two numbers', [1, 2].map((n) => ({ name: 'partNumber', content: String(n) })).concat()],
  ])('is refused %s', async (_case, wrong) => {
    const path = `${file}/upload?action=mpu-uploadpart&uploadId=${uploadId}`;
    expect((await send(bundle.api, 'put', path, form(wrong))).status).toBe(400);
    expect(await partRows()).toEqual([]);
  });

  it.each(['', '?action=', '?action=mpu-abort', '?action=mpu-create&action=mpu-complete'])(
    'is refused for the action in %p',
    async (query) => {
      expect((await bundle.api.post(`${file}/upload${query}`, {})).status).toBe(400);
    },
  );

  it('cannot be completed once the bundle is published', async () => {
    await Promise.all([put(1), put(2), put(3)]);
    await uploadFiles(bundle, { 'index.html': 'x' });
    expect((await publish(bundle)).status).toBe(200);
    expect((await complete()).status).toBe(409);
    expect((await kept('app.js')).bytes).toBeNull();
  });
});
