import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * The only list of what each command runs. `npm test`: what a developer needs to know after each change, within five
 * minutes on two cores. `npm run test:rest`: every other spec file, and those that take a sample here as a whole; of the
 * longest ones a tenth, another one with each seed. `npm run test:console`: the files of the console. `npm run
 * test:deep`: all of the longest ones, and with all their counts the files of which these run a part
 * (`test/setup/depth.ts`).
 */

/** Spec files, or the folders of many, from the root of the checkout. */
const QUICK = [
  'src/',
  'test/architecture/',
  'test/e2e/',
  // The commands of the README with the official CLI.
  'test/clients/readme.spec.ts',
  // One build on a runner, from the command to the device.
  'test/clients/cli-runner.spec.ts',
  // One upload in the middle of which the server is killed.
  'test/faults/killed-upload.spec.ts',
];

/** Tests that start servers of their own, wait for times to pass, or try much: `test:rest` runs them. */
const NOT_QUICK = [
  'src/app-submissions/app-store-connect/review/app-store-steps.spec.ts',
  'src/app-submissions/app-store-connect/review/interrupted-steps.spec.ts',
  'src/app-submissions/app-store-connect/review/refused-steps.spec.ts',
  'src/app-submissions/app-store-connect/testflight/interrupted-steps.spec.ts',
  'src/app-submissions/app-store-connect/testflight/refused-steps.spec.ts',
  'src/app-submissions/app-store-connect/api/hostile-responses.spec.ts',
  'src/app-submissions/google-play/interrupted-steps.spec.ts',
  'src/app-submissions/google-play/refused-steps.spec.ts',
  'src/commands/start/keep-connections.spec.ts',
  'src/common/http/outbound/host-resolver.spec.ts',
  'src/common/secrets/clean-lines.spec.ts',
  'src/common/secrets/secret-encoders.spec.ts',
  'src/devices/simulations/simulation.spec.ts',
  'src/health/storage-readiness.spec.ts',
  'src/jobs/job-logs/log-archive.spec.ts',
  'src/live-updates/bundle-zips/inspect-zip.spec.ts',
  'src/native-builds/artifact-readers/hostile-files.spec.ts',
  'src/native-builds/artifact-readers/mutated-files.spec.ts',
  'src/native-builds/artifact-readers/read-artifact.spec.ts',
  'src/organizations/git-remotes/remote-refs.spec.ts',
  'src/runner/steps/outputs/zip-files.spec.ts',
  'src/storage/migration/fallback-object-storage.spec.ts',
  'src/storage/migration/storage-migration.spec.ts',
  'test/architecture/decision-costs.spec.ts',
  'test/e2e/accounts/account-mails.spec.ts',
  'test/e2e/accounts/disabled-users.spec.ts',
  'test/e2e/accounts/encryption-keys.spec.ts',
  'test/e2e/accounts/first-start.spec.ts',
  'test/e2e/accounts/forgotten-passwords.spec.ts',
  'test/e2e/accounts/oidc-attacks.spec.ts',
  'test/e2e/accounts/oidc-groups.spec.ts',
  'test/e2e/accounts/oidc-only.spec.ts',
  'test/e2e/accounts/oidc-outage.spec.ts',
  'test/e2e/accounts/oidc.spec.ts',
  'test/e2e/accounts/page-session-routes.spec.ts',
  'test/e2e/accounts/pages.spec.ts',
  'test/e2e/accounts/set-password.spec.ts',
  'test/e2e/accounts/sign-in-links.spec.ts',
  'test/e2e/accounts/sign-in.spec.ts',
  'test/e2e/accounts/unverified-users.spec.ts',
  'test/e2e/accounts/user-commands.spec.ts',
  'test/e2e/app-submissions/app-store-changes.spec.ts',
  'test/e2e/app-submissions/app-store-connect-checks.spec.ts',
  'test/e2e/app-submissions/app-store-connect-limits.spec.ts',
  'test/e2e/app-submissions/app-store-connect-rules.spec.ts',
  'test/e2e/app-submissions/app-store-connect-stand-in.spec.ts',
  'test/e2e/app-submissions/app-store-connect-submissions.spec.ts',
  'test/e2e/app-submissions/app-store-releases.spec.ts',
  'test/e2e/app-submissions/app-store-reviews.spec.ts',
  'test/e2e/app-submissions/app-store-stand-in.spec.ts',
  'test/e2e/app-submissions/destination-checks.spec.ts',
  'test/e2e/app-submissions/google-play-promotions.spec.ts',
  'test/e2e/app-submissions/google-play-rollouts.spec.ts',
  'test/e2e/app-submissions/google-play-rules.spec.ts',
  'test/e2e/app-submissions/google-play-stand-in-rollouts.spec.ts',
  'test/e2e/app-submissions/google-play-stand-in.spec.ts',
  'test/e2e/app-submissions/google-play-submissions.spec.ts',
  'test/e2e/app-submissions/hostile-responses.spec.ts',
  'test/e2e/app-submissions/hostile-testflight.spec.ts',
  'test/e2e/app-submissions/release-history.spec.ts',
  'test/e2e/app-submissions/secrets-at-rest.spec.ts',
  'test/e2e/app-submissions/store-refusals.spec.ts',
  'test/e2e/app-submissions/store-release-watch.spec.ts',
  'test/e2e/app-submissions/store-rollout-plans.spec.ts',
  'test/e2e/app-submissions/submission-events.spec.ts',
  'test/e2e/app-submissions/submission-requests.spec.ts',
  'test/e2e/app-submissions/testflight-stand-in.spec.ts',
  'test/e2e/app-submissions/unused-store-keys.spec.ts',
  'test/e2e/apps/transfer.spec.ts',
  'test/e2e/automations/branch-attacker.spec.ts',
  'test/e2e/automations/git-hooks.spec.ts',
  'test/e2e/automations/git-looks.spec.ts',
  'test/e2e/automations/tag-story.spec.ts',
  'test/e2e/commands.spec.ts',
  'test/e2e/common/change-signals.spec.ts',
  'test/e2e/common/ends-of-waits.spec.ts',
  'test/e2e/common/logs.spec.ts',
  'test/e2e/common/rate-limits.spec.ts',
  'test/e2e/common/shared-waits.spec.ts',
  'test/e2e/common/statement-counts.spec.ts',
  'test/e2e/common/tenant-shares.spec.ts',
  'test/e2e/common/uploads-in-parts.spec.ts',
  'test/e2e/example.spec.ts',
  'test/e2e/jobs/built-in-registration.spec.ts',
  'test/e2e/jobs/claims.spec.ts',
  'test/e2e/jobs/job-commands.spec.ts',
  'test/e2e/jobs/job-events.spec.ts',
  'test/e2e/jobs/job-leases.spec.ts',
  'test/e2e/jobs/job-log-lines.spec.ts',
  'test/e2e/jobs/unmatched-jobs.spec.ts',
  'test/e2e/jobs/worker-jobs.spec.ts',
  'test/e2e/list-plans.spec.ts',
  'test/e2e/live-updates/app-store-refusals.spec.ts',
  'test/e2e/live-updates/app-summaries.spec.ts',
  'test/e2e/live-updates/blockers.spec.ts',
  'test/e2e/live-updates/cdn.spec.ts',
  'test/e2e/live-updates/check-ins.spec.ts',
  'test/e2e/live-updates/compression.spec.ts',
  'test/e2e/live-updates/deltas.spec.ts',
  'test/e2e/live-updates/derived-events.spec.ts',
  'test/e2e/live-updates/device-privacy.spec.ts',
  'test/e2e/live-updates/download-counts.spec.ts',
  'test/e2e/live-updates/fast-path-parity.spec.ts',
  'test/e2e/live-updates/generated-zips.spec.ts',
  'test/e2e/live-updates/hostile-names.spec.ts',
  'test/e2e/live-updates/imported-manifests.spec.ts',
  'test/e2e/live-updates/inbox.spec.ts',
  'test/e2e/live-updates/inner-manifests.spec.ts',
  'test/e2e/live-updates/insights.spec.ts',
  'test/e2e/live-updates/last-good.spec.ts',
  'test/e2e/live-updates/named-manifests.spec.ts',
  'test/e2e/live-updates/native-version-counts.spec.ts',
  'test/e2e/live-updates/new-devices.spec.ts',
  'test/e2e/live-updates/publish-compression.spec.ts',
  'test/e2e/live-updates/retention.spec.ts',
  'test/e2e/live-updates/rollout-plans.spec.ts',
  'test/e2e/live-updates/simulations.spec.ts',
  'test/e2e/live-updates/store-approvals.spec.ts',
  'test/e2e/live-updates/store-deployment-events.spec.ts',
  'test/e2e/live-updates/store-deployment-refusals.spec.ts',
  'test/e2e/live-updates/store-release-requests.spec.ts',
  'test/e2e/live-updates/submitted-once.spec.ts',
  'test/e2e/live-updates/unsafe-promotion.spec.ts',
  'test/e2e/live-updates/unsafe-reuse.spec.ts',
  'test/e2e/live-updates/uploads.spec.ts',
  'test/e2e/live-updates/verification.spec.ts',
  'test/e2e/native-builds/android-certificates.spec.ts',
  'test/e2e/native-builds/apple-build-numbers.spec.ts',
  'test/e2e/native-builds/artifact-details.spec.ts',
  'test/e2e/native-builds/build-events.spec.ts',
  'test/e2e/native-builds/build-share-page.spec.ts',
  'test/e2e/native-builds/build-shares.spec.ts',
  'test/e2e/native-builds/build-sources.spec.ts',
  'test/e2e/native-builds/certificates.spec.ts',
  'test/e2e/native-builds/device-checks.spec.ts',
  'test/e2e/native-builds/environments.spec.ts',
  'test/e2e/native-builds/given-up-work.spec.ts',
  'test/e2e/native-builds/imports.spec.ts',
  'test/e2e/native-builds/ios-build-checks.spec.ts',
  'test/e2e/native-builds/ios-builds.spec.ts',
  'test/e2e/native-builds/ios-certificates.spec.ts',
  'test/e2e/native-builds/ios-icons.spec.ts',
  'test/e2e/native-builds/ios-manifest.spec.ts',
  'test/e2e/native-builds/ios-share-in-chromium.spec.ts',
  'test/e2e/native-builds/ios-shares.spec.ts',
  'test/e2e/native-builds/ios-udids.spec.ts',
  'test/e2e/native-builds/lost-uses.spec.ts',
  'test/e2e/native-builds/play-build-numbers.spec.ts',
  'test/e2e/native-builds/provisioning-profiles.spec.ts',
  'test/e2e/native-builds/share-guessing.spec.ts',
  'test/e2e/native-builds/share-page-in-chromium.spec.ts',
  'test/e2e/native-builds/shared-builds.spec.ts',
  'test/e2e/native-builds/submitted-builds.spec.ts',
  'test/e2e/native-builds/unqualified-patterns.spec.ts',
  'test/e2e/native-builds/unused-provisioning-profiles.spec.ts',
  'test/e2e/native-builds/web-builds.spec.ts',
  'test/e2e/notifications/changes.spec.ts',
  'test/e2e/notifications/event-epochs.spec.ts',
  'test/e2e/notifications/feed-waits.spec.ts',
  'test/e2e/notifications/noticed-changes.spec.ts',
  'test/e2e/notifications/notices.spec.ts',
  'test/e2e/notifications/unsubscribe.spec.ts',
  'test/e2e/organizations/audit-heads.spec.ts',
  'test/e2e/organizations/audit-log-chain.spec.ts',
  'test/e2e/organizations/audit-log-export.spec.ts',
  'test/e2e/organizations/count-limits.spec.ts',
  'test/e2e/organizations/git-credentials.spec.ts',
  'test/e2e/organizations/invitation-mails.spec.ts',
  'test/e2e/organizations/license-keys.spec.ts',
  'test/e2e/organizations/mailed-invitation-links.spec.ts',
  'test/e2e/organizations/organization-limit.spec.ts',
  'test/e2e/organizations/organization-states.spec.ts',
  'test/e2e/organizations/restrictions.spec.ts',
  'test/e2e/organizations/storage-quotas.spec.ts',
  'test/e2e/organizations/suspended-waits.spec.ts',
  'test/e2e/organizations/suspensions.spec.ts',
  'test/e2e/organizations/teams.spec.ts',
  'test/e2e/organizations/two-factor.spec.ts',
  'test/e2e/statements.spec.ts',
  'test/e2e/try-it-out.spec.ts',
];

/** Suites of every route and resource: `npm test` runs them for a part of these, `test:rest` for all. */
const SAMPLED = [
  'test/e2e/conformance.spec.ts',
  ...['accounts', 'organizations', 'apps', 'native-builds', 'live-updates', 'devices'].map(
    (area) => `test/e2e/routes/${area}.spec.ts`,
  ),
];

/** Suites of which `test:rest` or `test:console` runs a part: `test/setup/depth.ts` says how much. `test:deep` runs all of it. */
const PARTIAL = [
  'console/test/builds.spec.ts',
  'console/test/device-remedies.spec.ts',
  'console/test/devices.spec.ts',
  'console/test/log.spec.ts',
  'console/test/publish.spec.ts',
  'console/test/roles.spec.ts',
  'console/test/screens.spec.ts',
  'console/test/stories.spec.ts',
  'console/test/types.spec.ts',
  'src/app-submissions/app-store-connect/review/interrupted-steps.spec.ts',
  'src/app-submissions/app-store-connect/testflight/interrupted-steps.spec.ts',
  'src/app-submissions/google-play/interrupted-steps.spec.ts',
  'test/clients/device-chains.spec.ts',
  'test/clients/guides.spec.ts',
  'test/e2e/app-submissions/app-store-changes.spec.ts',
  'test/e2e/app-submissions/app-store-connect-rules.spec.ts',
  'test/e2e/app-submissions/store-release-watch.spec.ts',
  'test/faults/app-store-release-kills.spec.ts',
  'test/faults/apple-submission-kills.spec.ts',
  'test/faults/automation-kills.spec.ts',
  'test/faults/builds.spec.ts',
  'test/faults/google-play-release-kills.spec.ts',
  'test/faults/job-simulation.spec.ts',
  'test/faults/many-builds.spec.ts',
  'test/faults/outage-during-builds.spec.ts',
  'test/faults/submission-kills.spec.ts',
  'test/faults/submission-simulation.spec.ts',
  'test/faults/webhook-simulation.spec.ts',
  'test/runner/android-build.spec.ts',
  'test/runner/android-signing.spec.ts',
  'test/runner/ios-build.spec.ts',
  'test/runner/ios-signing-crashes.spec.ts',
  'test/runner/ios-signing.spec.ts',
  'test/runner/package-managers.spec.ts',
];

/** Suites that only `test:deep` runs. */
const DEEP: string[] = [];

/** Suites in a browser: `test:console` runs all of them, `test:deep` those of which that runs a part. */
const CONSOLE = 'console/test/';

/** Seconds by spec file, as `npm run test:seconds` wrote them. Files that it leaves out are quick. */
export const SECONDS = JSON.parse(
  readFileSync(join(import.meta.dirname, 'seconds.json'), 'utf8'),
) as Readonly<Record<string, number>>;

/** Files that take longer than so many seconds take turns in `npm run test:rest`, in so many parts. */
const LONG = 30;
export const TURNS = 10;

/** All paths of the lists. */
export const listed = [...QUICK, ...NOT_QUICK, ...SAMPLED, ...PARTIAL, ...DEEP];

/** The suites that use `test/setup/depth.ts` themselves. */
export const partial = PARTIAL;

/** What a command runs. */
export type TestSet = 'quick' | 'rest' | 'deep';

/**
 * Which spec files a command runs.
 *
 * @param files all of them, from the root of the checkout
 * @param seed chooses which of the longest ones `test:rest` runs
 */
export function filesOf(set: TestSet, files: readonly string[], seed: number): string[] {
  const isQuick = (file: string): boolean =>
    QUICK.some((path) => file.startsWith(path)) && !NOT_QUICK.includes(file) && !DEEP.includes(file);
  const isRest = (file: string): boolean =>
    (!isQuick(file) || SAMPLED.includes(file)) && !DEEP.includes(file) && !file.startsWith(CONSOLE);
  // From the longest to the shortest, so that each part takes as long as the others.
  const long = files
    .filter((file) => isRest(file) && (SECONDS[file] ?? 0) > LONG)
    .sort((a, b) => SECONDS[b]! - SECONDS[a]! || a.localeCompare(b));
  // Another number than the one that chooses rows in the files: `someOf`.
  const turn = Math.floor(seed / TURNS) % TURNS;
  const waiting = long.filter((_file, index) => index % TURNS !== turn);
  const isIn: Readonly<Record<TestSet, (file: string) => boolean>> = {
    quick: isQuick,
    rest: (file) => isRest(file) && !waiting.includes(file),
    deep: (file) => PARTIAL.includes(file) || DEEP.includes(file) || long.includes(file),
  };
  return files.filter(isIn[set]);
}
