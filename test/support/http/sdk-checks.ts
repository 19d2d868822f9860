import type { AutomationDto } from '../../../src/automations/automations/automation.dto.js';
import type { GitConnectionDto } from '../../../src/organizations/git-connections/git-connection.dto.js';
import type {
  GitNamespaceDto,
  GitRepositoryDto,
} from '../../../src/organizations/git-connections/git-repository.dto.js';
import type { FailureSummaryDto } from '../../../src/jobs/failure-summaries/failure-summary.dto.js';
import type { JobLogDto } from '../../../src/jobs/job-logs/job-log.dto.js';
import type { JobDto } from '../../../src/jobs/jobs/job.dto.js';
import type {
  BuildArtifactDto,
  SignedDownloadUrlDto,
} from '../../../src/native-builds/build-artifacts/build-artifact.dto.js';
import type { BuildSourceDto } from '../../../src/native-builds/build-sources/build-source.dto.js';
import type { BuildDto } from '../../../src/native-builds/builds/build.dto.js';
import type { CertificateDto } from '../../../src/native-builds/certificates/certificate.dto.js';
import type { ConfigurationDto } from '../../../src/native-builds/configurations/configuration.dto.js';
import type {
  EnvironmentSecretDto,
  EnvironmentVariableDto,
} from '../../../src/native-builds/environment-values/environment-value.dto.js';
import type { WebhookDto } from '../../../src/notifications/webhooks/webhook.dto.js';
import type { EnvironmentDto } from '../../../src/native-builds/environments/environment.dto.js';
import type * as sdk from './sdk-types.js';
import type { SdkObject, SdkType } from './sdk-types.js';

type Assignable<Response extends Declared, Declared> = [Response, Declared];

/** Does not compile if a response of Slipway is not what the SDK declares. */
export type SdkTypesFit = [
  Assignable<BuildDto, SdkType<typeof sdk.sdkBuild>>,
  Assignable<BuildArtifactDto, SdkType<typeof sdk.sdkArtifact>>,
  Assignable<SignedDownloadUrlDto, SdkType<typeof sdk.sdkSignedUrl>>,
  Assignable<BuildSourceDto, SdkType<typeof sdk.sdkBuildSource>>,
  Assignable<JobDto, SdkType<typeof sdk.sdkJob>>,
  Assignable<JobLogDto, SdkType<typeof sdk.sdkJobLog>>,
  Assignable<FailureSummaryDto, SdkType<typeof sdk.sdkFailureSummary>>,
  Assignable<CertificateDto, SdkType<typeof sdk.sdkCertificate>>,
  Assignable<EnvironmentDto, SdkType<typeof sdk.sdkEnvironment>>,
  Assignable<EnvironmentVariableDto, SdkType<typeof sdk.sdkVariable>>,
  Assignable<EnvironmentSecretDto, SdkType<typeof sdk.sdkSecret>>,
  Assignable<ConfigurationDto, SdkType<typeof sdk.sdkConfiguration>>,
  Assignable<GitConnectionDto, SdkType<typeof sdk.sdkGitConnection>>,
  Assignable<GitRepositoryDto, SdkType<typeof sdk.sdkGitRepository>>,
  Assignable<GitNamespaceDto, SdkType<typeof sdk.sdkGitNamespace>>,
  Assignable<AutomationDto, SdkType<typeof sdk.sdkAutomation>>,
  // Those of organizations, which the SDK does not know, have no app.
  Assignable<WebhookDto & { appId: string }, SdkType<typeof sdk.sdkWebhook>>,
];

/** What is wrong in a response, by field. */
function faultsOf(declared: SdkObject, value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['is no object'];
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.entries(declared).flatMap(([name, kind]) => {
    const isFine = Array.isArray(kind) ? kind.includes(fields[name]) : checks[kind as string]?.(fields[name]);
    return isFine === true ? [] : [`${name} is ${JSON.stringify(fields[name])}, not ${String(kind)}`];
  });
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isTime = (value: unknown): boolean =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;

const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: isText,
  'text or null': (value) => value === null || isText(value),
  'text or absent': (value) => value === undefined || isText(value),
  time: isTime,
  'time or null': (value) => value === null || isTime(value),
  number: isNumber,
  'number or null': (value) => value === null || isNumber(value),
  flag: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(isText),
};

/** Expects a response to have every field that the SDK declares, with its type. @returns it with this type */
export function expectSdk<S extends SdkObject>(declared: S, value: unknown): SdkType<S> {
  expect(faultsOf(declared, value)).toEqual([]);
  return value as SdkType<S>;
}

/** The same for a list, which must not be empty. */
export function expectSdkList<S extends SdkObject>(declared: S, value: unknown): SdkType<S>[] {
  expect(value).toEqual(expect.arrayContaining([expect.anything()]));
  return (value as unknown[]).map((each) => expectSdk(declared, each));
}
