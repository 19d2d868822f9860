/** What all tenants share, and how it is divided. */
export interface SharedCapacity {
  /** What is limited, for the table of docs/capacity.md. */
  readonly what: string;
  /** Works of all together; `null`: any number. */
  readonly atOnce: number | null;
  /** Works of one account: half of all at most, rounded up. */
  readonly perAccount: number;
  /** Works of one organization, where an account may have more. */
  readonly perOrganization?: number;
  /** Works of one account that may wait; a further one is refused immediately. */
  readonly mayWait?: number;
  /** Seconds that work waits for its turn. */
  readonly longestWait: number;
  /** What the waiting gets after that, for the table. */
  readonly outcome: string;
}

/** Work that may be open at the same time. It waits for no turn: more is refused immediately. */
export interface OpenWork {
  readonly what: string;
  /** How much of one app, user or organization. */
  readonly of: { readonly app?: number; readonly user?: number; readonly organization?: number };
  readonly counted: 'in each process' | 'in all processes together';
  /** What a further one gets. */
  readonly outcome: string;
}

const BUSY = '429 `server_busy` with `Retry-After`';
const LATER = 'It waits: it is late, not lost';
const HOUR = 3600;

/** Limits of one process, by name. Work takes its turn with `Limits`. */
export const processLimits = {
  'git-calls': {
    what: 'Calls to git servers',
    atOnce: null,
    perAccount: 4,
    perOrganization: 2,
    mayWait: 20,
    longestWait: 20,
    outcome: BUSY,
  },
  'git-looks': {
    what: 'Calls to git servers for automations',
    atOnce: null,
    perAccount: 2,
    perOrganization: 1,
    longestWait: 60,
    outcome: 'The look is repeated',
  },
  'destination-checks': {
    what: 'Checks of destinations at stores',
    atOnce: null,
    perAccount: 4,
    perOrganization: 2,
    mayWait: 10,
    longestWait: 20,
    outcome: BUSY,
  },
  'name-lookups': {
    what: 'Look-ups of host names',
    atOnce: 64,
    perAccount: 8,
    perOrganization: 2,
    longestWait: 5,
    outcome: 'The name counts as not resolved',
  },
  'webhook-lookups': {
    what: 'Look-ups of host names of webhooks',
    atOnce: 64,
    perAccount: 32,
    longestWait: 5,
    outcome: 'The attempt fails and is repeated',
  },
  certificates: {
    what: 'Certificates, provisioning profiles and answers with a UDID that are opened',
    atOnce: 2,
    perAccount: 1,
    mayWait: 2,
    longestWait: 20,
    outcome: BUSY,
  },
  artifacts: {
    what: 'Artifacts that are read',
    atOnce: 2,
    perAccount: 1,
    longestWait: 20,
    outcome: `${BUSY}; an import or an artifact of a build waits two minutes, then it is tried again`,
  },
  deltas: {
    what: 'Deltas that are made',
    atOnce: 2,
    perAccount: 1,
    longestWait: 20,
    outcome: '503 `delta_queue_full`; plugins download the bundle instead',
  },
  'named-manifests': {
    what: 'Named manifests that are made again',
    atOnce: 2,
    perAccount: 1,
    longestWait: 20,
    outcome: '500 `file_damaged`, as for a file that cannot be made again',
  },
  simulations: {
    what: 'Simulations',
    atOnce: 2,
    perAccount: 1,
    mayWait: 10,
    longestWait: 20,
    outcome: BUSY,
  },
  'warning-counts': {
    what: 'Changes whose devices are counted for warnings',
    atOnce: 2,
    perAccount: 1,
    longestWait: 0.15,
    outcome: 'The change is made, and its warnings say that devices were not counted',
  },
  'app-counts': {
    what: 'Apps whose devices are counted for summaries',
    atOnce: 2,
    perAccount: 1,
    longestWait: 60,
    outcome: 'The summary has the last count, and another one begins with the next request',
  },
  'quick-compression': {
    what: 'Files that are compressed while a bundle is published',
    atOnce: 2,
    perAccount: 1,
    longestWait: 60,
    outcome: 'The bundle is published, and compressed in the background',
  },
  'failure-summaries': {
    what: 'Failure summaries that are made when someone asks',
    atOnce: 2,
    perAccount: 1,
    mayWait: 10,
    longestWait: 20,
    outcome: BUSY,
  },
  'log-scans': {
    what: 'Logs that are searched, and logs of an older version that are read by line',
    atOnce: 2,
    perAccount: 1,
    mayWait: 10,
    longestWait: 20,
    outcome: BUSY,
  },
  'delivery-statements': {
    what: 'Statements about deliveries of webhooks',
    atOnce: 6,
    perAccount: 3,
    longestWait: 30,
    outcome: 'The run is repeated',
  },
  uploads: {
    what: 'Files of requests that are stored',
    atOnce: null,
    perAccount: 8,
    // Clients send as slowly as they like, and the official CLI sends twenty files at once and repeats no refused one.
    longestWait: 600,
    outcome: BUSY,
  },
  exports: {
    what: 'Exports of audit logs and devices',
    // Clients read as slowly as they like.
    atOnce: null,
    perAccount: 4,
    perOrganization: 2,
    mayWait: 10,
    longestWait: 20,
    outcome: BUSY,
  },
} as const satisfies Readonly<Record<string, SharedCapacity>>;

export type ProcessLimit = keyof typeof processLimits;

/** What may be open at the same time, by name. Code that opens it counts. */
export const openWork = {
  'open-deltas': {
    what: 'Deltas that are made or wait for their turn',
    of: { app: 20 },
    counted: 'in each process',
    outcome: '503 `delta_queue_full`; plugins download the bundle instead',
  },
  'event-waits': {
    what: 'Requests that wait for events',
    of: { user: 20, organization: 200 },
    counted: 'in each process',
    outcome: '429 `rate_limited` with `Retry-After`; requests without `wait` are served',
  },
  'change-streams': {
    what: 'Streams of changes',
    of: { user: 20, organization: 200 },
    counted: 'in each process',
    outcome: '429 `rate_limited` with `Retry-After`; clients poll instead',
  },
  'pending-sources': {
    what: 'Sources of builds whose fetch has not ended',
    of: { app: 20 },
    counted: 'in all processes together',
    outcome: '409 `build_sources_pending`',
  },
  'pending-imports': {
    what: 'Imports that have not ended',
    of: { app: 20 },
    counted: 'in all processes together',
    outcome: '409 `imports_pending`',
  },
} as const satisfies Readonly<Record<string, OpenWork>>;

/** Jobs that follow up on something. */
const FOLLOW_UP = { atOnce: 3, perAccount: 2, longestWait: Infinity, outcome: LATER } as const;

/** Limits of all processes together, by the name of the queue. */
export const queueLimits = {
  'build-sources': {
    what: 'Sources of builds that are fetched',
    atOnce: 8,
    perAccount: 4,
    longestWait: HOUR,
    outcome: 'The source fails with a sentence, and the builds that wait for it',
  },
  imports: {
    what: 'Imports of builds',
    atOnce: 4,
    perAccount: 2,
    longestWait: HOUR,
    outcome: 'The import fails with a sentence; its log says after a minute that it waits',
  },
  'build-numbers': {
    what: 'Build numbers that stores are asked for',
    atOnce: 8,
    perAccount: 4,
    longestWait: HOUR,
    outcome: 'The build fails with a sentence; its log says after a minute that it waits',
  },
  submissions: {
    what: 'Steps of submissions',
    atOnce: 6,
    perAccount: 3,
    longestWait: HOUR,
    outcome: 'The submission fails with a sentence; its log says after a minute that it waits',
  },
  'submission-cleanups': { what: 'Clean-ups at stores after submissions', ...FOLLOW_UP },
  'release-looks': {
    what: 'Looks at releases in stores',
    atOnce: 8,
    perAccount: 4,
    longestWait: Infinity,
    outcome: LATER,
  },
  'repository-looks': {
    what: 'Looks at repositories for automations',
    atOnce: 8,
    perAccount: 4,
    longestWait: Infinity,
    outcome: LATER,
  },
  'webhook-deliveries': {
    what: 'Webhooks whose events are sent',
    atOnce: 60,
    perAccount: 30,
    longestWait: Infinity,
    outcome: LATER,
  },
  'webhook-retries': {
    what: 'Webhooks whose receivers failed or are slow',
    atOnce: 20,
    perAccount: 8,
    longestWait: Infinity,
    outcome: LATER,
  },
  'build-deployments': { what: 'Deployments after builds', ...FOLLOW_UP },
  'approval-deadlines': { what: 'Ends of approvals', ...FOLLOW_UP },
  'rollout-plans': { what: 'Steps of rollout plans', ...FOLLOW_UP },
  'custom-id-hashing': { what: 'Hashing of custom ids', ...FOLLOW_UP },
  'job-logs': { what: 'Logs that are moved to storage', ...FOLLOW_UP },
  // One at a time: events of an organization are looked at in their order.
  notices: { what: 'Choices of who gets mails about events', ...FOLLOW_UP, perAccount: 1 },
  'notice-mails': { what: 'Mails about events', ...FOLLOW_UP },
  'invitation-mails': { what: 'Mails of invitations', ...FOLLOW_UP },
  'account-mails': { what: 'Mails about accounts', ...FOLLOW_UP },
  'new-password-mails': { what: 'Mails with links for a new password', ...FOLLOW_UP },
} as const satisfies Readonly<Record<string, SharedCapacity>>;

export type LimitedQueue = keyof typeof queueLimits;

/**
 * How much of a queue runs at the same time.
 *
 * @param endsWaits whether its handler ends what has waited too long
 * @throws RangeError when the table says otherwise
 */
export function limitsOfQueue(queue: LimitedQueue, endsWaits: boolean): (typeof queueLimits)[LimitedQueue] {
  const limits = queueLimits[queue];
  if (Number.isFinite(limits.longestWait) !== endsWaits) {
    throw new RangeError(`The table and the handler of ${queue} disagree about the longest wait.`);
  }
  return limits;
}

/** The line of a log after a minute. */
export const WAITS_FOR_TURN =
  'Waits for its turn: other work takes what one account, or all together, may do at the same time.';

/** Why work ended that has waited an hour. */
export const NO_TURN =
  'It has waited an hour for its turn, because other work took what one account, or all together, may do at the same time. Try again when that has ended.';
