import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { FinishJobDto } from '../../jobs/runner-jobs/runner-jobs.dto.js';
import type { ClaimResponseDto } from '../../jobs/runner-sessions/runner-session.dto.js';
import { ApiClient } from '../api/api-client.js';
import { ApiHealth } from '../api/api-health.js';
import { JobFolderStore } from '../folders/job-folder-store.js';
import { removeFolder } from '../folders/remove-folder.js';
import type { JobSandbox } from '../sandbox/sandbox.js';
import type { BuildRun, BuiltFile } from '../steps/build-run.js';
import { type JobEnd, runJob } from './run-job.js';

const never = new Promise<never>(() => undefined);

let dir: string;
let server: Server;
/** What the API says about the job with every response. */
let status: string;
let received: Buffer;
let finished: FinishJobDto[];
let problems: string[];
/** Ends what a build does that does not stop. */
let builds: NodeJS.Timeout[];

beforeEach(async () => {
  [status, received, finished, problems, builds] = ['in_progress', Buffer.alloc(0), [], [], []];
  server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  dir = await mkdtemp(join(tmpdir(), 'slipway-spec-'));
});
afterEach(async () => {
  for (const timer of builds) clearInterval(timer);
  server.closeAllConnections();
  server.close();
  await removeFolder(dir);
});

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  response.setHeader('X-Job-Status', status);
  const path = request.url?.slice('/v1/runner/job/'.length);
  if (path === 'payload') return void response.end('{"masks":[],"source":{"type":"git"}}');
  if (path === 'log') {
    const isSmall = request.headers['content-encoding'] === 'gzip';
    received = Buffer.concat([received, isSmall ? gunzipSync(body) : body]);
    return void response.writeHead(202).end(JSON.stringify({ logBytes: received.length }));
  }
  if (path === 'finish') {
    const end = JSON.parse(body.toString()) as FinishJobDto;
    finished.push(end);
    if (end.logBytes !== received.length) {
      response.writeHead(409, { 'Upload-Offset': String(received.length) });
      return void response.end('{"code":"log_out_of_step","message":"The log is behind."}');
    }
  }
  response.writeHead(200).end('{}');
}

function claimOf(timeoutSeconds: number): ClaimResponseDto {
  const job = {
    id: randomUUID(),
    attempt: 1,
    kind: 'build',
    platform: 'web',
    timeoutSeconds,
    idleSeconds: 600,
  };
  return { job, jobToken: 'token' } as unknown as ClaimResponseDto;
}

/** Does a job whose build does what it wants. */
function run(
  runDriver: (run: BuildRun) => Promise<readonly BuiltFile[]>,
  { timeoutSeconds = 600, openSandbox = () => Promise.resolve({ notes: [] } as unknown as JobSandbox) } = {},
): Promise<JobEnd> {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return runJob(claimOf(timeoutSeconds), {
    client: new ApiClient(origin, '', new ApiHealth(() => undefined)),
    protocol: { beatSeconds: 0.05, maxLogChunkBytes: 65_536, maxLogBytes: 1_000_000, logSeconds: 0.05 },
    folders: new JobFolderStore(dir, (text) => problems.push(text)),
    sandbox: { name: 'none', isSafe: false, open: openSandbox, openSigning: () => never },
    runDriver,
    killed: new AbortController().signal,
    onLog: () => undefined,
    onProblem: (text) => problems.push(text),
    stopWithin: 50,
  });
}

/** A build that prints all the time, and that nothing stops. */
function stubborn({ log }: BuildRun): Promise<never> {
  builds.push(setInterval(() => log.write(Buffer.from('still here\n')), 1));
  return never;
}

it('goes on without a build that does not stop when the job is canceled', async () => {
  const end = await run((build) => {
    status = 'canceled';
    return stubborn(build);
  });
  expect(end.status).toBe('canceled');
  expect(problems).toEqual(['The build does not stop. The runner goes on without it.']);
  expect(await readdir(dir)).toEqual([]);
  expect(finished).toEqual([]);
});

it('goes on without a sandbox that does not open', async () => {
  const end = await run(stubborn, {
    openSandbox: () => {
      status = 'lost';
      return never;
    },
  });
  expect(end.status).toBe('lost');
  expect(await readdir(dir)).toEqual([]);
});

it('reports a build that takes too long and does not stop, with the log until then', async () => {
  const end = await run(stubborn, { timeoutSeconds: 0.2 });
  expect(end.status).toBe('timed_out');
  expect(finished).toMatchObject([{ status: 'timed_out', logBytes: received.length }]);
  expect(received.toString()).toMatch(/still here\n§ The job took longer than its time limit/);
  expect(await readdir(dir)).toEqual([]);
});

it('writes nothing of such a build into the log of the next job', async () => {
  await run((build) => {
    status = 'canceled';
    return stubborn(build);
  });
  [status, received] = ['in_progress', Buffer.alloc(0)];
  const end = await run(async ({ log }) => {
    log.line('The next job');
    await new Promise((resolve) => setTimeout(resolve, 100));
    return [];
  });
  expect(end.status).toBe('succeeded');
  expect(received.toString()).toBe('§ The next job\n');
});
