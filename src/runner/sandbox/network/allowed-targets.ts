import { isIP, isIPv4 } from 'node:net';
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { SandboxSettingError } from '../sandbox-options.js';
import { isClosed, isMetadata, isSandbox, ownAddresses } from './routes.js';

const HOST = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** What `RUNNER_ALLOW` opens. */
export interface AllowedTargets {
  /** IPv4, in CIDR notation. */
  readonly networks: readonly string[];
  readonly hosts: readonly string[];
  /** IPv6 addresses and networks, which sandboxes do not have. */
  readonly ignored: readonly string[];
}

/** @throws SandboxSettingError names the first entry that is wrong */
export function parseAllowedTargets(entries: readonly string[]): AllowedTargets {
  const networks: string[] = [];
  const hosts: string[] = [];
  const ignored: string[] = [];
  for (const entry of entries) {
    const text = entry.trim().toLowerCase();
    const [address = ''] = text.split('/', 1);
    if (isIPv4(address) && isNetwork(text)) networks.push(networkOf(text));
    else if (isIP(address) !== 0 && isNetwork(text)) ignored.push(text);
    else if (HOST.test(text)) hosts.push(text);
    else {
      throw new SandboxSettingError(
        `RUNNER_ALLOW has "${entry}". Use networks, addresses and host names, such as 10.1.0.0/16,npm.corp.example.com.`,
      );
    }
  }
  return { networks, hosts, ignored };
}

/** The IPv4 addresses of the hosts as networks, and the hosts that have none now. */
export async function resolveHosts(
  hosts: readonly string[],
): Promise<{ networks: readonly string[]; unknown: readonly string[] }> {
  const found = await Promise.all(
    hosts.map(async (host) => {
      const addresses = await lookup(host, { all: true, family: 4 }).catch(() => []);
      return { host, networks: addresses.map(({ address }) => `${address}/32`) };
    }),
  );
  return {
    networks: found.flatMap(({ networks }) => networks),
    unknown: found.filter(({ networks }) => networks.length === 0).map(({ host }) => host),
  };
}

/**
 * Which hosts are closed to builds, and would be open if `RUNNER_ALLOW` named them: neither metadata services nor the
 * loopback. An address whose name is among the hosts is left out.
 *
 * @param hosts names and IPv4 addresses, as programs printed them
 * @param allowed the IPv4 networks that are open, in CIDR notation
 */
export async function findClosedHosts(
  hosts: readonly string[],
  allowed: readonly string[],
): Promise<string[]> {
  const own = ownAddresses();
  const closed = (address: string): boolean =>
    !isMetadata(address) &&
    !isSandbox(address) &&
    !/^(0|127)\./.test(address) &&
    isClosed(address, allowed, own);
  const names = hosts.filter((host) => !isIPv4(host) && HOST.test(host));
  const resolved = await Promise.all(
    names.map(async (name) => {
      const { networks } = await resolveHosts([name]);
      return { name, addresses: networks.map((network) => network.replace('/32', '')) };
    }),
  );
  const found = resolved.filter(({ addresses }) => addresses.some(closed));
  const named = new Set(found.flatMap(({ addresses }) => addresses));
  const bare = hosts.filter((host) => isIPv4(host) && !named.has(host) && closed(host));
  return [...new Set([...found.map(({ name }) => name), ...bare])];
}

function isNetwork(text: string): boolean {
  return !text.includes('/') || ipaddr.isValidCIDR(text);
}

/** With the bits behind the prefix cleared, as routes need it. */
function networkOf(text: string): string {
  const cidr = text.includes('/') ? text : `${text}/32`;
  return `${ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()}/${cidr.split('/')[1]}`;
}
