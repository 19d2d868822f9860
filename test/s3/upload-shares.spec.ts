import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { fileParts, form } from '../support/http/multipart.js';
import { postFile } from '../support/live-updates/uploads.js';
import { OwnSite } from '../support/servers/own-site.js';

/** More than a process takes of all organizations at once. */
const UPLOADS = 24;

let site: OwnSite;

beforeAll(async () => {
  site = await OwnSite.start();
});
afterAll(() => site.dispose());

const newApp = async (): Promise<TestApp> => createApp(await createTenant(site));

/** A file of which everything was sent but the end. */
interface HalfSent {
  hasArrived(): boolean;
  isAnswered(): boolean;
  /** Sends the rest. @returns the status */
  end(): Promise<number | undefined>;
  /** Closes the connection. */
  leave(): void;
}

function halfSend({ api, path }: TestBundle, href: string): HalfSent {
  const [checksum, bytes, ...others] = fileParts('x'.repeat(100_000), { href });
  // The bytes come last.
  const { contentType, body } = form([checksum, ...others, bytes].filter((part) => part !== undefined));
  const headers = {
    Authorization: `Bearer ${api.token}`,
    'Content-Type': contentType,
    'Content-Length': body.length,
  };
  const request = httpRequest(`${api.origin}${path}/files`, { method: 'POST', headers, agent: false });
  const response = once(request, 'response') as Promise<[IncomingMessage]>;
  let answered = false;
  response.then(
    () => (answered = true),
    () => undefined,
  );
  request.write(body.subarray(0, -100));
  return {
    hasArrived: () => request.writableLength === 0 && request.socket?.writableLength === 0,
    isAnswered: () => answered,
    end: async () => {
      request.end(body.subarray(-100));
      const [{ statusCode }] = await response;
      return statusCode;
    },
    leave: () => request.destroy(),
  };
}

/** Half-sent files that have arrived, or fill the buffers on the way. */
async function halfSendAll(bundle: TestBundle): Promise<HalfSent[]> {
  const all = Array.from({ length: UPLOADS }, (_, i) => halfSend(bundle, `${i}.js`));
  await eventually(() => expect(all.every((upload) => upload.hasArrived())).toBe(true));
  return all;
}

it('uploads of one organization that stop half-way hold no others', async () => {
  const [greedy, other] = [await createBundle(await newApp()), await createBundle(await newApp())];
  const held = await halfSendAll(greedy);
  const responses = await Promise.all(
    Array.from({ length: 3 }, (_, i) => postFile(other, 'app', { href: `${i}.js` })),
  );
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(held.some((upload) => upload.isAnswered())).toBe(false);
  expect(await Promise.all(held.map((upload) => upload.end()))).toEqual(held.map(() => 201));
});

it('uploads that wait are stored when those in front of them are left', async () => {
  const bundle = await createBundle(await newApp());
  const left = await halfSendAll(bundle);
  const waiting = postFile(bundle, 'app', { href: 'app.js' });
  for (const upload of left) upload.leave();
  expect((await waiting).status).toBe(201);
});
