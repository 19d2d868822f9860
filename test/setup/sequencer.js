import Sequencer from '@jest/test-sequencer';

/**
 * What takes long by waiting, the longest first: windows of a minute, retries, time-outs, restarts. It begins early, so
 * that the others run meanwhile, and nothing long is left for the end.
 */
const FIRST = [
  'e2e/common/rate-limits',
  'faults/builds',
  'runner/',
  'faults/kill',
  'faults/compression',
  'e2e/organizations/invitation-mails',
  'e2e/access',
  'faults/',
  'e2e/accounts/encryption-keys',
  'e2e/accounts/oidc-outage',
  'e2e/organizations/audit-log-chain',
  'clients/',
];

/** Begins with what takes long, also in a fresh checkout, where jest does not know the durations. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const index = FIRST.findIndex((part) => path.includes(`/test/${part}`));
      return index === -1 ? FIRST.length : index;
    };
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
}
