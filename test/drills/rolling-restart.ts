import { setTimeout as sleep } from 'node:timers/promises';
import { type Instance, withInstance } from '../../bench/instance.ts';
import type { ServerProcess } from '../setup/server.ts';
import {
  type Balancer,
  missingPrograms,
  type Ports,
  startHaproxyExample,
  startNginxExample,
  startPlainNginx,
} from './balancers.ts';
import { freePort } from '../setup/free-port.ts';
import { type Kind, Traffic } from './traffic.ts';

/**
 * `npm run drill:restart`: restarts two servers in turn behind real load balancers, while clients send requests of every
 * kind. Exits with 1 if one of them fails. docs/testing.md has the figures.
 */
interface Scenario {
  readonly name: string;
  readonly start: (ports: Ports) => Promise<Balancer>;
  readonly env: Readonly<Record<string, string>>;
  /** How often each server is restarted. */
  readonly rounds: number;
  /** Seconds until the balancer uses a server again that has returned. */
  readonly pause: number;
}

const scenarios: readonly Scenario[] = [
  // After a failed connection, nginx leaves a server alone for 10 seconds (`fail_timeout`).
  { name: 'nginx, its defaults', start: startPlainNginx, env: {}, rounds: 1, pause: 10.5 },
  {
    name: 'deploy/proxies/nginx.conf',
    start: startNginxExample,
    env: { TRUST_PROXY: '1', SHUTDOWN_DELAY_SECONDS: '0' },
    rounds: 2,
    pause: 1,
  },
  {
    name: 'deploy/proxies/haproxy.cfg',
    start: startHaproxyExample,
    env: { TRUST_PROXY: '1', SHUTDOWN_DELAY_SECONDS: '3' },
    rounds: 1,
    pause: 2.5,
  },
];

const missing = missingPrograms();
if (missing.length > 0) {
  console.error(`The drill needs ${missing.join(' and ')}: apt-get install nginx-light haproxy`);
  process.exit(1);
}
const only = process.argv[2];
let failed = 0;
for (const scenario of scenarios) {
  if (only !== undefined && !scenario.name.includes(only)) continue;
  failed += await drill(scenario);
}
if (failed > 0) {
  console.error(`${failed} requests failed.`);
  process.exitCode = 1;
}

/** @returns how many requests failed */
async function drill({ name, start, env, rounds, pause }: Scenario): Promise<number> {
  const [balancer, one, two] = [await freePort(), await freePort(), await freePort()];
  const ports: Ports = { balancer, servers: [one, two] };
  let failures = 0;
  await withInstance(
    async (instance) => {
      const servers = [instance.server, await startOn(instance, ports.servers[1])];
      const proxy = await start(ports);
      const traffic = new Traffic(proxy.origin, instance.token);
      await traffic.start();
      await sleep(1000);
      const stops: number[] = [];
      for (let round = 0; round < rounds; round++) {
        for (const [index, port] of ports.servers.entries()) {
          stops.push(performance.now());
          await servers[index]!.stop();
          servers[index] = await startOn(instance, port);
          await sleep(pause * 1000);
        }
      }
      await traffic.stop();
      await proxy.stop();
      report(name, traffic, stops);
      failures = traffic.failures.length;
    },
    { env: { PORT: String(one), ...env } },
  );
  return failures;
}

function startOn(instance: Instance, port: number): Promise<ServerProcess> {
  return instance.startReplica({ PORT: String(port) });
}

function report(name: string, { counts, failures }: Traffic, stops: readonly number[]): void {
  const kinds = Object.keys(counts) as Kind[];
  const failedOf = (kind: Kind): number => failures.filter((failure) => failure.kind === kind).length;
  console.log(`\n${name}: ${stops.length} restarts, ${failures.length} failed requests`);
  console.table(
    Object.fromEntries(kinds.map((kind) => [kind, { succeeded: counts[kind], failed: failedOf(kind) }])),
  );
  for (const { kind, at, reason } of failures.slice(0, 20)) {
    const stop = stops.findLast((time) => time < at) ?? at;
    console.log(`${kind}, ${Math.round(at - stop)} ms after SIGTERM: ${reason}`);
  }
}
