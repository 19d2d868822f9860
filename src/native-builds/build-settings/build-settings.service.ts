import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/apps/app.entity.js';
import { ConflictError } from '../../common/errors/app-error.js';
import { ActivitiesService } from '../../organizations/activities/activities.service.js';
import { CertificatesService } from '../certificates/certificates.service.js';
import type { Configuration } from '../configurations/configuration.entity.js';
import { ConfigurationsService } from '../configurations/configurations.service.js';
import { NUMBER_OF_STORE, toConfiguredBuildNumber } from '../configurations/version.js';
import { EnvironmentValuesService } from '../environment-values/environment-values.service.js';
import { EnvironmentsService } from '../environments/environments.service.js';
import {
  type Restricted,
  type UsePermission,
  UseRestrictionsService,
} from '../use-restrictions/use-restrictions.service.js';
import { BuildCertificates } from './build-certificates.service.js';
import {
  type AutomationSettingsRequest,
  type BuildContent,
  type BuildSettings,
  type BuildSettingsRequest,
  type BuildUse,
  given,
  type ResolvedSettings,
  type StoreNumbered,
  type UsedSettings,
} from './build-settings.js';

/** The environment, the certificate and the configuration of builds: which ones, and what they hold. */
@Injectable()
export class BuildSettingsService {
  constructor(
    private readonly environments: EnvironmentsService,
    private readonly values: EnvironmentValuesService,
    private readonly certificates: CertificatesService,
    private readonly buildCertificates: BuildCertificates,
    private readonly configurations: ConfigurationsService,
    private readonly restrictions: UseRestrictionsService,
    private readonly activities: ActivitiesService,
  ) {}

  /**
   * Finds what a new build asks for, and checks that it may use it.
   *
   * @throws NotFoundError when the app has no such object
   * @throws InvalidRequestError when the certificate is for another platform, its name is that of several, or the build cannot
   *   be signed with it
   * @throws ForbiddenError when an object is restricted to other branches and tags, or protected
   * @throws ConflictError when the secrets of the environment have too many lines
   */
  async resolveFor(request: BuildSettingsRequest): Promise<ResolvedSettings> {
    const environmentId = await this.environmentOf(request);
    const certificate = await this.buildCertificates.resolve(request);
    const reference = given(request.configuration);
    const configuration = reference && (await this.configurations.resolve(request.app.id, reference));
    const warnings = await this.buildCertificates.check(request, certificate, configuration);
    const configurationId = configuration?.id ?? null;
    return {
      environmentId,
      certificateId: certificate?.id ?? null,
      configurationId,
      storeNumbered: toStoreNumbered(configuration),
      warnings,
    };
  }

  /**
   * Finds what the builds of an automation are to use, and checks that they may, before there is a build.
   *
   * @throws NotFoundError when the app has no such object
   * @throws InvalidRequestError when the certificate is for another platform, or no build may use an object
   * @throws ForbiddenError when an object is protected, and the user who saves the automation may not use it
   */
  async resolveForAutomation(request: AutomationSettingsRequest): Promise<BuildSettings> {
    const { appId, platform, authorize, canMatch } = request;
    const [environment, certificate, configuration] = [
      given(request.environment),
      given(request.certificate),
      given(request.configuration),
    ];
    const usedEnvironment = environment && (await this.environments.resolve(appId, environment));
    if (usedEnvironment !== null) {
      const field = 'appEnvironmentId';
      const check = { field, canMatch };
      await this.restrictions.authorizeAutomation(authorize, 'environments:use', usedEnvironment, check);
    }
    const usedCertificate = certificate && (await this.buildCertificates.find(appId, platform, certificate));
    if (usedCertificate !== null) {
      const check = { field: 'appCertificateId', canMatch };
      await this.restrictions.authorizeAutomation(authorize, 'certificates:use', usedCertificate, check);
    }
    const usedConfiguration = configuration && (await this.configurations.resolve(appId, configuration));
    return {
      environmentId: usedEnvironment?.id ?? null,
      certificateId: usedCertificate?.id ?? null,
      configurationId: usedConfiguration?.id ?? null,
    };
  }

  /** Whether a build takes its number from the store, as its configuration says now. @returns `null`: it does not */
  async storeNumbered({
    appId,
    configurationId,
  }: Pick<BuildSettings, 'configurationId'> & { readonly appId: string }): Promise<StoreNumbered | null> {
    if (configurationId === null) return null;
    return toStoreNumbered(await this.configurations.get(appId, configurationId));
  }

  /**
   * Checks again that a build may use its environment and its certificate, before it gets what they hold.
   *
   * @returns why it no longer may, in a sentence; `null`: it may
   * @throws NotFoundError when something has been deleted in the meantime
   */
  async findLostUse(use: BuildUse): Promise<string | null> {
    const { appId, creatorId, origin, environmentId, certificateId } = use;
    const environment = environmentId && (await this.environments.get(appId, environmentId));
    const certificate = certificateId && (await this.certificates.get(appId, certificateId));
    const find = (permission: UsePermission, used: Restricted): Promise<string | null> =>
      this.restrictions.findLostUse(creatorId, permission, used, origin);
    const lost = environment
      ? ((await find('environments:use', environment)) ?? (await this.values.excessLines(environment)))
      : null;
    return lost ?? (certificate ? await find('certificates:use', certificate) : null);
  }

  /**
   * What a build uses, in clear, for the runner that holds its lease. The audit log records it.
   *
   * @throws NotFoundError when something has been deleted in the meantime
   */
  async contentOf(
    app: Pick<App, 'id' | 'organizationId'>,
    { environmentId, certificateId, configurationId, profileType }: UsedSettings,
  ): Promise<BuildContent> {
    const environment = environmentId === null ? null : { appId: app.id, id: environmentId };
    const variables = environment === null ? [] : await this.values.list('variable', environment);
    const secrets = environment === null ? [] : await this.values.openSecrets(environment);
    const certificate =
      certificateId === null ? null : await this.buildCertificates.open(app.id, certificateId, profileType);
    const configuration =
      configurationId === null ? null : await this.configurations.get(app.id, configurationId);
    await this.recordReading(app, { environmentId, certificateId, configurationId }, secrets.length);
    return {
      variables: Object.fromEntries(variables.map(({ key, value }) => [key, value])),
      secrets: Object.fromEntries(secrets),
      certificate,
      configuration: configuration && {
        displayName: configuration.displayName,
        packageName: configuration.packageName,
        versionName: configuration.versionName,
        buildNumber: toConfiguredBuildNumber(configuration.buildNumber),
      },
    };
  }

  /**
   * The texts that the log of a build must not show. They stay in this server, so nothing is recorded. What has been
   * deleted in the meantime has none.
   */
  async secretsOf(
    appId: string,
    { environmentId, certificateId }: Pick<BuildSettings, 'environmentId' | 'certificateId'>,
  ): Promise<string[]> {
    const secrets = environmentId === null ? [] : await this.values.openSecrets({ appId, id: environmentId });
    const passwords =
      certificateId === null ? [] : await this.buildCertificates.passwordsOf(appId, certificateId);
    return [...secrets.map(([, value]) => value), ...passwords];
  }

  /**
   * The private key that a web certificate signs with, as PKCS#8 in DER. The audit log records the read.
   *
   * @throws as `CertificatesService.signingKeyOf`
   */
  async signingKeyOf(app: Pick<App, 'id' | 'organizationId'>, certificateId: string): Promise<Buffer> {
    const signingKey = await this.certificates.signingKeyOf(app, certificateId);
    await this.recordReading(app, { environmentId: null, certificateId, configurationId: null }, 0);
    return signingKey;
  }

  private async environmentOf({
    app,
    origin,
    environment,
    authorize,
  }: BuildSettingsRequest): Promise<string | null> {
    // The environment of an app may hold secrets that not every branch is for: automations name theirs.
    const byDefault = origin.automation === null ? app.appEnvironmentId : null;
    const reference = given(environment) ?? (byDefault === null ? null : { id: byDefault });
    if (reference === null) return null;
    const found = await this.environments.resolve(app.id, reference);
    await this.restrictions.authorizeUse(authorize, 'environments:use', found, origin);
    const excess = await this.values.excessLines(found);
    if (excess !== null) throw new ConflictError(excess, 'environment_full');
    return found.id;
  }

  /** Before anything is handed out: what is not recorded is not read. */
  private async recordReading(
    { id: appId, organizationId }: Pick<App, 'id' | 'organizationId'>,
    { environmentId, certificateId }: BuildSettings,
    secrets: number,
  ): Promise<void> {
    if (environmentId !== null && secrets > 0) {
      const detail = environmentId;
      await this.activities.record({
        kind: 'environment-secrets-read',
        organizationId,
        appId,
        count: secrets,
        detail,
      });
    }
    if (certificateId !== null) {
      await this.activities.record({
        kind: 'certificate-read',
        organizationId,
        appId,
        detail: certificateId,
      });
    }
  }
}

function toStoreNumbered(configuration: Configuration | null): StoreNumbered | null {
  if (configuration?.buildNumber !== NUMBER_OF_STORE) return null;
  const { packageName, formFactor, buildNumberOffset } = configuration;
  return { packageName, formFactor, offset: buildNumberOffset ?? 0 };
}
