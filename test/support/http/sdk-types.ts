/*
 * What the Node SDK (`@capawesome/cloud-sdk` 0.1.3) declares that responses contain. Other fields may be there. The SDK is
 * not a dependency of this repository, so these are facts from its published source.
 */

/** Kinds of values; `null` and absence only where the name says it. A list names all texts. */
type Kind =
  | 'text'
  | 'text or null'
  | 'text or absent'
  | 'time'
  | 'time or null'
  | 'number'
  | 'number or null'
  | 'flag'
  | 'texts'
  | readonly string[];

/** The fields of an object. */
export type SdkObject = Readonly<Record<string, Kind>>;

type ValueOf<K> = K extends readonly string[]
  ? K[number]
  : K extends 'text' | 'time' | 'text or absent'
    ? string
    : K extends 'text or null' | 'time or null'
      ? string | null
      : K extends 'number'
        ? number
        : K extends 'number or null'
          ? number | null
          : K extends 'flag'
            ? boolean
            : K extends 'texts'
              ? string[]
              : never;

type AbsentKeys<S> = { [N in keyof S]: S[N] extends 'text or absent' ? N : never }[keyof S];

/** The TypeScript type that an object has in the SDK. */
export type SdkType<S extends SdkObject> = { [N in Exclude<keyof S, AbsentKeys<S>>]: ValueOf<S[N]> } & {
  [N in AbsentKeys<S>]?: string;
};

const platforms = ['android', 'ios', 'web'] as const;
const changes = { createdAt: 'time', updatedAt: 'time' } as const;

export const sdkBuild = {
  id: 'text',
  appId: 'text',
  platform: platforms,
  type: 'text or null',
  jobId: 'text or null',
  appBuildArtifactId: 'text or null',
  packageName: 'text or null',
  packageVersion: 'text or null',
  numberAsString: 'text',
  ...changes,
} as const;

export const sdkArtifact = {
  id: 'text',
  appBuildId: 'text',
  type: ['aab', 'apk', 'app', 'dsym', 'ipa', 'manifest', 'xcarchive', 'zip'],
  status: ['pending', 'ready'],
  totalSizeInBytes: 'number or null',
  totalDownloads: 'number',
  ...changes,
} as const;

export const sdkSignedUrl = { url: 'text', expiresAt: 'number' } as const;

export const sdkBuildSource = {
  id: 'text',
  type: ['archive', 'git'],
  status: ['pending', 'ready'],
  fileSizeInBytes: 'number or null',
  fileUrl: 'text or null',
  createdAt: 'time',
} as const;

/** The SDK names two stacks of macOS. Slipway has all stacks that runners have, and none (`''`) for jobs without a runner. */
export const sdkJob = {
  id: 'text',
  appId: 'text',
  status: ['queued', 'pending', 'in_progress', 'succeeded', 'failed', 'canceled', 'rejected', 'timed_out'],
  stack: 'text',
  appBuildId: 'text or null',
  appDeploymentId: 'text or null',
  finishedAt: 'time or null',
  createdAt: 'time',
} as const;

export const sdkJobLog = { jobId: 'text', number: 'number', payload: 'text', timestamp: 'time' } as const;

export const sdkFailureSummary = { summary: 'text' } as const;

export const sdkCertificate = {
  id: 'text',
  appId: 'text',
  name: 'text',
  platform: platforms,
  type: ['development', 'production'],
  fileName: 'text',
  ...changes,
} as const;

export const sdkEnvironment = { id: 'text', appId: 'text', name: 'text', ...changes } as const;

export const sdkSecret = { id: 'text', appEnvironmentId: 'text', key: 'text', ...changes } as const;

export const sdkVariable = { ...sdkSecret, value: 'text' } as const;

export const sdkConfiguration = {
  id: 'text',
  appId: 'text',
  name: 'text',
  displayName: 'text or null',
  packageName: 'text or null',
  ...changes,
} as const;

export const sdkGitConnection = {
  id: 'text',
  organizationId: 'text',
  name: 'text',
  provider: ['azure_devops', 'bitbucket', 'gitea', 'git_http', 'github', 'gitlab'],
  authKind: ['basic', 'github_app', 'oauth', 'token'],
  authUsername: 'text or null',
  baseUrl: 'text or null',
  restricted: 'flag',
  brokenAt: 'time or null',
  lastUsedAt: 'time or null',
  ...changes,
} as const;

export const sdkGitRepository = {
  id: 'text',
  name: 'text',
  namespace: 'text',
  path: 'text',
  private: 'flag',
  webUrl: 'text',
  defaultBranch: 'text or absent',
} as const;

export const sdkGitNamespace = {
  id: 'text',
  name: 'text',
  slug: 'text',
  kind: ['user', 'organization', 'group', 'workspace', 'project'],
  parent: 'text or absent',
  avatarUrl: 'text or absent',
} as const;

/** The SDK names four types of events. Slipway has more, and `*`. */
export const sdkWebhook = {
  id: 'text',
  appId: 'text',
  name: 'text',
  url: 'text',
  events: 'texts',
  format: ['discord', 'raw', 'slack', 'teams'],
  enabled: 'flag',
  ...changes,
} as const;

/** The SDK names two types of triggers. */
export const sdkAutomation = {
  id: 'text',
  appId: 'text',
  name: 'text',
  platform: platforms,
  enabled: 'flag',
  triggerType: ['branch', 'tag', 'manual', 'schedule'],
  triggerPattern: 'text or null',
  commitMessagePattern: 'text or null',
  buildType: 'text or null',
  buildStack: 'text or null',
  appCertificateId: 'text or null',
  appChannelId: 'text or null',
  appConfigurationId: 'text or null',
  appDestinationId: 'text or null',
  appEnvironmentId: 'text or null',
  lastTriggeredAt: 'time or null',
  createdBy: 'text or null',
  updatedBy: 'text or null',
  ...changes,
} as const;
