import { randomBytes } from 'node:crypto';
import { checksum } from '../../common/access/api-token.js';

const prefix = 'slr_';
const pattern = /^slr_[0-9a-f]{48}$/;

/** Makes a new token of a runner: the prefix, 160 random bits and a checksum, like an API token. */
export function generateRunnerToken(): string {
  const body = prefix + randomBytes(20).toString('hex');
  return body + checksum(body);
}

/** Whether the text has the form of a runner's token and its checksum fits. Says nothing about its validity. */
export function isRunnerToken(text: string): boolean {
  return pattern.test(text) && text.endsWith(checksum(text.slice(0, -8)));
}
