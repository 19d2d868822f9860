import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JobLogSender } from './job-log-sender.ts';
import { JobGoneError, RefusedError, send } from './runner-api.ts';
import { buildWeb, checkOut, StepError, unzip, type WebJob } from './web-build.ts';

/**
 * The least that speaks the runner protocol: builds web projects, one after the other, without a sandbox. For tests; its
 * own process, so that they can kill it. `SLIPWAY_URL`, `RUNNER_TOKEN`; `RUNNER_SLOTS` builds at once, one by default.
 */
const origin = process.env['SLIPWAY_URL'] ?? '';
const token = process.env['RUNNER_TOKEN'] ?? '';
const slots = Number(process.env['RUNNER_SLOTS'] ?? 1);

interface Claim {
  readonly job: { readonly id: string; readonly attempt: number };
  readonly jobToken: string;
}

interface Session {
  readonly id: string;
  readonly beatSeconds: number;
}

const opened = await send(origin, {
  method: 'POST',
  path: '/v1/runner/sessions',
  token,
  body: {
    name: 'minimal',
    version: '0.0.0',
    os: process.platform,
    arch: process.arch,
    platforms: ['web'],
    stacks: [],
    labels: [],
    slots,
  },
});
const session = (await opened.json()) as Session;
process.stdout.write('ready\n');
await Promise.all(Array.from({ length: slots }, () => work()));

/** Takes one job after the other. */
async function work(): Promise<never> {
  for (;;) {
    // The same claim is sent again until it is answered, so that no job is lost with an answer.
    const response = await send(origin, {
      method: 'POST',
      path: '/v1/runner/claims',
      token,
      body: { sessionId: session.id, claimId: randomUUID(), free: 1 },
    });
    if (response.status === 200) await execute((await response.json()) as Claim);
  }
}

async function execute({ job, jobToken }: Claim): Promise<void> {
  const gone = new AbortController();
  const log = new JobLogSender(origin, jobToken);
  const folder = await mkdtemp(join(tmpdir(), 'slipway-job-'));
  const beats = beat(jobToken, gone);
  try {
    const post = (path: string, body: unknown): Promise<Response> =>
      send(origin, { method: 'POST', path: `/v1/runner/job/${path}`, token: jobToken, body });
    await post('start', {});
    const result = await build(jobToken, folder, log, gone.signal);
    await log.end();
    await post('finish', { attempt: job.attempt, logBytes: log.length, ...result });
  } catch (error) {
    // A job that has another runner by now is not reported.
    if (!(error instanceof JobGoneError) && !gone.signal.aborted)
      process.stderr.write(`${job.id}: ${String(error)}\n`);
  } finally {
    gone.abort();
    await beats;
    await rm(folder, { recursive: true, force: true });
  }
}

async function build(
  jobToken: string,
  folder: string,
  log: JobLogSender,
  signal: AbortSignal,
): Promise<{ status: string; statusMessage?: string; step?: string }> {
  const get = (path: string): Promise<Response> =>
    send(origin, { method: 'GET', path: `/v1/runner/job/${path}`, token: jobToken });
  const job = (await (await get('payload')).json()) as WebJob;
  const cwd = join(folder, 'repo');
  await mkdir(cwd);
  const commands = {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...job.environment, ...job.secrets },
    output: (chunk: Buffer) => log.write(chunk),
    signal,
  };
  try {
    if (job.source.type === 'git')
      await checkOut(job.source, { ...commands, env: { PATH: commands.env.PATH, HOME: folder } });
    else await unzip(Buffer.from(await (await get('source')).arrayBuffer()), cwd);
    await upload(jobToken, await buildWeb(job, commands));
    return { status: 'succeeded' };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    log.write(`${error.message}\n`);
    return { status: 'failed', statusMessage: error.message, step: error.step };
  }
}

async function upload(jobToken: string, bytes: Buffer): Promise<void> {
  const json = async (method: string, path: string, body: unknown): Promise<Record<string, unknown>> => {
    const response = await send(origin, {
      method,
      path: `/v1/runner/job/artifacts${path}`,
      token: jobToken,
      body,
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { id } = await json('POST', '', {
    type: 'zip',
    fileName: 'www.zip',
    fileSizeInBytes: bytes.length,
    sha256,
  });
  const { uploadId } = await json('POST', `/${String(id)}/upload?action=mpu-create`, {});
  const PART = 10 * 1024 * 1024;
  const parts: unknown[] = [];
  for (let offset = 0; offset < bytes.length; offset += PART) {
    const form = new FormData();
    form.set('partNumber', String(parts.length + 1));
    form.set('blob', new Blob([new Uint8Array(bytes.subarray(offset, offset + PART))]));
    parts.push(
      await json('PUT', `/${String(id)}/upload?action=mpu-uploadpart&uploadId=${String(uploadId)}`, form),
    );
  }
  await json('POST', `/${String(id)}/upload?action=mpu-complete&uploadId=${String(uploadId)}`, { parts });
}

/** Keeps the lease, until the job is over. */
async function beat(jobToken: string, gone: AbortController): Promise<void> {
  while (!gone.signal.aborted) {
    try {
      await send(origin, {
        method: 'PUT',
        path: '/v1/runner/job/lease',
        token: jobToken,
        body: {},
        signal: gone.signal,
      });
      await sleep(session.beatSeconds * 1000, undefined, { signal: gone.signal });
    } catch (error) {
      if (error instanceof JobGoneError || error instanceof RefusedError) gone.abort();
      else if (!gone.signal.aborted) throw error;
    }
  }
}
