import type {
  GitPayloadCredentialDto,
  GitPayloadSourceDto,
} from '../../../../native-builds/runner-builds/build-payload.dto.js';
import { StepError } from '../../build-run.js';
import { machineCertificates } from '../../tools/machine-certificates.js';

/** Seconds, and bytes per second, below which a transfer has stalled. */
const STALLED = { seconds: 60, bytesPerSecond: 1000 };

/** Where the project is fetched from. */
export interface GitRemote {
  /** Without credentials. */
  readonly url: URL;
  readonly ref: string;
  readonly commitSha: string;
  /** The tag that is built, such as `refs/tags/v1.2.0`; `null`: none. */
  readonly tag: string | null;
  /** Commits of the history that are fetched; 0: all. */
  readonly depth: number;
  /** For this host only; `null`: none. */
  readonly credential: GitPayloadCredentialDto | null;
}

/** @throws StepError when git must not be called with these values */
export function toGitRemote({
  url,
  ref,
  fullRef,
  commitSha,
  depth,
  credential,
}: GitPayloadSourceDto): GitRemote {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !isWeb(parsed)) {
    throw new StepError('source', 'The address of the repository must begin with https:// or http://.');
  }
  if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(commitSha)) {
    throw new StepError('source', 'The build does not say which commit to fetch.');
  }
  parsed.username = '';
  parsed.password = '';
  const tag = fullRef?.startsWith('refs/tags/') === true ? fullRef : null;
  // Older servers say no depth.
  return { url: parsed, ref, commitSha, tag, depth: depth ?? 1, credential };
}

export function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** The settings of git that send the header `Authorization` to all addresses below one, and to no other. */
export function signInBelow(address: string, authorization: string): Record<string, string> {
  return { [`http.${address}.extraHeader`]: `Authorization: ${authorization}` };
}

/** The settings of git that sign in to the host of a repository. */
export function signInToHost({ url, credential }: GitRemote): Record<string, string> {
  return credential === null ? {} : signInBelow(`${url.origin}/`, credential.authorization);
}

/**
 * The environment of one git command: no configuration but this one, no hooks, no prompts, one scheme only.
 *
 * @param url what is fetched; `null`: nothing
 * @param more further settings, such as credentials: they are in no argument and no file, and end with the command
 */
export function gitEnvironment(
  url: URL | null,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const config: [string, string][] = [
    ['core.hooksPath', '/dev/null'],
    ['credential.helper', ''],
    ['advice.detachedHead', 'false'],
    ['protocol.allow', 'never'],
    ['gc.auto', '0'],
    ...Object.entries(more),
  ];
  if (url !== null) {
    config.push(
      [`protocol.${url.protocol.slice(0, -1)}.allow`, 'always'],
      // Credentials and the network of the runner are for this address only.
      ['http.followRedirects', 'false'],
      ['http.lowSpeedLimit', String(STALLED.bytesPerSecond)],
      ['http.lowSpeedTime', String(STALLED.seconds)],
    );
  }
  return {
    ...machineCertificates(),
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
