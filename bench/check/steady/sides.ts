import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../test/setup/free-port.ts';
import { query } from '../../../test/setup/databases.ts';

import { onCore } from '../../cores.ts';
import type { Instance } from '../../instance.ts';
import type { Load } from '../../load/load.ts';
import { checkOf } from '../../load/requests.ts';
import { fetchWire, type WireResponse } from '../wire-response.ts';
import type { SteadyCase } from './cases.ts';
import { SeededApp } from './seeded-app.ts';

/** What the devices of each case send, to an app of their own. */
type Seeds = ReadonlyMap<SteadyCase, Partial<Load> & { readonly appId: string }>;

/** A server process of a side. */
export interface SideServer {
  readonly origin: string;
  readonly pid: number;
  readonly metricsPort: number;
}

/** Server processes of one commit, one of which trusts a proxy. */
export interface Side {
  readonly name: string;
  /** Whether it must drop no check-in, and count them. */
  readonly isCurrent: boolean;
  readonly seeds: Seeds;
  /** The process that a case is measured with. */
  serverFor(tested: SteadyCase): SideServer;
  stop(): Promise<void>;
}

/** Milliseconds until a server is asked again, and how long it is asked at most: it learns of changes a moment later. */
const ASKED_AFTER = 50;
const PATIENCE = 5000;

/** Seeds an app for each case through the API. */
export async function seedCases(instance: Instance, cases: readonly SteadyCase[]): Promise<Seeds> {
  const seeds = new Map<SteadyCase, Partial<Load> & { readonly appId: string }>();
  // Other scenarios may have created more.
  const [organization] = await instance.call<{ id: string }[]>('GET', '/v1/organizations');
  for (const tested of cases) {
    const values = { name: tested.name, organizationId: organization?.id };
    const app = await SeededApp.create(instance, values);
    seeds.set(tested, { ...(await tested.seed(app)), appId: app.id });
  }
  await query(instance.databaseUrl, 'VACUUM ANALYZE');
  await query(instance.databaseUrl, 'CHECKPOINT');
  return seeds;
}

/** Starts servers on core 0; the one that trusts a proxy only for cases that need it. */
export async function startSide(
  name: string,
  isCurrent: boolean,
  instance: Instance,
  seeds: Seeds,
): Promise<Side> {
  const start = async (env: Readonly<Record<string, string>>) => {
    const metricsPort = await freePort();
    // Polling for background work must not count as work for checks: as seldom as by default.
    const usual = { METRICS_PORT: String(metricsPort), QUEUE_POLL_SECONDS: '5' };
    const server = await instance.startReplica({ ...usual, ...env }, onCore(0));
    return { origin: server.origin, pid: server.process.pid ?? 0, metricsPort, stop: server.stop };
  };
  const direct = await start({});
  const isProxied = [...seeds.keys()].some(({ isBehindProxy }) => isBehindProxy);
  const proxied = isProxied ? await start({ TRUST_PROXY: 'loopback' }) : direct;
  return {
    name,
    isCurrent,
    seeds,
    serverFor: ({ isBehindProxy }) => (isBehindProxy ? proxied : direct),
    stop: async () => {
      await direct.stop();
      if (isProxied) await proxied.stop();
    },
  };
}

/** The response to the first check of a load, as soon as it has the expected status, otherwise the last one. */
export async function responseTo(load: Load, expected: string): Promise<WireResponse> {
  const { path, headers } = checkOf(load, 0);
  const until = performance.now() + PATIENCE;
  for (;;) {
    const response = await fetchWire(`${load.origins[0]}${path}`, headers);
    if (String(response.status) === expected || performance.now() > until) return response;
    await sleep(ASKED_AFTER);
  }
}
