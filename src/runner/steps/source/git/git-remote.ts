import type { GitPayloadSourceDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
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
  /** The header `Authorization`, for this host only. */
  readonly authorization: string | null;
}

/** @throws StepError when git must not be called with these values */
export function toGitRemote({ url, ref, commitSha, authorization }: GitPayloadSourceDto): GitRemote {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !isWeb(parsed)) {
    throw new StepError('source', 'The address of the repository must begin with https:// or http://.');
  }
  if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(commitSha)) {
    throw new StepError('source', 'The build does not say which commit to fetch.');
  }
  parsed.username = '';
  parsed.password = '';
  return { url: parsed, ref, commitSha, authorization };
}

export function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/**
 * The environment of one git command: no configuration but this one, no hooks, no prompts, one scheme only.
 *
 * @param url what is fetched; `null`: nothing
 * @param authorization for the host of the URL. It is in no argument and no file, and ends with the command.
 */
export function gitEnvironment(
  url: URL | null,
  authorization: string | null = null,
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
    if (authorization !== null) {
      config.push([`http.${url.origin}/.extraHeader`, `Authorization: ${authorization}`]);
    }
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
