/** What hints are about. */
export const changedKinds = [
  'app',
  'automation',
  'build',
  'bundle',
  'certificate',
  'channel',
  'deployment',
  'inbox',
  'job',
  'member',
  'organization',
  'provisioning-profile',
  'release',
  'runner',
  'submission',
  'token',
  'webhook',
] as const;
export type ChangedKind = (typeof changedKinds)[number];

/** The objects of events, by what the type begins with. */
const kinds: Readonly<Record<string, ChangedKind>> = {
  app_approval: 'deployment',
  app_build: 'build',
  app_bundle: 'bundle',
  app_certificate: 'certificate',
  app_channel: 'channel',
  app_deployment: 'deployment',
  app_import: 'build',
  app_provisioning_profile: 'provisioning-profile',
  app_release: 'release',
  app_rollbacks: 'deployment',
  app_rollout: 'deployment',
  app_submission: 'submission',
  automation: 'automation',
  git: 'app',
  job: 'job',
  member: 'member',
  native_version: 'app',
  runner: 'runner',
  storage_quota: 'organization',
  token: 'token',
  webhook: 'webhook',
};

/** What the object of an event is, by the type of the event; `null`: the type is not known here. */
export function changedKindOf(type: string): ChangedKind | null {
  const beginning = Object.keys(kinds).find((each) => type.startsWith(`${each}_`));
  return beginning === undefined ? null : (kinds[beginning] ?? null);
}
