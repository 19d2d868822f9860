import type { BuildRun } from './build-run.js';

/** What is kept of the output of a command, in bytes: programs print why they failed at the end. */
const KEPT = 64 * 1024;

/** Hosts that are looked for, at most: each name is resolved. */
const MAX_HOSTS = 20;

/** Longer lines are cut. In characters. */
const MAX_LINE = 2000;

/** How programs say that there is no route: Node.js and npm, curl and git, git-lfs, Java. */
const NO_ROUTE =
  /EHOSTUNREACH|ENETUNREACH|[Nn]o route to host|Host is unreachable|Network is unreachable|NoRouteToHost|Failed to connect|Couldn't connect/;

/** What Node.js adds about its own end of a connection. */
const LOCAL = / - Local \([^)]{0,100}\)/g;

/** A host in an address, of a connection, or alone. */
const HOSTS =
  /https?:\/\/(?:[^\s/@"']{1,200}@)?([\w.-]{1,253})|(?:Failed to connect to|connect to host|EHOSTUNREACH|ENETUNREACH) ([\w.-]{1,253})|\b(\d{1,3}(?:\.\d{1,3}){3})\b/g;

/** The end of what a command prints. It is copied: a chunk of a few bytes takes hundreds in memory, and a build can print many. */
export class OutputEnd {
  private readonly end: Buffer;
  private length = 0;

  /** @param kept how many bytes */
  constructor(private readonly kept = KEPT) {
    // Twice as much, so that it is moved rarely.
    this.end = Buffer.alloc(2 * kept);
  }

  add(chunk: Buffer): void {
    const added = chunk.subarray(-this.kept);
    if (this.length + added.length > this.end.length) {
      this.end.copyWithin(0, this.length - this.kept, this.length);
      this.length = this.kept;
    }
    this.length += added.copy(this.end, this.length);
  }

  /** What is kept. */
  bytes(): Buffer {
    return this.end.subarray(Math.max(0, this.length - this.kept), this.length);
  }

  /** The hosts that programs say they cannot reach. */
  unreachableHosts(): string[] {
    return unreachableHosts(this.bytes().toString());
  }
}

/** The hosts, names and IPv4 addresses, that programs say they cannot reach. What a build prints can be wrong. */
export function unreachableHosts(output: string): string[] {
  const lines = output
    .split('\n')
    .map((line) => line.slice(0, MAX_LINE))
    .filter((line) => NO_ROUTE.test(line));
  const hosts = lines.flatMap((line) =>
    [...line.replaceAll(LOCAL, '').matchAll(HOSTS)].map(
      ([, inUrl, named, bare]) => inUrl ?? named ?? bare ?? '',
    ),
  );
  return [...new Set(hosts.map((host) => host.toLowerCase().replace(/\.$/, '')))].slice(0, MAX_HOSTS);
}

/** Logs how the operator opens those of the hosts that are closed to builds. */
export async function explainClosed(
  { sandbox, log }: Pick<BuildRun, 'sandbox' | 'log'>,
  hosts: readonly string[],
): Promise<void> {
  if (hosts.length === 0) return;
  const closed = await sandbox.findClosed(hosts);
  if (closed.length === 0) return;
  // `builds-closed-host` among the rules of failure summaries reads this line. It does not show what is open already:
  // a runner may serve other organizations.
  log.line(
    `Builds do not reach ${closed.join(', ')}. The operator of the runner opens it: add ${closed.join(',')} to RUNNER_ALLOW`,
  );
}
