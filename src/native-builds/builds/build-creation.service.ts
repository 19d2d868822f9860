import { Injectable } from '@nestjs/common';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { type App, DEFAULT_BUILD_STACK } from '../../apps/apps/app.entity.js';
import { RepositoryRefsService, type ResolvedRef } from '../../apps/repository/repository-refs.service.js';
import { type CopiedScope, unscoped } from '../../common/access/token-scope.js';
import type { RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { ForbiddenError, InvalidRequestError, invalidField } from '../../common/errors/app-error.js';
import { matchesRef } from '../../common/ref-patterns.js';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transactions/transaction.js';
import { QueueStateService } from '../../jobs/job-queues/queue-state.service.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { BuildSettingsService } from '../build-settings/build-settings.service.js';
import type { Warning } from '../../common/warnings/warning.js';
import { BuildSourcesService } from '../build-sources/build-sources.service.js';
import { AdHocVariables } from './ad-hoc-variables.service.js';
import { BuildNumberRequests } from '../build-numbers/build-number-requests.service.js';
import { StoreBuildNumbers } from '../build-numbers/store-build-numbers.js';
import { BuildDeployments, type DeploymentTargets } from './build-deployments.js';
import type { Build } from './build.entity.js';
import { buildTypeOf, requireNative, requireWeb } from './build-types.js';
import { BuildsService } from './builds.service.js';
import type { CreateBuildDto } from './create-build.dto.js';

/** Longest message of a commit that is kept, in characters. */
export const MAX_COMMIT_MESSAGE = 1000;

/** Who starts a build. */
export interface BuildStarter {
  readonly userId: string;
  /** @throws NotFoundError @throws ForbiddenError */
  readonly require: (permission: RolePermission) => Promise<unknown>;
  /** @default a person starts it */
  readonly automation?: {
    readonly id: string;
    /** Of the token that saved it; `null`: none. */
    readonly scope: CopiedScope | null;
    /** Whether a person has asked for this build. */
    readonly isRequested: boolean;
    /** What to build: the ref is not looked up again. */
    readonly commit: ResolvedRef;
  };
}

/** A build, and what may surprise about it. */
export interface StartedBuild {
  readonly build: Build;
  readonly warnings: readonly Warning[];
}

/** Starts builds: creates the build and the job that a runner takes. */
@Injectable()
export class BuildCreationService {
  constructor(
    private readonly builds: BuildsService,
    private readonly sources: BuildSourcesService,
    private readonly settings: BuildSettingsService,
    private readonly repositories: RepositoryRefsService,
    private readonly deployments: BuildDeployments,
    private readonly storeNumbers: StoreBuildNumbers,
    private readonly numberRequests: BuildNumberRequests,
    private readonly jobs: JobsService,
    private readonly queues: QueueStateService,
    private readonly access: AppAccessService,
    private readonly adHoc: AdHocVariables,
    private readonly config: Config,
  ) {}

  /**
   * Checks the request of a person, as `prepareFor`.
   *
   * @throws as `prepareFor`
   */
  prepare(caller: Principal, app: App, body: CreateBuildDto): Promise<() => Promise<StartedBuild>> {
    const require = (permission: RolePermission) => this.access.require(caller, app.id, permission);
    return this.prepareFor({ userId: caller.userId, require }, app, body);
  }

  /**
   * Checks the request and asks the git server which commit the ref is. Call it outside of transactions.
   *
   * @returns creates the build and its job, in the running transaction; throws as this does
   * @throws NotFoundError for an unknown source, environment, certificate, configuration, channel, destination or ref
   * @throws ForbiddenError when the caller may not deploy, or not use the environment or the certificate
   * @throws InvalidRequestError when the request contradicts itself, the source cannot be built, or no runner can build it,
   *   or the store cannot be asked for its number
   */
  async prepareFor(
    starter: BuildStarter,
    app: App,
    body: CreateBuildDto,
  ): Promise<() => Promise<StartedBuild>> {
    const { platform } = body;
    const { userId, automation = null } = starter;
    const type = buildTypeOf(platform, body.type ?? null);
    requireOneSource(body);
    requireNative(platform, body.appConfigurationId ?? body.appConfigurationName ?? null);
    const targets = await this.targetsOf(starter, app, body);
    await this.requireRunner(app, body);
    const commit =
      automation?.commit ??
      (body.gitRef == null ? null : await this.repositories.resolveRef(app.id, body.gitRef, userId));
    return () =>
      transaction(async () => {
        if (automation !== null) await this.requireOpen(app, targets, automation.commit.fullName);
        const source =
          body.appBuildSourceId == null ? null : await this.sources.use(app.id, body.appBuildSourceId);
        const { warnings, storeNumbered, ...used } = await this.settings.resolveFor({
          app,
          platform,
          type,
          origin: {
            ref: commit?.fullName ?? null,
            isUpload: commit === null,
            hasOwnVariables: Object.keys(body.adHocEnvironmentVariables ?? {}).length > 0,
            automation: automation && { scope: automation.scope ?? unscoped },
          },
          authorize: starter.require,
          environment: { id: body.appEnvironmentId, name: body.appEnvironmentName },
          certificate: { id: body.appCertificateId, name: body.appCertificateName },
          configuration: { id: body.appConfigurationId, name: body.appConfigurationName },
        });
        if (storeNumbered !== null && platform !== 'web') {
          const { destinationId } = targets;
          await this.storeNumbers.requireSource({ appId: app.id, platform, destinationId, ...storeNumbered });
        }
        const build = await this.builds.create(app.id, {
          platform,
          type,
          gitRef: commit?.ref ?? null,
          gitRefFullName: commit?.fullName ?? null,
          isDefaultBranch: commit?.isDefaultBranch ?? false,
          gitCommitSha: commit?.commitSha ?? null,
          gitCommitMessage: commit?.commitMessage?.slice(0, MAX_COMMIT_MESSAGE) ?? null,
          buildSourceId: source?.id ?? null,
          ...used,
          noCache: body.noCache ?? false,
          releaseNotes: body.releaseNotes ?? null,
          automationId: automation?.id ?? null,
          automationScope: automation?.scope ?? null,
          createdBy: userId,
        });
        await this.deployments.plan(app.id, build.id, targets);
        const waits = { forSource: source?.status === 'pending', forNumber: storeNumbered !== null };
        const isAutomated = automation !== null && !automation.isRequested;
        return { build: await this.start(app, build, { ...waits, isAutomated }, body), warnings };
      });
  }

  private async start(
    app: App,
    build: Build,
    waits: { readonly forSource: boolean; readonly forNumber: boolean; readonly isAutomated: boolean },
    body: CreateBuildDto,
  ): Promise<Build> {
    const { adHocEnvironmentVariables: variables } = body;
    const job = await this.jobs.create({
      organizationId: app.organizationId,
      appId: app.id,
      kind: 'build',
      subjectId: build.id,
      platform: build.platform,
      stack: stackOf(app, body),
      labels: app.runnerLabels,
      createdBy: build.createdBy,
      isAutomated: waits.isAutomated,
      // Released when the source has been fetched, and the store has given the number after that.
      isHeld: waits.forSource || waits.forNumber,
      timeoutSeconds: this.config.jobs.timeoutSeconds,
    });
    if (waits.forNumber && !waits.forSource) {
      await this.numberRequests.request(build.id, app.organizationId);
    }
    const sealedAdHocVariables = variables == null ? null : this.adHoc.seal(build.id, variables);
    const started = await this.builds.setJob(build.id, { jobId: job.id, sealedAdHocVariables });
    await this.builds.created.notify(started);
    return started;
  }

  /** An iOS build without a runner is refused immediately: it could not start before there is one. */
  private async requireRunner(app: App, body: CreateBuildDto): Promise<void> {
    const { platform } = body;
    if (platform !== 'ios') return;
    const { id: appId, organizationId, runnerLabels: labels } = app;
    const needs = { organizationId, appId, platform, stack: stackOf(app, body), labels };
    const missing = await this.queues.missingFor(needs);
    if (missing !== null) throw new InvalidRequestError(missing, 'runner_missing');
  }

  private async targetsOf(starter: BuildStarter, app: App, body: CreateBuildDto): Promise<DeploymentTargets> {
    const ids = [...(body.appChannelId == null ? [] : [body.appChannelId]), ...(body.appChannelIds ?? [])];
    const names = ids.length > 0 ? [] : (body.appChannelNames ?? []);
    const destinationId = body.appDestinationId ?? null;
    if (ids.length + names.length === 0 && destinationId === null) return { channelIds: [], destinationId };
    await starter.require('deployments:write');
    if (destinationId !== null) await this.requireDestination(starter, app, destinationId, body);
    if (ids.length + names.length === 0) return { channelIds: [], destinationId };
    requireWeb(body.platform);
    return { channelIds: await this.deployments.channelIds(app.id, { ids, names }), destinationId };
  }

  /** @throws ForbiddenError when a target does not take automated builds of the branch or tag */
  private async requireOpen(app: App, targets: DeploymentTargets, ref: string | null): Promise<void> {
    const closed = await this.deployments.findClosed(app.id, targets, (patterns) =>
      matchesRef(patterns, ref),
    );
    if (closed !== null) throw new ForbiddenError(closed, 'use_restricted');
  }

  private async requireDestination(
    starter: BuildStarter,
    app: App,
    destinationId: string,
    { platform, releaseNotes = null }: CreateBuildDto,
  ): Promise<void> {
    await starter.require('submissions:write');
    await this.deployments.requireDestination(app.id, destinationId, { platform, releaseNotes });
  }
}

function stackOf({ buildStack }: App, { stack }: CreateBuildDto): string {
  return stack ?? buildStack ?? DEFAULT_BUILD_STACK;
}

function requireOneSource({ gitRef, appBuildSourceId }: CreateBuildDto): void {
  if ((gitRef == null) === (appBuildSourceId == null)) {
    throw invalidField('gitRef', 'Exactly one of gitRef and appBuildSourceId is required.');
  }
}
