import { createHash } from 'node:crypto';

/** The n-th thing of a kind that a seed has written: the same as `idOf` of the rows. */
export function seededId(
  appId: string,
  what: 'app' | 'deployment' | 'device' | 'channel',
  n: number,
): string {
  if (what === 'app' && n === 1) return appId;
  const hex = createHash('md5').update(`${appId} ${what} ${n}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
