import type { OutboundCalls, OutboundRequest } from '../../common/http/outbound/outbound.js';
import { OutboundRefusedError } from '../../common/http/outbound/outbound-refused.error.js';
import { CredentialsRefusedError, GitServerError, RedirectedError } from './git-errors.js';
import { DELIMITER, FLUSH, packet, readPackets } from './pkt-line.js';

/** About 800,000 refs, of servers that send all of them. None of them is kept unless it was asked for. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Packets of one answer besides refs that were not asked for: usual answers have a few. */
const MAX_PACKETS = 200_000;
/** Refs of one list. */
const MAX_LISTED = 50_000;
const TIMEOUT_MS = 20_000;
const VERSION_2 = 'version 2';
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
export function findRemoteRefs(
  outbound: OutboundCalls,
  remote: Remote,
  names: readonly string[],
): Promise<RemoteRefs | null> {
  return readRemoteRefs(outbound, remote, { prefixes: names, has: (name) => names.includes(name) });
}

/**
 * As `findRemoteRefs`, for all refs that begin in some way.
 *
 * @param prefixes of whole names, such as `refs/tags/v`
 * @throws GitServerError also when there are more than 50,000
 */
export function listRemoteRefs(
  outbound: OutboundCalls,
  remote: Remote,
  prefixes: readonly string[],
): Promise<RemoteRefs | null> {
  const has = (name: string): boolean => prefixes.some((prefix) => name.startsWith(prefix));
  return readRemoteRefs(outbound, remote, { prefixes, has });
}

/** Which refs to read. */
interface Wanted {
  /** What the server is asked for; it may send more. */
  readonly prefixes: readonly string[];
  readonly has: (name: string) => boolean;
}

async function readRemoteRefs(
  outbound: OutboundCalls,
  remote: Remote,
  wanted: Wanted,
): Promise<RemoteRefs | null> {
  const refs: FoundRefs = { commits: new Map(), defaultBranch: null };
  const capabilities = new Set<string>();
  const exists = await call(outbound, remote, '/info/refs?service=git-upload-pack', {}, (line) => {
    if (line === null || line.startsWith('# service=')) return 'counted';
    if (!capabilities.has(VERSION_2) && line !== VERSION_2) return takeAdvertised(refs, wanted, line);
    capabilities.add(line);
    return 'counted';
  });
  if (!exists) return null;
  if (!capabilities.has(VERSION_2)) return refs;
  const body = [
    packet('command=ls-refs\n'),
    packet('agent=slipway\n'),
    ...(capabilities.has('object-format=sha256') ? [packet('object-format=sha256\n')] : []),
    DELIMITER,
    packet('peel\n'),
    packet('symrefs\n'),
    ...['HEAD', ...wanted.prefixes].map((name) => packet(`ref-prefix ${name}\n`)),
    FLUSH,
  ].join('');
  const headers = {
    'content-type': 'application/x-git-upload-pack-request',
    accept: 'application/x-git-upload-pack-result',
  };
  const take: Take = (line) => (line === null ? 'counted' : takeListed(refs, wanted, line));
  return (await call(outbound, remote, '/git-upload-pack', { method: 'POST', headers, body }, take))
    ? refs
    : null;
}

/** What was found so far. */
interface FoundRefs {
  readonly commits: Map<string, string>;
  defaultBranch: string | null;
}

/** Gets a packet. @returns `ignored`: a ref that was not asked for */
type Take = (line: string | null) => 'counted' | 'ignored';

/** Version 0: `<id> <name>`, and `<id> <name>^{}` for the commit of a tag; the first line has capabilities. */
function takeAdvertised(refs: FoundRefs, wanted: Wanted, line: string): 'counted' | 'ignored' {
  const [ref = '', capabilities = ''] = line.split('\0', 2);
  refs.defaultBranch ??= /(?:^| )symref=HEAD:refs\/heads\/(\S+)/.exec(capabilities)?.[1] ?? null;
  const space = ref.indexOf(' ');
  const [id, name] = [ref.slice(0, Math.max(0, space)), ref.slice(space + 1)];
  if (!SHA.test(id) || name === '') return 'counted';
  const plain = name.endsWith('^{}') ? name.slice(0, -3) : name;
  if (!wanted.has(plain)) return 'ignored';
  keep(refs, plain, id);
  return 'counted';
}

/** Version 2: `<id> <name>[ symref-target:<name>][ peeled:<id>]`. */
function takeListed(refs: FoundRefs, wanted: Wanted, line: string): 'counted' | 'ignored' {
  const [id = '', name = '', ...attributes] = line.split(' ', 10);
  const commit = attributes.find((each) => each.startsWith('peeled:'))?.slice('peeled:'.length) ?? id;
  const target = attributes.find((each) => each.startsWith('symref-target:refs/heads/'));
  if (name === 'HEAD' && target !== undefined) {
    refs.defaultBranch = target.slice('symref-target:refs/heads/'.length);
  }
  if (!SHA.test(commit) || name === '') return 'counted';
  // A prefix also finds longer names.
  if (!wanted.has(name)) return name === 'HEAD' ? 'counted' : 'ignored';
  keep(refs, name, commit);
  return 'counted';
}

function keep({ commits }: FoundRefs, name: string, commit: string): void {
  commits.set(name, commit);
  if (commits.size <= MAX_LISTED) return;
  throw new GitServerError(
    `The repository has more than ${MAX_LISTED.toLocaleString('en')} branches and tags that the patterns may match: use narrower ones.`,
  );
}

/** @returns whether there is such a repository */
async function call(
  outbound: OutboundCalls,
  { url, authorization }: Remote,
  path: string,
  request: Pick<OutboundRequest, 'method' | 'headers' | 'body'>,
  take: Take,
): Promise<boolean> {
  const { hostname } = new URL(url);
  let counted = 0;
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
      if (status === 404) return false;
      if (status >= 300 && status < 400) throw new RedirectedError(hostname, 'Use that address.');
      if (status !== 401 && status !== 403)
        throw new GitServerError(`${hostname} answered with the status ${status}.`);
      if (authorization === null) return false;
      throw new CredentialsRefusedError(hostname);
    }
    await readPackets(response.stream, (line) => {
      if (take(line) === 'counted' && ++counted > MAX_PACKETS)
        throw new RangeError('There are too many packets.');
    });
    return true;
  } catch (error) {
    if (error instanceof OutboundRefusedError) throw new GitServerError(error.reason);
    if (!(error instanceof RangeError)) throw error;
    throw new GitServerError(`${hostname} does not answer as a git server. Check the address.`);
  }
}
