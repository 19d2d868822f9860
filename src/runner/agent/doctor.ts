import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient } from '../api/api-client.js';
import { RefusedError } from '../api/api-errors.js';
import { ApiHealth } from '../api/api-health.js';
import { RunnerApi } from '../api/runner-api.js';
import type { Check } from '../sandbox/check.js';
import type { RunnerSettings } from './settings.js';

/** Clocks that differ by more are worth a warning, in seconds. */
const CLOCK_WARNING = 30;
/** Clocks that differ by more break TLS and signed addresses, in seconds. */
const CLOCK_FAILURE = 300;
/** How long one check of the API may take, in milliseconds. */
const TRY = 10_000;
const MIB = 1024 ** 2;

/** What can go wrong between a runner, its folder and the API. Opens no session, so it disturbs no runner. */
export async function agentChecks(settings: RunnerSettings): Promise<Check[]> {
  const api = await apiChecks(settings.url);
  const isReachable = api[0]?.status !== 'failed';
  return [...api, ...(isReachable ? [await tokenCheck(settings)] : []), ...(await folderChecks(settings))];
}

async function apiChecks(url: string): Promise<Check[]> {
  const start = Date.now();
  let response: Response;
  try {
    response = await fetch(`${url}/health/ready`, { redirect: 'manual', signal: AbortSignal.timeout(TRY) });
    await response.arrayBuffer();
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
    return [failed('API', `${url} cannot be reached: ${reason}.`)];
  }
  if (!response.ok) return [failed('API', `${url}/health/ready responds with ${response.status}.`)];
  const reached = ok('API', `${url} responds after ${Date.now() - start} ms.`);
  const isPlain = url.startsWith('http:') && !/^http:\/\/(localhost|127\.|\[::1\])/.test(url);
  return [
    isPlain
      ? warning('API', `${reached.message} The address is not https: others can read the token.`)
      : reached,
    clockCheck(response.headers.get('date'), start),
  ];
}

function clockCheck(date: string | null, start: number): Check {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return warning('Clock', 'The API does not say what time it is.');
  // The header has whole seconds.
  const seconds = Math.round((there + 500 - (start + Date.now()) / 2) / 1000);
  const message = `The clocks of this machine and the API differ by ${Math.abs(seconds)} s.`;
  if (Math.abs(seconds) > CLOCK_FAILURE) return failed('Clock', message);
  return Math.abs(seconds) > CLOCK_WARNING ? warning('Clock', message) : ok('Clock', message);
}

/** Ends a session that does not exist: only the token decides about the response. */
async function tokenCheck({ url, token }: RunnerSettings): Promise<Check> {
  const client = new ApiClient(url, token, new ApiHealth(() => undefined));
  try {
    await new RunnerApi(client).endSession(randomUUID());
    return ok('Token', 'The API accepts the token.');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isRefused = error instanceof RefusedError && error.status === 401;
    return failed('Token', isRefused ? 'The API does not accept the token.' : message);
  }
}

async function folderChecks({ dir, diskMiB, slots }: RunnerSettings): Promise<Check[]> {
  const probe = join(dir, `.doctor-${randomUUID()}`);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    return [failed('Folder', `RUNNER_DIR cannot be written: ${(error as Error).message}.`)];
  }
  const { bavail, bsize } = await statfs(dir);
  const freeMiB = Math.floor((bavail * bsize) / MIB);
  const free = `${dir} has ${freeMiB.toLocaleString('en')} MiB free`;
  const needed = diskMiB * slots;
  return [
    ok('Folder', `${dir} can be written.`),
    freeMiB < 1024
      ? failed('Disk', `${free}.`)
      : freeMiB < needed
        ? warning(
            'Disk',
            `${free}; ${slots} slots may take ${needed.toLocaleString('en')} MiB (RUNNER_DISK).`,
          )
        : ok('Disk', `${free}.`),
  ];
}

function ok(name: string, message: string): Check {
  return { name, status: 'ok', message };
}

function warning(name: string, message: string): Check {
  return { name, status: 'warning', message };
}

function failed(name: string, message: string): Check {
  return { name, status: 'failed', message };
}

/** Lines for the operator. */
export function renderChecks(checks: readonly Check[]): string[] {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks.map(({ name, status, message }) => `${status.padEnd(7)}  ${name.padEnd(width)}  ${message}`);
}
