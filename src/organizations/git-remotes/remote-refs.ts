import type { Outbound, OutboundRequest } from '../../common/http/outbound/outbound.js';
import { OutboundRefusedError } from '../../common/http/outbound/outbound-refused.error.js';
import { CredentialsRefusedError, GitServerError } from './git-errors.js';
import { DELIMITER, FLUSH, packet, parsePackets } from './pkt-line.js';

/** About 150,000 refs, of servers that send all of them. */
const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const SHA = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/** A repository as git reaches it. */
export interface Remote {
  /** Without credentials. */
  readonly url: string;
  /** The header; `null`: none. */
  readonly authorization: string | null;
}

/** Refs of a repository. */
export interface RemoteRefs {
  /** The commit of each ref that exists, by its whole name; of annotated tags the commit, not the tag. */
  readonly commits: ReadonlyMap<string, string>;
  /** Without `refs/heads/`; `null`: the server does not say. */
  readonly defaultBranch: string | null;
}

/**
 * Asks a repository for refs by HTTP, as `git ls-remote` does: protocol version 2, or 0 with servers that know no other
 * (https://git-scm.com/docs/gitprotocol-v2, https://git-scm.com/docs/http-protocol).
 *
 * @param names whole names, such as `refs/heads/main`
 * @returns `null` when there is no repository, or it cannot be seen
 * @throws CredentialsRefusedError
 * @throws GitServerError
 */
export async function findRemoteRefs(
  outbound: Outbound,
  remote: Remote,
  names: readonly string[],
): Promise<RemoteRefs | null> {
  const first = await call(outbound, remote, '/info/refs?service=git-upload-pack', {});
  if (first === null) return null;
  const packets = first.filter((line) => line !== null && !line.startsWith('# service='));
  if (packets[0] !== 'version 2') return fromAdvertisement(packets as string[], names);
  const isSha256 = packets.includes('object-format=sha256');
  const body = [
    packet('command=ls-refs\n'),
    packet('agent=slipway\n'),
    ...(isSha256 ? [packet('object-format=sha256\n')] : []),
    DELIMITER,
    packet('peel\n'),
    packet('symrefs\n'),
    ...['HEAD', ...names].map((name) => packet(`ref-prefix ${name}\n`)),
    FLUSH,
  ].join('');
  const headers = {
    'content-type': 'application/x-git-upload-pack-request',
    accept: 'application/x-git-upload-pack-result',
  };
  const second = await call(outbound, remote, '/git-upload-pack', { method: 'POST', headers, body });
  return second === null ? null : fromListing(second, names);
}

/** Version 0: `<id> <name>`, and `<id> <name>^{}` for the commit of a tag; the first line has capabilities. */
function fromAdvertisement(lines: readonly string[], names: readonly string[]): RemoteRefs {
  const commits = new Map<string, string>();
  let defaultBranch: string | null = null;
  for (const line of lines) {
    const [ref = '', capabilities = ''] = line.split('\0');
    const [, id = '', name = ''] = /^([0-9a-f]+) (.+)$/.exec(ref) ?? [];
    const plain = name.replace(/\^\{\}$/, '');
    if (SHA.test(id) && names.includes(plain)) commits.set(plain, id);
    defaultBranch ??= /(?:^| )symref=HEAD:refs\/heads\/(\S+)/.exec(capabilities)?.[1] ?? null;
  }
  return { commits, defaultBranch };
}

/** Version 2: `<id> <name>[ symref-target:<name>][ peeled:<id>]`. */
function fromListing(lines: readonly (string | null)[], names: readonly string[]): RemoteRefs {
  const commits = new Map<string, string>();
  let defaultBranch: string | null = null;
  for (const line of lines) {
    const [id = '', name = '', ...attributes] = line?.split(' ') ?? [];
    const commit = attributes.find((each) => each.startsWith('peeled:'))?.slice('peeled:'.length) ?? id;
    // A prefix also finds longer names.
    if (SHA.test(commit) && names.includes(name)) commits.set(name, commit);
    const target = attributes.find((each) => each.startsWith('symref-target:refs/heads/'));
    if (name === 'HEAD' && target !== undefined)
      defaultBranch = target.slice('symref-target:refs/heads/'.length);
  }
  return { commits, defaultBranch };
}

async function call(
  outbound: Outbound,
  { url, authorization }: Remote,
  path: string,
  request: Pick<OutboundRequest, 'method' | 'headers' | 'body'>,
): Promise<(string | null)[] | null> {
  const { hostname } = new URL(url);
  try {
    const response = await outbound.request({
      purpose: 'git',
      url: `${url}${path}`,
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      ...request,
      headers: {
        // Some servers answer only programs that call themselves git.
        'user-agent': 'git/2.0 (Slipway)',
        'git-protocol': 'version=2',
        ...(authorization !== null && { authorization }),
        ...request.headers,
      },
    });
    const { status } = response;
    if (status !== 200) {
      response.stream.destroy();
      if (status === 404) return null;
      if (status !== 401 && status !== 403) throw new GitServerError(statusMessage(hostname, status));
      if (authorization === null) return null;
      throw new CredentialsRefusedError(hostname);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of response.stream) chunks.push(chunk as Buffer);
    return parsePackets(Buffer.concat(chunks));
  } catch (error) {
    if (error instanceof OutboundRefusedError) throw new GitServerError(error.reason);
    if (!(error instanceof RangeError)) throw error;
    throw new GitServerError(`${hostname} does not answer as a git server. Check the address.`);
  }
}

function statusMessage(host: string, status: number): string {
  return status >= 300 && status < 400
    ? `${host} redirects to another address. Use that address.`
    : `${host} answered with the status ${status}.`;
}
