import type { Config } from '../config/config.js';
import type { Installation } from '../config/groups/installation-config.js';

/** What runs a command of `slipway` in each kind of installation. */
const prefixes: Record<Installation, string> = {
  checkout: 'npm run slipway --',
  compose: 'docker compose exec api slipway',
  image: 'docker exec -it <container> slipway',
  kubernetes: 'kubectl exec -it deploy/slipway -- slipway',
};

/**
 * A line for people to run where this server is installed.
 *
 * @param name of the command, such as `user create`
 * @param args its options
 */
export function lineOf(config: Config, name: string, ...args: string[]): string {
  return [prefixes[installationOf(config)], name, ...args.map(quoted)].join(' ');
}

/** The address of the pages: `PUBLIC_URL`, else the one that the server listens on. */
export function addressOf({ http }: Config): string {
  return http.publicUrl ?? `http://localhost:${http.port}`;
}

/** Pods of the image are on Kubernetes, which sets this variable in each. */
function installationOf({ installation: { kind } }: Config): Installation {
  if (kind === 'compose' || kind === 'kubernetes') return kind;
  return process.env['KUBERNETES_SERVICE_HOST'] === undefined ? (kind ?? 'checkout') : 'kubernetes';
}

/** An argument as shells take it. */
function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
