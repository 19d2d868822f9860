import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Tenant } from '../../builders/identities.js';

const MINIMAL = join(import.meta.dirname, 'minimal-runner.ts');

/** A runner in a process of its own. */
export interface RunnerProcess {
  readonly process: ChildProcess;
  /** Ends it at once, with its builds. */
  kill(): Promise<void>;
}

/** Registers a runner of an organization. @returns its token */
export async function registerRunner(tenant: Tenant, values: object = {}): Promise<string> {
  const { status, body } = await tenant.owner.api.post(`/v1/organizations/${tenant.organizationId}/runners`, {
    name: 'minimal',
    ...values,
  });
  expect(status).toBe(201);
  return (body as { token: string }).token;
}

/**
 * Starts the minimal runner, and waits until it has a session.
 *
 * @param origin of the API
 * @param slots builds at once
 */
export async function startRunner(origin: string, token: string, slots = 1): Promise<RunnerProcess> {
  const child = spawn(process.execPath, [MINIMAL], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      SLIPWAY_URL: origin,
      RUNNER_TOKEN: token,
      RUNNER_SLOTS: String(slots),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4000)));
  await Promise.race([
    once(child.stdout, 'data'),
    exited.then(([code]) => Promise.reject(new Error(`The runner ended with ${code}:\n${errors}`))),
  ]);
  return {
    process: child,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
