/** A file that reads tables of other folders. */
interface ForeignRead {
  readonly path: string;
  /** In alphabetical order. */
  readonly tables: string;
  /** Those among them that belong to areas below. */
  readonly downstream?: string;
  readonly because: string;
}

const area = (name: string, reads: readonly ForeignRead[]): ForeignRead[] =>
  reads.map((read) => ({ ...read, path: `src/${name}/${read.path}` }));

/** Every read of a table outside of the folder of its entity, with its reason. See ADR 38. */
export const foreignReads: readonly ForeignRead[] = [
  {
    path: 'src/events/event-log.queries.ts',
    tables: 'apps organizations',
    downstream: 'apps organizations',
    because: 'Locks the apps and organizations of events, whose deletion would wait for these events.',
  },
  {
    path: 'src/events/event-conditions.queries.ts',
    tables: 'apps',
    downstream: 'apps',
    because: 'A state of an app belongs to the organization that has the app then.',
  },
  {
    path: 'src/events/events.queries.ts',
    tables: 'apps',
    downstream: 'apps',
    because: 'An event of an app belongs to the organization that has the app then.',
  },
  {
    path: 'src/queue/suspensions.queries.ts',
    tables: 'organizations',
    downstream: 'organizations',
    because: 'A job of the queue waits while its organization is suspended, whichever area has sent it.',
  },
  ...area('notifications/feed', [
    {
      path: 'feed-access.queries.ts',
      tables: 'apps members organizations teams',
      because: 'One statement finds what all requests that wait may see.',
    },
    {
      path: 'feed.queries.ts',
      tables: 'apps event_epochs event_positions events',
      because: 'Pages of events, without those of apps that have moved to another organization.',
    },
  ]),
  ...area('apps/repository', [
    {
      path: 'linked-repository.service.ts',
      tables: 'apps',
      because: 'Part of a condition: the links of all apps of an organization.',
    },
  ]),
  ...area('automations/git-looks', [
    {
      path: 'git-looks.queries.ts',
      tables: 'automations builds tokens users',
      because:
        'Finds whether an automation of the app knows a commit, counts the builds of one, and finds what it was saved with.',
    },
    {
      path: 'looks.queries.ts',
      tables: 'app_repositories apps automations organizations',
      because:
        'One statement takes the looks that are due, with those of other apps with the repository, in organizations that are not suspended.',
    },
  ]),
  ...area('accounts/session-codes', [
    {
      path: 'session-codes.queries.ts',
      tables: 'passwords',
      because: 'A new password ends what was approved before.',
    },
  ]),
  ...area('accounts/sign-in-links', [
    {
      path: 'create-sign-in-link.ts',
      tables: 'tokens users',
      because:
        'Without a pool: makes a link only for a user who has no other way to sign in, in one statement.',
    },
    {
      path: 'link-conditions.ts',
      tables: 'passwords user_identities',
      because: 'Part of every statement about links: whether a user may have one.',
    },
    {
      path: 'sign-in-links.queries.ts',
      tables: 'passwords users',
      because: 'A link counts only while its user may have it, and has no newer password.',
    },
  ]),
  {
    path: 'src/notifications/notices/notices.queries.ts',
    tables: 'apps deployment_approvals deployments events members organizations users',
    downstream: 'deployment_approvals deployments',
    because:
      'Who gets a mail depends on roles, teams and settings now, and on who can still approve: one statement for all members.',
  },
  ...area('organizations', [
    {
      path: 'activities/activities.queries.ts',
      tables: 'apps members',
      downstream: 'apps',
      because:
        'A refused call names an app or an organization; one statement finds where its member may write.',
    },
    {
      path: 'organizations/account-uses.queries.ts',
      tables: 'users',
      because: 'Shows operators whose account uses what all tenants share.',
    },
    {
      path: 'git-connections/git-connections.queries.ts',
      tables: 'apps',
      downstream: 'apps',
      because: 'Locks the app of a connection against a transfer.',
    },
    {
      path: 'invitations/invitations.queries.ts',
      tables: 'members organizations users',
      because: 'Invitations, their mails and the pages of their links show names of organizations and users.',
    },
    {
      path: 'members/members.queries.ts',
      tables: 'organizations users',
      because: 'What a member may do depends on rules of the organization and the second factor of the user.',
    },
    {
      path: 'team-assignments/team-assignments.queries.ts',
      tables: 'apps teams',
      downstream: 'apps',
      because: 'The statement that assigns an app locks it against a transfer.',
    },
    {
      path: 'teams/teams.queries.ts',
      tables: 'team_apps team_members',
      because: 'Counts the apps and members of all teams of a list in one statement.',
    },
    {
      path: 'teams/within-teams.ts',
      tables: 'team_apps team_members',
      because: 'Part of every statement that decides whether a member sees an app.',
    },
    {
      path: 'token-events/token-events.queries.ts',
      tables: 'apps members tokens',
      downstream: 'apps',
      because: 'One statement finds the organizations of which a token can see something.',
    },
    {
      path: 'user-access/user-list.queries.ts',
      tables: 'members organizations users',
      because: 'Operators see all users with their organizations.',
    },
  ]),
  ...area('apps', [
    {
      path: 'app-access/app-access.queries.ts',
      tables: 'apps members organizations',
      because: 'Every request below an app finds the app and the rights of the caller in one statement.',
    },
    {
      path: 'apps/apps.queries.ts',
      tables: 'members',
      because: 'The list has the apps that the teams of a member have.',
    },
  ]),
  ...area('notifications', [
    {
      path: 'deliveries/schedules/delivery-schedules.queries.ts',
      tables: 'webhooks',
      because: 'A job belongs to the organization of its webhook; one statement plans all runs of a batch.',
    },
    {
      path: 'deliveries/schedules/delivery-upkeep.queries.ts',
      tables: 'events',
      because: 'A pending delivery is kept as long as its event can be sent.',
    },
    {
      path: 'deliveries/sending/delivery-fan-out.queries.ts',
      tables: 'events webhooks',
      because: 'Matches the events of a batch with all webhooks in one statement.',
    },
    {
      path: 'deliveries/sending/delivery-runs.queries.ts',
      tables: 'apps events members users webhooks',
      because:
        'Reads the next delivery in one statement: with its event, the names that chats show, and whether the webhook is still the same.',
    },
    {
      path: 'deliveries/sending/objects-aside.queries.ts',
      tables: 'webhooks',
      because:
        'Whether the order of objects suffices is read when an object is set aside, with the webhook locked.',
    },
    {
      path: 'deliveries/webhook-deliveries.queries.ts',
      tables: 'events webhooks',
      because: 'Finds the events that a webhook should have got.',
    },
    {
      path: 'webhooks/webhooks.queries.ts',
      tables: 'apps webhook_deliveries webhook_schedules',
      because:
        'Locks the app of a webhook against a transfer, and moves its webhooks with it. Shows how receivers have responded; deliveries are made of webhooks, so webhooks cannot import them.',
    },
  ]),
  ...area('jobs', [
    {
      path: 'runner-jobs/job-expiry.queries.ts',
      tables: 'job_leases jobs',
      because: 'Finds jobs whose time is over, running or waiting.',
    },
    {
      path: 'job-logs/job-log-retention.queries.ts',
      tables: 'apps jobs',
      because: 'Logs are kept as long as their app says, after the end of their job.',
    },
    {
      path: 'job-logs/job-logs.queries.ts',
      tables: 'jobs',
      because: 'A log moves to storage when its job has ended.',
    },
    {
      path: 'job-queues/job-limits.queries.ts',
      tables: 'apps jobs organizations',
      because: 'Limits belong to organizations and apps, and are shown with the jobs that count.',
    },
    {
      path: 'job-queues/job-queues.queries.ts',
      tables: 'apps job_leases jobs organizations runner_sessions runners',
      because: 'Matching joins what waits, runs and is free; it runs all the time.',
    },
    {
      path: 'job-queues/queue-state.queries.ts',
      tables: 'job_leases jobs runner_sessions runners',
      because: 'Finds what queued jobs wait for, and leases that no replica ended, for metrics and the log.',
    },
    {
      path: 'job-leases/job-leases.queries.ts',
      tables: 'jobs runners',
      because:
        'A lease belongs to a job, and counts only while its runner serves the organization of the job.',
    },
    {
      path: 'jobs/jobs.queries.ts',
      tables: 'job_leases',
      because: 'Locks the job of a lease.',
    },
    {
      path: 'jobs/jobs.service.ts',
      tables: 'apps members',
      because: 'Part of the condition of the list: the jobs of apps that the caller sees.',
    },
    {
      path: 'lost-runners/lost-runners.queries.ts',
      tables: 'event_conditions job_leases runner_sessions runners',
      because: 'Finds runners that are lost and have no event yet, in one statement.',
    },
    {
      path: 'runner-sessions/runner-sessions.queries.ts',
      tables: 'runners',
      because: 'Every call of a runner is authenticated by its token.',
    },
    {
      path: 'runners/built-in-runner.ts',
      tables: 'runner_sessions',
      because:
        'Without a pool: of several built-in runners of earlier starts, the one that was seen last stays.',
    },
    {
      path: 'runners/runners.queries.ts',
      tables: 'apps job_leases runner_sessions',
      because:
        'The list shows when runners were in contact; a runner for some apps needs apps of its organization.',
    },
  ]),
  ...area('app-submissions', [
    {
      path: 'build-numbers/build-numbers.queries.ts',
      tables: 'submissions',
      because: 'The numbers of submissions are used, whatever has become of them.',
    },
    {
      path: 'releases/store-releases.service.ts',
      tables: 'apps',
      because: 'Part of the statement that finds late looks: those of suspended organizations wait.',
    },
    {
      path: 'store-keys/store-keys.queries.ts',
      tables: 'destinations',
      because: 'Keys that no destination uses are deleted.',
    },
  ]),
  ...area('app-submissions/flow', [
    {
      path: 'store-turns.queries.ts',
      tables: 'submissions',
      because: 'One statement decides who has an edit and who is next, by the time since which they wait.',
    },
  ]),
  ...area('native-builds', [
    {
      path: 'signing-expiry/signing-expiry.queries.ts',
      tables: 'apps certificates provisioning_profiles',
      because: 'One statement finds what expires in all apps, with the organizations that have the events.',
    },
    {
      path: 'build-artifacts/build-artifacts.queries.ts',
      tables: 'builds',
      because:
        'Artifacts are found through the build of an app. Builds present artifacts, so they cannot import them.',
    },
    {
      path: 'builds/builds.queries.ts',
      tables: 'build_artifacts jobs',
      because:
        'Part of a condition: builds by the status of their job, which uploads derive from their artifact.',
    },
    {
      path: 'build-artifacts/download-counts.queries.ts',
      tables: 'builds',
      because: 'Counts belong to the app of a build.',
    },
    {
      path: 'build-retention/build-retention.queries.ts',
      tables: 'apps build_artifacts build_sources builds jobs',
      because: 'Retention decides under locks, in one statement with what keeps a source or an artifact.',
    },
    {
      path: 'build-sources/build-sources.queries.ts',
      tables: 'apps builds configurations jobs',
      because:
        'A fetched source is charged to the organization of the app, and releases the jobs that wait for it, or lets them ask the store for a number, as their configurations say.',
    },
    {
      path: 'environments/environments.queries.ts',
      tables: 'environment_secrets environment_variables',
      because: 'Shows what is in environments. It is changed under their lock, so it imports them.',
    },
    {
      path: 'imports/imports.queries.ts',
      tables: 'build_artifacts jobs',
      because: 'Finds imports that wait for an upload, in one statement.',
    },
    {
      path: 'use-restrictions/use-restrictions.queries.ts',
      tables: 'apps builds certificates environments jobs organizations',
      because:
        'What a running build uses must not be deleted; organizations limit certificates of apps; the start reads all patterns.',
    },
  ]),
  ...area('live-updates', [
    {
      path: 'build-deployments/build-deployments.queries.ts',
      tables: 'channels deployments destinations',
      because: 'One statement finds the newest deployments of many builds, with the names of their targets.',
    },
    {
      path: 'approvals/approvals.queries.ts',
      tables: 'apps deployments members users',
      because:
        'Who can still approve a deployment depends on roles and teams: one statement for all members.',
    },
    {
      path: 'bundle-content/bundle-owners.queries.ts',
      tables: 'apps bundles',
      because: 'Files of a bundle are charged to the organization of its app.',
    },
    {
      path: 'bundle-files/bundle-files.queries.ts',
      tables: 'bundles',
      because:
        'Files are found through the bundle of an app. Bundles use their files, so files cannot import them.',
    },
    {
      path: 'bundles/bundles.service.ts',
      tables: 'build_artifacts',
      because: 'Part of the condition of the list: bundles of a build, or with a status.',
    },
    {
      path: 'bundles/publication/uploaded-files.queries.ts',
      tables: 'apps blob_variants blobs build_artifacts bundle_files',
      because: 'A publication depends on all files of the bundle, their blobs and the keys of the app.',
    },
    {
      path: 'channels/channel-expiry-events.queries.ts',
      tables: 'apps',
      because: 'Finds channels that expire and have no event yet, in one statement.',
    },
    {
      path: 'channels/channels.queries.ts',
      tables: 'apps builds deployments devices',
      downstream: 'devices',
      because:
        'Counts the deployments and devices of all channels of a list, and shows the newest and the last good deployments. Finds the channels of an organization through their apps.',
    },
    {
      path: 'damaged-files/damaged-bundles.queries.ts',
      tables: 'apps blobs build_artifacts builds bundle_files bundles channels deployments event_conditions',
      because: 'Finds damaged bundles that have no event yet, with what the event shows, in one statement.',
    },
    {
      path: 'damaged-files/damaged-files.queries.ts',
      tables: 'apps blobs build_artifacts bundle_files bundles',
      because: 'A damaged blob is shown with everything that uses it.',
    },
    {
      path: 'inbox/inbox.queries.ts',
      tables:
        'apps blobs build_artifacts builds bundle_files bundles certificates channels deployment_approvals deployments destinations jobs members provisioning_profiles rollout_plans store_releases submissions users webhook_schedules webhooks',
      because: 'What waits for a person is of each area: one statement for any number of apps.',
    },
    {
      path: 'deltas/deltas.queries.ts',
      tables: 'apps blobs build_artifacts bundle_files bundles deployments',
      because: 'An archive is made of the files of two published bundles.',
    },
    {
      path: 'deployment-events/deployment-events.queries.ts',
      tables: 'builds channels deployments destinations',
      because: 'One statement names everything that an event about a deployment shows.',
    },
    {
      path: 'deployment-health/deployment-health.queries.ts',
      tables: 'build_artifacts channels deployments device_rollbacks devices',
      downstream: 'device_rollbacks devices',
      because: 'The health of a deployment is counted over its devices, in one statement.',
    },
    {
      path: 'deployment-health/rollback-shares.queries.ts',
      tables: 'build_artifacts channels deployments device_rollbacks event_conditions',
      downstream: 'device_rollbacks',
      because: 'Finds the deployments whose roll-backs are to be counted, in one statement.',
    },
    {
      path: 'deployments/deployments.service.ts',
      tables: 'builds',
      because: 'Part of the condition of the list: deployments of a commit.',
    },
    {
      path: 'deployments/deployments.queries.ts',
      tables: 'apps blobs build_artifacts builds bundle_files bundles device_rollbacks rollout_plans',
      downstream: 'device_rollbacks',
      because:
        'A deployment needs a ready bundle whose signatures fit the keys of the app and whose content is new to the channel, and is shown with its plan.',
    },
    {
      path: 'downloads/bundle-downloads.queries.ts',
      tables: 'blob_variants blobs build_artifacts bundle_files bundles',
      because: 'Every download finds its file with all content codings in one statement.',
    },
    {
      path: 'generated-zips/generated-zips.queries.ts',
      tables: 'apps blob_variants blobs build_artifacts bundle_files bundles deployments organizations',
      because:
        'A zip is made of the files of a bundle, and compared with their content codings. Those that devices need are made for deployed bundles, and accounts take turns.',
    },
    {
      path: 'named-manifests/named-manifests.queries.ts',
      tables: 'apps blobs build_artifacts bundle_files bundles',
      because: 'A named manifest is derived from an uploaded one that is not damaged.',
    },
    {
      path: 'retention/retention-plan.ts',
      tables:
        'apps blobs build_artifacts builds bundle_files bundles channels deployments devices rollout_plans',
      downstream: 'devices',
      because: 'Part of the statements of retention: everything that can keep a bundle.',
    },
    {
      path: 'retention/retention.queries.ts',
      tables:
        'apps blob_variants blobs build_artifacts builds bundle_deltas bundle_files bundles channels generated_zips',
      because: 'Which apps have bundles to delete, and the bytes that only these bundles use.',
    },
    {
      path: 'retention/retired-deployments.queries.ts',
      tables: 'build_artifacts bundles deployments',
      because: 'Copies the order of deployments, before they are deleted with their bundle.',
    },
    {
      path: 'retention/upload-expiry.queries.ts',
      tables: 'build_artifacts bundle_files bundles upload_parts uploads',
      because: 'A bundle is abandoned when none of its files and parts was changed.',
    },
    {
      path: 'rollout-plans/plan-endings.service.ts',
      tables: 'deployments',
      because: 'Part of the statement that locks the plans of older deployments.',
    },
    {
      path: 'rollout-plans/release-follower.service.ts',
      tables: 'deployments',
      because: 'Part of the statement that locks the plans of older deployments to a destination.',
    },
    {
      path: 'rollout-plans/rollout-plans.queries.ts',
      tables: 'deployments store_releases',
      because: 'Whether a newer deployment has a release in its store, in one statement.',
    },
    {
      path: 'store-deployments/store-deployments.queries.ts',
      tables: 'deployments store_releases submissions',
      because:
        'Compares a file with what was submitted before: the key of the last release, the same version, and the same file on another track.',
    },
    {
      path: 'unsafe-reuse/plain-manifests.queries.ts',
      tables: 'build_artifacts builds bundles devices',
      downstream: 'devices',
      because: 'A manifest counts while its bundle exists or is on devices.',
    },
    {
      path: 'unsafe-reuse/unsafe-reuse.queries.ts',
      tables: 'build_artifacts builds bundle_files bundles deployments',
      because: 'What is wrong with a build depends on what the deployments of a channel serve.',
    },
  ]),
  ...area('devices', [
    {
      path: 'app-summaries/app-counts.queries.ts',
      tables: 'build_artifacts bundles channels deployments devices',
      because:
        'The devices of an app are counted by channel, and by what the channel delivers, in one statement.',
    },
    {
      path: 'app-summaries/app-facts.queries.ts',
      tables:
        'apps build_artifacts builds channels deployments destinations device_counts jobs rollout_plans submissions users',
      because: 'A summary shows something of each area, in four statements for any number of apps.',
    },
    {
      path: 'check-ins/check-ins.queries.ts',
      tables: 'apps device_rollbacks devices',
      because: 'Check-ins are written in batches of one statement (ADR 25).',
    },
    {
      path: 'check-ins/custom-ids.queries.ts',
      tables: 'apps custom_id_keys',
      because: 'Check-ins import almost nothing, so they read the setting and the key of an app themselves.',
    },
    {
      path: 'consequences/consequences.queries.ts',
      tables:
        'artifact_details build_artifacts builds bundles deployments device_rollbacks devices rollout_plans',
      because:
        'What a change means is found out in a few milliseconds, by what devices report and what plans run.',
    },
    {
      path: 'decisions/decisions.queries.ts',
      tables: 'builds deployments',
      because: 'An explanation names the builds of all deployments that it examines.',
    },
    {
      path: 'device-retention/device-retention.queries.ts',
      tables: 'apps devices',
      because: 'Devices are kept as long as their app says.',
    },
    {
      path: 'devices/custom-id-hashing.queries.ts',
      tables: 'apps',
      because: 'Nothing is hashed any more where an app has switched it off.',
    },
    {
      path: 'devices/devices.queries.ts',
      tables: 'build_artifacts builds deployments',
      because:
        'What a device reported last may have been deleted (ADR 11). Shows what builds of a page of devices are called.',
    },
    {
      path: 'insights/count-devices.ts',
      tables: 'devices',
      because: 'Part of the statements that count the devices of a day.',
    },
    {
      path: 'insights/insights.queries.ts',
      tables: 'build_artifacts bundles download_counts',
      because: 'Shows downloads by bundle.',
    },
    {
      path: 'insights/roll-up.queries.ts',
      tables: 'apps',
      because: 'Every app has its own next day to count.',
    },
    {
      path: 'native-versions/count-versions.ts',
      tables: 'devices',
      because: 'Part of the statements that count the devices of an app by version.',
    },
    {
      path: 'native-versions/native-versions.queries.ts',
      tables: 'apps devices',
      because: 'Finds the apps whose devices count, and what most devices with a version report as its name.',
    },
    {
      path: 'releases/release-table.queries.ts',
      tables:
        'apps blobs build_artifacts builds bundle_files bundles channels deployments device_rollbacks devices generated_zips plain_manifests retired_deployments unsafe_reuses',
      because: 'A release table is loaded in four statements, however large the app (ADR 24).',
    },
    {
      path: 'rollbacks/rollbacks.queries.ts',
      tables: 'devices',
      because: 'Devices show their roll-backs, so roll-backs cannot import them.',
    },
    {
      path: 'simulations/simulations.queries.ts',
      tables: 'build_artifacts builds bundles device_rollbacks devices',
      because: 'A simulation reads all devices of an app through a cursor.',
    },
    {
      path: 'transfer-sizes/transfer-sizes.queries.ts',
      tables:
        'blob_variants blobs build_artifacts builds bundle_deltas bundle_files bundles deployments devices generated_zips',
      because: 'The size of an update depends on all forms in which its files are stored.',
    },
  ]),
  ...area('storage', [
    {
      path: 'blob-variants/blob-variants.queries.ts',
      tables: 'blobs organizations',
      downstream: 'organizations',
      because: 'A variant is made from its blob, and not for one that is gone. Accounts take turns.',
    },
    {
      path: 'blobs/blob-collector.queries.ts',
      tables: 'blob_variants',
      because: 'The size of unused blobs includes that of their variants.',
    },
    {
      path: 'blobs/blob-damage.queries.ts',
      tables: 'blob_variants',
      because: 'A damaged blob can be restored from its variants.',
    },
    {
      path: 'blobs/blobs.queries.ts',
      tables: 'blob_variants',
      because: 'An object belongs to a blob or to a variant.',
    },
    {
      path: 'uploads/storage-quotas.queries.ts',
      tables: 'blob_variants blobs organizations',
      downstream: 'organizations',
      because: 'The usage of an organization is compared with its quota in one statement.',
    },
  ]),
  ...area('commands', [
    {
      path: 'embedded-defaults.ts',
      tables: 'users',
      because: 'Without a pool: whether the embedded database has a user yet.',
    },
  ]),
];

/** Every write outside of the folder of the entity, with its reason; `?`: a name that only the program knows. */
export const secondWriters: readonly {
  readonly path: string;
  readonly tables: string;
  readonly because: string;
}[] = [
  {
    path: 'src/database/reseal.ts',
    tables: '?',
    because: 'Encrypts the sealed columns of all tables again.',
  },
  {
    path: 'src/devices/check-ins/check-ins.queries.ts',
    tables: 'devices',
    because: 'Check-ins are on the hot path, which imports almost nothing (ADR 25).',
  },
  {
    path: 'src/devices/device-retention/device-retention.queries.ts',
    tables: 'devices',
    because: 'Deletes devices in one statement with the setting of their app.',
  },
  {
    path: 'src/jobs/job-leases/job-leases.queries.ts',
    tables: 'jobs',
    because: 'Gives a job to a runner, and takes it back, in one statement with the lease.',
  },
  {
    path: 'src/jobs/job-logs/job-log-retention.queries.ts',
    tables: '?',
    because: 'Empties partitions of its own table.',
  },
  {
    path: 'src/queue/pg-boss.ts',
    tables: '?',
    because: 'Counts and removes jobs that wait in the tables of pg-boss.',
  },
  {
    path: 'src/native-builds/build-retention/build-retention.queries.ts',
    tables: '?',
    because: 'Deletes sources and artifacts in one statement with what keeps them (ADR 20).',
  },
];

/** The files outside of `src/database` that use the data source itself, with their reasons. */
export const dataSourceUsers: Readonly<Record<string, string>> = {
  'src/commands/secrets-reencrypt.ts': 'Encrypts the columns of all tables again.',
  'src/commands/start/check-database.ts': 'Runs before the application is built.',
  'src/health/readiness.ts': 'Pings the database.',
  'src/metrics/shared-metrics.ts': 'Counts the connections of the pool.',
  'src/migration-data-source.ts': 'Is a data source itself, for new migrations.',
  'src/queue/pg-boss.ts': 'pg-boss runs on connections of the pool.',
  'src/queue/queue.service.ts': 'Passes it to pg-boss.',
};
