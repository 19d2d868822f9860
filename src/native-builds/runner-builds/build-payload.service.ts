import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/apps/app.entity.js';
import { AppsService } from '../../apps/apps/apps.service.js';
import { RepositoryRefsService } from '../../apps/repository/repository-refs.service.js';
import type { Lease } from '../../jobs/job-leases/lease.js';
import { JobLeasesService } from '../../jobs/runner-jobs/job-leases.service.js';
import { JobMasks } from '../../jobs/job-logs/job-masks.service.js';
import type { Job } from '../../jobs/jobs/job.entity.js';
import { BuildSettingsService } from '../build-settings/build-settings.service.js';
import { profileTypeOf } from '../build-settings/build-certificates.service.js';
import type {
  BuildContent,
  ConfigurationContent,
  CertificateContent,
} from '../build-settings/build-settings.js';
import { BuildSourcesService, type ReadyBuildSource } from '../build-sources/build-sources.service.js';
import { NUMBER_OF_BUILD, NUMBER_OF_STORE } from '../configurations/version.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { AdHocVariables } from '../builds/ad-hoc-variables.service.js';
import type { Build } from '../builds/build.entity.js';
import { BuildsService } from '../builds/builds.service.js';
import type { OpenedProfile } from '../provisioning-profiles/profile-secrets.service.js';
import { BuildUses } from './build-uses.service.js';
import type {
  BuildPayloadDto,
  PayloadSourceDto,
  PayloadCertificateDto,
  PayloadProfileDto,
} from './build-payload.dto.js';

/** Shorter texts would mask parts of words everywhere. */
const MIN_MASKED_LENGTH = 4;

/** What a runner gets for a build, in clear: only the one that holds the lease of its job. */
@Injectable()
export class BuildPayloadService {
  constructor(
    private readonly builds: BuildsService,
    private readonly apps: AppsService,
    private readonly leases: JobLeasesService,
    private readonly masks: JobMasks,
    private readonly settings: BuildSettingsService,
    private readonly sources: BuildSourcesService,
    private readonly repositories: RepositoryRefsService,
    private readonly blobs: BlobsService,
    private readonly adHoc: AdHocVariables,
    private readonly uses: BuildUses,
  ) {}

  /**
   * The audit log records that secrets were read. A build that may no longer use its environment or its certificate
   * gets nothing: its job fails.
   *
   * @throws GoneError when the lease is lost, also because the job has failed
   * @throws NotFoundError when the build, its source or its environment has been deleted in the meantime
   */
  async get(lease: Lease): Promise<BuildPayloadDto> {
    await this.uses.requireAll(lease);
    const { job, build, app, content } = await this.leases.hold(lease, async (locked) => {
      const found = await this.buildOf(lease);
      const owner = await this.apps.get(lease.appId);
      return {
        job: locked,
        build: found,
        app: owner,
        content: await this.contentOf(found, lease.organizationId),
      };
    });
    const source = await this.sourceOf(build);
    const authorization = source.type === 'git' ? (source.credential?.authorization ?? null) : null;
    const masks = masksIn(content, authorization);
    // Before the runner has them: they may change while it does.
    await this.leases.hold(lease, (locked) => this.masks.keep(locked, masks));
    const ownVariables = this.adHoc.of(build);
    return {
      job: toPayloadJob(job, build, lease),
      app: { id: app.id, name: app.name, type: app.type },
      build: {
        id: build.id,
        numberAsString: String(build.number),
        platform: build.platform,
        type: build.type,
        gitRef: build.gitRef,
        gitCommitSha: build.gitCommitSha,
        isDefaultBranch: build.isDefaultBranch,
        cacheKey: cacheKeyOf(build, app),
        mayWriteCache: build.isDefaultBranch && Object.keys(ownVariables).length === 0,
        noCache: build.noCache,
      },
      source,
      environment: { ...content.variables, ...ownVariables, ...variablesOf(build) },
      secrets: { ...content.secrets },
      certificate: toPayloadCertificate(content.certificate),
      configuration: toPayloadConfiguration(content.configuration, build),
      masks,
    };
  }

  /** The source that the runner downloads. @throws NotFoundError when the build is one of a commit */
  async archive(lease: Lease): Promise<ReadyBuildSource> {
    const build = await this.leases.hold(lease, () => this.buildOf(lease));
    return this.sources.getReady(build.appId, build.buildSourceId ?? '');
  }

  /** The texts that must not appear in the log of a build. */
  masksOf(build: Build): Promise<string[]> {
    const { appId, environmentId } = build;
    return this.settings.secretsOf(appId, { environmentId, certificateId: usedCertificateOf(build) });
  }

  private contentOf(build: Build, organizationId: string): Promise<BuildContent> {
    const { environmentId, configurationId } = build;
    const certificateId = usedCertificateOf(build);
    const profileType = profileTypeOf(build.platform, build.type);
    return this.settings.contentOf(
      { id: build.appId, organizationId },
      { environmentId, certificateId, configurationId, profileType },
    );
  }

  private async sourceOf(build: Build): Promise<PayloadSourceDto> {
    if (build.buildSourceId === null) {
      const checkout = await this.repositories.checkoutOf(build.appId);
      return {
        type: 'git',
        ...checkout,
        ref: build.gitRef ?? '',
        fullRef: build.gitRefFullName,
        commitSha: build.gitCommitSha ?? '',
      };
    }
    const { blobId } = await this.sources.getReady(build.appId, build.buildSourceId);
    const { sizeInBytes, sha256 } = await this.blobs.get(blobId);
    return { type: 'archive', downloadPath: '/v1/runner/job/source', sizeInBytes, sha256 };
  }

  private buildOf(lease: Lease): Promise<Build> {
    return this.builds.getByJob(lease.appId, lease.jobId);
  }
}

/** The key that signs live updates stays on the server, and apps for simulators are not signed. */
function usedCertificateOf({ platform, type, certificateId }: Build): string | null {
  const isSigned = platform === 'ios' ? profileTypeOf(platform, type) !== null : platform !== 'web';
  return isSigned ? certificateId : null;
}

/** Caches that were dropped have another key than those that come after them. */
function cacheKeyOf({ environmentId }: Build, { buildCacheGeneration }: App): string {
  const name = environmentId ?? 'none';
  return buildCacheGeneration === 0 ? name : `${name}-v${buildCacheGeneration}`;
}

/** What every build finds in its environment. Users cannot set these. */
function variablesOf(build: Build): Record<string, string> {
  return {
    CI: 'true',
    CI_APP_ID: build.appId,
    CI_BUILD_ID: build.id,
    CI_BUILD_NUMBER: String(build.number),
    CI_PLATFORM: build.platform,
    CI_GIT_REFERENCE: build.gitRef ?? '',
    CI_GIT_COMMIT_SHA: build.gitCommitSha ?? '',
    CI_GIT_COMMIT_MESSAGE: build.gitCommitMessage ?? '',
  };
}

function toPayloadJob(job: Job, { platform }: Build, lease: Lease): BuildPayloadDto['job'] {
  const { id, kind, stack, timeoutSeconds } = job;
  return { id, kind, platform, stack: stack ?? '', timeoutSeconds, attempt: lease.attempt };
}

function toPayloadConfiguration(
  configuration: ConfigurationContent | null,
  { number, storeBuildNumber }: Build,
): BuildPayloadDto['configuration'] {
  if (configuration === null) return null;
  const { buildNumber } = configuration;
  if (buildNumber === NUMBER_OF_STORE) return { ...configuration, buildNumber: storeBuildNumber };
  return { ...configuration, buildNumber: buildNumber === NUMBER_OF_BUILD ? number : buildNumber };
}

function masksIn({ secrets, certificate }: BuildContent, authorization: string | null): string[] {
  const texts = [
    ...Object.values(secrets),
    certificate?.password ?? '',
    certificate?.keyPassword ?? '',
    ...(authorization === null ? [] : credentialsIn(authorization)),
  ];
  return [...new Set(texts.filter((text) => text.length >= MIN_MASKED_LENGTH))];
}

/** The value of the header without its scheme, and the password in it. */
function credentialsIn(authorization: string): string[] {
  const [scheme = '', credentials = ''] = authorization.split(' ', 2);
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  const text = Buffer.from(credentials, 'base64').toString();
  return [credentials, text.slice(text.indexOf(':') + 1)];
}

/** A certificate for the runner that builds with it. */
function toPayloadCertificate(content: CertificateContent | null): PayloadCertificateDto | null {
  if (content === null) return null;
  return {
    type: content.type,
    fileName: content.fileName,
    file: content.file.toString('base64'),
    password: content.password,
    keyAlias: content.keyAlias,
    keyPassword: content.keyPassword,
    profiles: content.profiles.map(toPayloadProfile),
  };
}

function toPayloadProfile({ profile, file }: OpenedProfile): PayloadProfileDto {
  const { uuid, name, type, teamId, bundleId, expiresAt, certificateFingerprints } = profile;
  return {
    uuid,
    name,
    type,
    teamId,
    bundleId,
    expiresAt: expiresAt.toISOString(),
    certificateFingerprints,
    file: file.toString('base64'),
  };
}
