import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { TooLargeError } from '../../common/errors/app-error.js';
import type { ReportedPush } from '../git-looks/expected-push.entity.js';

/** Providers whose hooks are understood. */
export const hookProviders = ['github', 'git_http'] as const;
export type HookProvider = (typeof hookProviders)[number];

/** The header with the secret, of servers that do not sign. */
export const TOKEN_HEADER = 'X-Hook-Token';

/** Largest body in bytes: GitHub sends up to 25 MB. */
const MAX_BODY = 26 * 1024 * 1024;
/** Longest body that is read for what it says, in bytes. */
const MAX_PARSED = 1024 * 1024;
/** Longest ref in characters. */
const MAX_REF = 500;
/** The names that git allows, as far as they matter here (https://git-scm.com/docs/git-check-ref-format). */
const REF = /^refs\/(?:heads|tags)\/[^\p{Cc} ~^:?*[\\]+$/u;
const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** What a git server has sent. */
export interface HookDelivery {
  /** Why it does not prove that it comes from the server, in a sentence; `null`: it does. */
  readonly problem: string | null;
  /** `null`: it says nothing of a single branch or tag that Slipway understands. */
  readonly push: ReportedPush | null;
}

/**
 * Reads the body of a delivery and checks its proof: of GitHub the HMAC in `X-Hub-Signature-256`
 * (https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries), of other servers the secret itself.
 *
 * @param secret of the hook
 * @throws TooLargeError
 */
export async function readDelivery(
  request: Request,
  provider: HookProvider,
  secret: string,
): Promise<HookDelivery> {
  if (provider === 'git_http') {
    const isGenuine = isSame(request.get(TOKEN_HEADER) ?? '', secret);
    if (!isGenuine) return { problem: `${TOKEN_HEADER} did not have the secret of the hook.`, push: null };
  }
  const mac = createHmac('sha256', secret);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY) throw new TooLargeError('A delivery has at most 26 MiB.');
    mac.update(part);
    if (length <= MAX_PARSED) parts.push(part);
  }
  if (provider === 'github') {
    const signature = request.get('X-Hub-Signature-256') ?? '';
    const isGenuine = isSame(signature, `sha256=${mac.digest('hex')}`);
    if (!isGenuine)
      return { problem: 'X-Hub-Signature-256 was not made with the secret of the hook.', push: null };
  }
  return { problem: null, push: length > MAX_PARSED ? null : parsePush(Buffer.concat(parts).toString()) };
}

/**
 * Reads the push that a body reports: GitHub, GitLab, Gitea and Forgejo all name it `ref`, `before` and `after`.
 *
 * @param text maybe JSON
 */
export function parsePush(text: string): ReportedPush | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  const { ref, before, after } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof ref !== 'string' || ref.length > MAX_REF || !REF.test(ref) || !ref.isWellFormed()) return null;
  return isSha(before) && isSha(after) ? { ref, before: commitOf(before), after: commitOf(after) } : null;
}

function isSha(value: unknown): value is string {
  return typeof value === 'string' && SHA.test(value);
}

/** Zeros stand for no commit: the ref was created, or deleted. */
function commitOf(sha: string): string | null {
  return /^0+$/.test(sha) ? null : sha;
}

/** In constant time, whatever was sent. */
function isSame(sent: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', expected, 'buffer'));
}
