import type { App } from '../../apps/apps/app.entity.js';
import type { BuildFormFactor } from '../../common/build-numbers.js';
import type { CertificateFile } from '../certificate-readers/reading.js';
import type { OpenedProfile } from '../provisioning-profiles/profile-secrets.service.js';
import type { ProfileType } from '../../common/provisioning-profiles.js';
import type { Certificate, CertificatePlatform } from '../certificates/certificate.entity.js';
import type { Warning } from '../../common/warnings/warning.js';
import type { ConfiguredBuildNumber } from '../configurations/version.js';
import type { Authorize, BuildOrigin } from '../use-restrictions/use-restrictions.service.js';

/** Names an object of the app; the id wins. `null` is as good as absent. */
export interface Reference {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
}

/** What a new build asks for. */
export interface BuildSettingsRequest {
  readonly app: Pick<App, 'id' | 'appEnvironmentId'>;
  readonly platform: CertificatePlatform;
  /** `null`: web builds have none. */
  readonly type: string | null;
  readonly origin: BuildOrigin;
  /** Neither id nor name: the default environment of the app, if it has one. */
  readonly environment?: Reference;
  readonly certificate?: Reference;
  readonly configuration?: Reference;
  /** Checks a permission of the build's creator, such as `(permission) => access.require(caller, appId, permission)`. */
  readonly authorize: Authorize;
}

/** What an automation asks for. */
export interface AutomationSettingsRequest extends Pick<
  BuildSettingsRequest,
  'platform' | 'environment' | 'certificate' | 'configuration' | 'authorize'
> {
  readonly appId: string;
  /** Whether one of the patterns of an object can allow one of the refs that the automation builds. */
  canMatch(patterns: readonly string[]): boolean;
}

/** Ids of what a build uses; `null`: nothing. */
export interface BuildSettings {
  readonly environmentId: string | null;
  readonly certificateId: string | null;
  readonly configurationId: string | null;
}

/** What the configuration says of a build that takes its number from the store. */
export interface StoreNumbered {
  /** `null`: as in the project. */
  readonly packageName: string | null;
  /** `null`: as the track of its destination says. */
  readonly formFactor: BuildFormFactor | null;
  /** The number is above it. */
  readonly offset: number;
}

/** What a new build uses, and what may surprise about it. */
export interface ResolvedSettings extends BuildSettings {
  /** `null`: its number is not from the store. */
  readonly storeNumbered: StoreNumbered | null;
  readonly warnings: readonly Warning[];
}

/** A build that is about to get what its environment and its certificate hold. */
export interface BuildUse extends Pick<BuildSettings, 'environmentId' | 'certificateId'> {
  readonly appId: string;
  /** Who started it; `null`: deleted. */
  readonly creatorId: string | null;
  readonly origin: BuildOrigin;
}

/** Ids of what a build uses, and which profiles sign it. */
export interface UsedSettings extends BuildSettings {
  /** `null`: none. */
  readonly profileType: ProfileType | null;
}

/** A certificate in clear. */
export interface CertificateContent extends CertificateFile {
  readonly type: Certificate['type'];
  readonly fileName: string;
  /** Of a certificate for iOS: those that sign builds of the type, the oldest first. */
  readonly profiles: readonly OpenedProfile[];
}

/** What a configuration overwrites; `null`: as in the project. */
export interface ConfigurationContent {
  readonly displayName: string | null;
  readonly packageName: string | null;
  readonly versionName: string | null;
  readonly buildNumber: ConfiguredBuildNumber | null;
}

/** What a runner needs for a build, in clear. */
export interface BuildContent {
  /** Values by key. A secret of the same key comes before a variable. */
  readonly variables: Readonly<Record<string, string>>;
  /** Values by key, to be masked in logs, as are the passwords of the certificate. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly certificate: CertificateContent | null;
  readonly configuration: ConfigurationContent | null;
}

/** `null` for a reference that names nothing. */
export function given({ id, name }: Reference = {}): { id: string } | { name: string } | null {
  if (id !== undefined && id !== null) return { id };
  return name === undefined || name === null ? null : { name };
}
