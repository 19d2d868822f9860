import type { Command } from './command.js';

/** An entry of the list of commands. */
export interface CommandEntry {
  /** One sentence for the help. */
  readonly summary: string;
  /** Imports the command, and only then what it needs. */
  load(): Promise<Command>;
}

/** Every command of `slipway` by its name: one word or two. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  start: {
    summary: 'Starts the server. This is the default command.',
    load: async () => (await import('./start/start.js')).start,
  },
  migrate: {
    summary: 'Migrates the schema of the database at DATABASE_URL.',
    load: async () => (await import('./migrate.js')).migrateDatabase,
  },
  token: {
    summary: 'Prints a new API token, for BOOTSTRAP_TOKEN.',
    load: async () => (await import('./token.js')).token,
  },
  password: {
    summary: 'Sets the password of a user.',
    load: async () => (await import('./password.js')).password,
  },
  'user create': {
    summary: 'Creates a user and prints a link with which they set a password.',
    load: async () => (await import('./users/user-create.js')).userCreate,
  },
  'user list': {
    summary: 'Lists all users.',
    load: async () => (await import('./users/user-list.js')).userList,
  },
  'user disable': {
    summary: 'Disables a user, and ends their sessions, API tokens and sign-ins in progress.',
    load: async () => (await import('./users/user-states.js')).userDisable,
  },
  'user enable': {
    summary: 'Lets a disabled user sign in again.',
    load: async () => (await import('./users/user-states.js')).userEnable,
  },
  'user verify': {
    summary: 'Marks the e-mail address of a user as verified.',
    load: async () => (await import('./users/user-states.js')).userVerify,
  },
  accounts: {
    summary: 'Lists who holds and waits for what all tenants share.',
    load: async () => (await import('./accounts.js')).accounts,
  },
  'organization suspend': {
    summary: 'Suspends an organization: only its devices are served.',
    load: async () => (await import('./organization-states.js')).organizationSuspend,
  },
  'organization resume': {
    summary: 'Ends the suspension of an organization.',
    load: async () => (await import('./organization-states.js')).organizationResume,
  },
  'storage clean': {
    summary: 'Lists or deletes leftovers in the storage.',
    load: async () => (await import('./storage/storage-clean.js')).storageClean,
  },
  'storage scrub': {
    summary: 'Reads every stored file and compares it with its checksum.',
    load: async () => (await import('./storage/storage-scrub.js')).storageScrub,
  },
  'storage migrate': {
    summary: 'Copies stored files from disk to object storage, or back.',
    load: async () => (await import('./storage/storage-migrate.js')).storageMigrate,
  },
  'storage quota': {
    summary: 'Shows or sets how much an organization may store.',
    load: async () => (await import('./storage/storage-quota.js')).storageQuota,
  },
  runner: {
    summary: 'Starts a runner, which builds. Needs no database.',
    load: async () => (await import('./runner/runner.js')).runner,
  },
  'runner doctor': {
    summary: 'Checks whether a runner can work on this machine.',
    load: async () => (await import('./runner/runner-doctor.js')).runnerDoctor,
  },
  'runner kubernetes': {
    summary: 'Runs each job in a pod of Kubernetes.',
    load: async () => (await import('./runner/runner-kubernetes.js')).runnerKubernetes,
  },
  'runner job': {
    summary: 'Does the job of such a pod.',
    load: async () => (await import('./runner/runner-job.js')).runnerJob,
  },
  'runner commands': {
    summary: 'Runs the commands of a build in the second container of such a pod.',
    load: async () => (await import('./runner/runner-commands.js')).runnerCommands,
  },
  'runner:create': {
    summary: 'Registers a runner for an organization, or for all.',
    load: async () => (await import('./jobs/runner-create.js')).runnerCreate,
  },
  'jobs limit': {
    summary: 'Shows or sets how many jobs of an organization or an app run at the same time.',
    load: async () => (await import('./jobs/jobs-limit.js')).jobsLimit,
  },
  'retention run': {
    summary: 'Deletes now what the server deletes within a day.',
    load: async () => (await import('./retention-run.js')).retentionRun,
  },
  'insights roll-up': {
    summary: 'Counts now what the server counts within the hour.',
    load: async () => (await import('./insights-roll-up.js')).insightsRollUp,
  },
  'audit verify': {
    summary: 'Recomputes the hash chains of all audit events.',
    load: async () => (await import('./audit-verify.js')).auditVerify,
  },
  'secrets reencrypt': {
    summary: 'Encrypts every secret with the current ENCRYPTION_KEY.',
    load: async () => (await import('./secrets-reencrypt.js')).secretsReencrypt,
  },
  'events new-epoch': {
    summary: 'Ends all cursors of events, after a backup was restored.',
    load: async () => (await import('./events-new-epoch.js')).eventsNewEpoch,
  },
  'import bundles': {
    summary: 'Uploads and publishes existing zips.',
    load: async () => (await import('./import-bundles/import-bundles.js')).importBundles,
  },
  openapi: {
    summary: 'Writes the OpenAPI document to openapi.json.',
    load: async () => (await import('./openapi.js')).openapi,
  },
};
