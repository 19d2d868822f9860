import type { StoreVersion } from './api/apple-resources.js';

/** The states of versions in the App Store that Apple has approved, also in their older names: their trains are closed. */
const APPROVED: ReadonlySet<string> = new Set([
  'ACCEPTED',
  'PENDING_APPLE_RELEASE',
  'PENDING_DEVELOPER_RELEASE',
  'PROCESSING_FOR_DISTRIBUTION',
  'PROCESSING_FOR_APP_STORE',
  'READY_FOR_DISTRIBUTION',
  'READY_FOR_SALE',
  'PREORDER_READY_FOR_SALE',
  'REPLACED_WITH_NEW_VERSION',
  'REMOVED_FROM_SALE',
  'DEVELOPER_REMOVED_FROM_SALE',
]);

/** A version or build number as Apple compares it: without leading zeros, and without zeros at the end. 01.2.0 is 1.2. */
export function normalizedVersion(text: string): string {
  const parts = text.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length > 1 && parts.at(-1) === '0') parts.pop();
  return parts.join('.');
}

/** Whether two texts are the same version for Apple. */
export function isSameVersion(one: string, other: string): boolean {
  return normalizedVersion(one) === normalizedVersion(other);
}

/** The ways to write a build number that are the same for Apple, which finds a build only as its first one was written. */
export function buildNumbersOf(given: string): string[] {
  return [...new Set([given, normalizedVersion(given)])];
}

/** Below 0: the first version is lower; 0: Apple takes them for the same. */
export function compareVersions(first: string, second: string): number {
  const [ones, others] = [partsOf(first), partsOf(second)];
  for (let index = 0; index < Math.max(ones.length, others.length); index++) {
    const [one, other] = [ones[index] ?? 0n, others[index] ?? 0n];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** What is no number counts as 0. */
function partsOf(version: string): bigint[] {
  return version.split('.').map((part) => (/^\d{1,18}$/.test(part) ? BigInt(part) : 0n));
}

/** The highest approved version that closes the train of a version; `null`: its train is open. */
export function closedBy(version: string, versions: readonly StoreVersion[]): StoreVersion | null {
  const closing = versions
    .filter(({ state }) => state !== null && APPROVED.has(state))
    .filter(({ versionString }) => compareVersions(versionString, version) >= 0)
    .sort((one, other) => compareVersions(other.versionString, one.versionString));
  return closing[0] ?? null;
}
