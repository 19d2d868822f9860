import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { Sandbox } from '../sandbox/sandbox.js';
import { Agent } from './agent.js';
import { readSettings } from './settings.js';
import { Terminal } from './terminal.js';

const token = `slr_${'0a'.repeat(24)}`;
const session = {
  id: randomUUID(),
  runnerId: randomUUID(),
  sandboxRequired: false,
  claimSeconds: 1,
  leaseSeconds: 60,
  beatSeconds: 1,
  maxLogChunkBytes: 65_536,
  maxLogBytes: 100_000,
  logSeconds: 1,
};

interface Claim {
  readonly sessionId: string;
  readonly claimId: string;
  readonly free: number;
}

let dir: string;
let server: Server;
let agent: Agent;
let sandboxRequired: boolean;
let sessions: { version: string; slots: number }[];
let ended: string[];
let claims: Claim[];
/** What the server does with one claim after the other. */
let replies: ((response: ServerResponse) => void)[];
let printed: string;

beforeEach(async () => {
  [sandboxRequired, sessions, ended, claims, printed] = [false, [], [], [], ''];
  server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (request.method === 'DELETE') {
      ended.push(path.slice(path.lastIndexOf('/') + 1));
      response.writeHead(204).end();
    } else if (path === '/v1/runner/sessions') {
      sessions.push((await json(request)) as (typeof sessions)[0]);
      response.writeHead(201).end(JSON.stringify({ ...session, sandboxRequired }));
    } else {
      claims.push((await json(request)) as Claim);
      replies.shift()?.(response);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  dir = await mkdtemp(join(tmpdir(), 'slipway-spec-'));
  const settings = readSettings({
    RUNNER_PLATFORMS: 'web',
    SLIPWAY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    RUNNER_TOKEN: token,
    RUNNER_DIR: dir,
    RUNNER_SLOTS: '3',
  });
  const out = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      printed += chunk.toString();
      done();
    },
  });
  const notUsed = () => Promise.reject(new Error('not used'));
  const sandbox: Sandbox = { name: 'none', isSafe: false, open: notUsed, openSigning: notUsed };
  agent = new Agent(
    settings,
    {
      version: '1.2.3',
      removeLeftovers: () => Promise.resolve([]),
      findSandbox: () => Promise.resolve(sandbox),
      runDriver: () => Promise.resolve([]),
    },
    new Terminal(out),
  );
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(dir, { recursive: true });
});

it('repeats a claim with its id until it has a response, then takes another id', async () => {
  replies = [
    (response) => response.destroy(),
    (response) => response.writeHead(503).end(),
    (response) => response.writeHead(204).end(),
    () => agent.drain(),
  ];
  await agent.run();
  const [first, second, third, fourth] = claims.map(({ claimId }) => claimId);
  expect([second, third]).toEqual([first, first]);
  expect(fourth).not.toBe(first);
  expect(claims[0]).toMatchObject({ sessionId: session.id, free: 3 });
  expect(sessions).toMatchObject([{ version: '1.2.3', slots: 3 }]);
  expect(ended).toEqual([session.id]);
  expect(printed).toMatch(
    /Runner .* waits for jobs of .*: 3 jobs at the same time, for web, sandbox none, which/,
  );
});

it('needs a safe sandbox for the builds of all organizations', async () => {
  sandboxRequired = true;
  await expect(agent.run()).rejects.toMatchObject({ exitCode: 5 });
  expect(claims).toEqual([]);
  expect(ended).toEqual([session.id]);
});

it.each([
  ['no job', '{"job":null}'],
  ['a job that leads out of the folder', `{"job":{"id":"../../etc","attempt":1},"jobToken":"t"}`],
  ['no JSON', '<html>'],
])('does not understand a claim that gets %s', async (_name, body) => {
  replies = [(response) => response.writeHead(200).end(body)];
  await expect(agent.run()).rejects.toMatchObject({ exitCode: 6 });
});
