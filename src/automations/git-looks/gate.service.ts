import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { App } from '../../apps/apps/app.entity.js';
import {
  type DescribedCommit,
  RepositoryRefsService,
  type ResolvedRef,
} from '../../apps/repository/repository-refs.service.js';
import type { RolePermission } from '../../common/access/permissions.js';
import {
  AppError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  ServerBusyError,
} from '../../common/errors/app-error.js';
import { BRANCHES, TAGS } from '../../common/ref-patterns.js';
import { insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { EventsService } from '../../events/events.service.js';
import type { RemoteRefs } from '../../organizations/git-remotes/remote-refs.js';
import {
  BuildCreationService,
  MAX_COMMIT_MESSAGE,
  type StartedBuild,
} from '../../native-builds/builds/build-creation.service.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import type { CreateBuildDto } from '../../native-builds/builds/create-build.dto.js';
import { AutomationStops } from '../automations/automation-stops.service.js';
import type { Automation } from '../automations/automation.entity.js';
import { AutomationsService } from '../automations/automations.service.js';
import { triggerMatcher } from '../automations/trigger.js';
import { AutomationAuthority } from './automation-authority.service.js';
import { findSkip, type Skip, SKIPPED_BY_MESSAGE, skipsCi } from './commit-messages.js';
import { GitEvent } from './git-event.entity.js';
import { automationLimited, automationStarted, gitPush, gitTag } from './git-looks.events.js';
import { GitLooksQueries } from './git-looks.queries.js';

/** Most refs of one automation that one look builds. */
const MAX_CHANGES = 10;
/** Most builds of one automation in an hour: a build script that pushes starts itself. */
const MAX_BUILDS_PER_HOUR = 30;
/** Refs that are matched before other requests are served, and how long all may take, in milliseconds. */
const SLICE = 20;
const MATCHING_MS = 10_000;

/** A branch or tag that leads to another commit than the one decided last. */
interface Tip {
  readonly ref: string;
  readonly sha: string;
}

/** One that a look has found. */
interface ChangedTip extends Tip {
  /** The commit decided last, when the look compared them; `null`: none. */
  readonly former: string | null;
}

/** With its message; `null`: the server does not say. */
interface NotedTip extends ChangedTip {
  readonly message: string | null;
}

/** What a look came to. */
export interface PassedRefs {
  readonly changed: readonly string[];
  /** Whether another look, or a request, has decided some of them at the same time: only the next look knows what is right. */
  readonly isStale: boolean;
}

/** The one place that decides whether a commit is built: each tip once, under the lock of its automation. */
@Injectable()
export class Gate {
  constructor(
    @InjectRepository(GitEvent) private readonly gitEvents: Repository<GitEvent>,
    private readonly automations: AutomationsService,
    private readonly stops: AutomationStops,
    private readonly authority: AutomationAuthority,
    private readonly queries: GitLooksQueries,
    private readonly repositories: RepositoryRefsService,
    private readonly creation: BuildCreationService,
    private readonly builds: BuildsService,
    private readonly events: EventsService,
  ) {}

  /**
   * Records the refs of an automation that was saved, or decides those that have changed. Call it outside of transactions.
   *
   * @param automation that may do what it does
   * @param refs all refs that it may match, as they are now
   * @throws AppError when the git server cannot be used: then nothing is decided
   */
  async pass(app: App, automation: Automation, refs: RemoteRefs): Promise<PassedRefs> {
    const present = await matchingRefs(automation, refs.commits);
    if (automation.refsRecordedAt === null) {
      await this.record(automation, present);
      return { changed: [], isStale: false };
    }
    const decided = await this.queries.decidedOf(automation.id);
    const changed = [...present]
      .filter(([ref, sha]) => decided.get(ref) !== sha)
      .map(([ref, sha]) => ({ ref, sha, former: decided.get(ref) ?? null }));
    let isStale = false;
    if (changed.length > MAX_CHANGES) isStale = !(await this.skipAll(automation, changed));
    else {
      for (const tip of changed) {
        if (!(await this.decide(app, automation, tip, refs.defaultBranch))) isStale = true;
      }
    }
    return { changed: changed.map(({ ref }) => ref), isStale };
  }

  /**
   * Starts a build, and notes it as the decision about its ref. Call it in a transaction.
   *
   * @param commitSha what is built, which is the tip unless that says that it is not to be built
   * @param create from `BuildCreationService`
   */
  async start(
    automation: Automation,
    { ref, sha }: Tip,
    commitSha: string,
    create: () => Promise<StartedBuild>,
    isRequested: boolean,
  ): Promise<StartedBuild> {
    const started = await create();
    if (!isRequested) await this.builds.replaceQueued(started.build);
    const { id: automationId, appId, name: appAutomationName } = automation;
    const buildId = started.build.id;
    await this.queries.decide(automationId, new Map([[ref, sha]]), 'built');
    await this.automations.noteStart(automationId);
    const event = { appId, automationId, ref, commitSha, isRequested, buildId };
    await insertOrThrow(this.gitEvents, { ...event, outcome: 'built' });
    const data = {
      appAutomationId: automationId,
      appAutomationName,
      appBuildId: buildId,
      gitRef: ref,
      gitCommitSha: commitSha,
    };
    await this.events.record(automationStarted, { appId, objectId: automationId, data });
    return started;
  }

  /** The body of the request that a build of an automation is. */
  bodyOf(automation: Automation, ref: string): CreateBuildDto {
    return {
      platform: automation.platform,
      type: automation.buildType,
      stack: automation.buildStack,
      gitRef: ref,
      appEnvironmentId: automation.environmentId,
      appCertificateId: automation.certificateId,
      appConfigurationId: automation.configurationId,
      appDestinationId: automation.destinationId,
      appChannelIds: [...automation.channelIds],
    };
  }

  private record(automation: Automation, present: ReadonlyMap<string, string>): Promise<void> {
    return transaction(async () => {
      if (!(await this.automations.lockUnchanged(automation))) return;
      await this.queries.forget(automation.id);
      await this.queries.decide(automation.id, present, 'recorded');
      await this.automations.noteRecord(automation.id);
    });
  }

  /** @returns false: it was decided at the same time */
  private async decide(
    app: App,
    automation: Automation,
    tip: ChangedTip,
    defaultBranch: string | null,
  ): Promise<boolean> {
    const { ref, former } = tip;
    const userId = automation.savedByUserId ?? '';
    // Commits of a branch that were pushed before one with [skip ci] are still to be built; a tag is for its own commit.
    const isPassed = ({ message }: DescribedCommit): boolean => ref.startsWith(BRANCHES) && skipsCi(message);
    const read = await this.repositories.readCommit(app.id, tip.sha, userId, { isPassed, until: former });
    if (read.isOtherRepository) {
      await this.stops.stop(automation.id, 'Another repository has the path of the repository now.');
      return true;
    }
    const { sha: commitSha, message: commitMessage } = read.commit;
    const noted = { ...tip, message: read.tip.message };
    const skip = findSkip(automation, read);
    if (skip !== null) return this.skip(automation, noted, skip);
    const isDefaultBranch = defaultBranch !== null && ref === `${BRANCHES}${defaultBranch}`;
    const resolved = { ref, fullName: ref, commitSha, commitMessage, isDefaultBranch };
    try {
      const create = await this.prepare(app, automation, resolved);
      return await this.withLock(automation, [tip], async () => {
        if ((await this.queries.buildsOfLastHour(app.id, automation.id)) >= MAX_BUILDS_PER_HOUR) {
          const limit = `${MAX_BUILDS_PER_HOUR} builds within an hour`;
          await this.stops.stop(
            automation.id,
            `It has started ${limit}: maybe its builds push to the repository.`,
          );
          return;
        }
        await this.notePush(automation.appId, noted);
        if (commitSha !== tip.sha) await this.noteSkip(automation, [tip], SKIPPED_BY_MESSAGE);
        await this.start(automation, tip, commitSha, create, false);
      });
    } catch (error) {
      return this.refuse(automation, noted, error);
    }
  }

  /** Ends the automation, or decides that the tip is not built, as an error of `prepare` says. @throws the error, if it will pass */
  private async refuse(automation: Automation, tip: NotedTip, error: unknown): Promise<boolean> {
    if (!(error instanceof AppError) || error.status >= 500 || error instanceof ServerBusyError) throw error;
    const isLost = error instanceof ForbiddenError && error.code !== 'use_restricted';
    if (error instanceof NotFoundError || isLost) {
      await this.stops.stop(automation.id, error.message);
      return true;
    }
    const reason = error.code === 'use_restricted' ? 'ref_not_allowed' : 'refused';
    return this.skip(automation, tip, { reason, message: error.message });
  }

  private prepare(
    app: App,
    automation: Automation,
    commit: ResolvedRef,
  ): Promise<() => Promise<StartedBuild>> {
    const starter = {
      userId: automation.savedByUserId ?? '',
      require: (permission: RolePermission) => this.authority.require(automation, permission),
      automation: { id: automation.id, scope: automation.scope, isRequested: false, commit },
    };
    return this.creation.prepareFor(starter, app, this.bodyOf(automation, commit.ref));
  }

  /** Nothing is built when more refs change at once than people push, as with `git push --tags`. */
  private skipAll(automation: Automation, tips: readonly ChangedTip[]): Promise<boolean> {
    return this.withLock(automation, tips, async (current) => {
      const message = `${current.length} branches or tags have changed at once, and at most ${MAX_CHANGES} are built: build those that you want with POST …/run.`;
      await this.noteDecision(automation, current, { reason: 'limit', message });
      const { id, appId, name: appAutomationName, savedByUserId: userId } = automation;
      const data = { appAutomationId: id, appAutomationName, userId, changes: current.length };
      await this.events.record(automationLimited, { appId, objectId: id, userId: null, data });
    });
  }

  /** Decides a tip that is not built. */
  private skip(automation: Automation, tip: NotedTip, skip: Skip): Promise<boolean> {
    return this.withLock(automation, [tip], async () => {
      await this.notePush(automation.appId, tip);
      await this.noteDecision(automation, [tip], skip);
    });
  }

  private async noteDecision(automation: Automation, tips: readonly Tip[], skip: Skip): Promise<void> {
    const decided = new Map(tips.map(({ ref, sha }) => [ref, sha]));
    await this.queries.decide(automation.id, decided, 'skipped');
    await this.noteSkip(automation, tips, skip);
  }

  /** Notes why tips are not built, with one event. It names the tip, if it is about a single one. */
  private async noteSkip(
    automation: Automation,
    tips: readonly Tip[],
    { reason, message }: Skip,
  ): Promise<void> {
    const { id: automationId, appId } = automation;
    const [only, ...others] = tips;
    const about = only === undefined || others.length > 0 ? {} : { ref: only.ref, commitSha: only.sha };
    const event = { appId, automationId, ...about, reason, message };
    await insertOrThrow(this.gitEvents, { ...event, outcome: 'skipped' });
  }

  /** Records that a ref has changed, unless another automation of the app has seen this commit of it. */
  private async notePush(appId: string, { ref, sha, message }: NotedTip): Promise<void> {
    if (await this.queries.isKnown(appId, ref, sha)) return;
    const gitCommitMessage = message?.slice(0, MAX_COMMIT_MESSAGE) ?? null;
    const data = { appId, gitRef: ref, gitCommitSha: sha, gitCommitMessage };
    await this.events.record(ref.startsWith(TAGS) ? gitTag : gitPush, { appId, objectId: appId, data });
  }

  /**
   * Decides tips, unless the automation was changed since it was read: the next look knows it as it is then.
   *
   * @param work gets the tips that were not decided since they were compared
   * @returns whether these are all
   */
  private withLock(
    automation: Automation,
    tips: readonly ChangedTip[],
    work: (current: readonly ChangedTip[]) => Promise<void>,
  ): Promise<boolean> {
    return transaction(async () => {
      if (!(await this.automations.lockUnchanged(automation))) return true;
      const refs = tips.map(({ ref }) => ref);
      const decided = await this.queries.decidedOf(automation.id, refs);
      const current = tips.filter(({ ref, former }) => (decided.get(ref) ?? null) === former);
      if (current.length > 0) await work(current);
      return current.length === tips.length;
    });
  }
}

/** The refs that an automation builds. Serves other requests in between, however slow its patterns are. */
async function matchingRefs(
  automation: Automation,
  commits: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const matches = triggerMatcher(automation);
  const found = new Map<string, string>();
  const endsAt = performance.now() + MATCHING_MS;
  let count = 0;
  for (const [ref, sha] of commits) {
    if (matches(ref)) found.set(ref, sha);
    if (++count % SLICE !== 0) continue;
    if (performance.now() > endsAt) {
      throw new InvalidRequestError(
        `The patterns of the automation ${automation.name} take too long to match.`,
      );
    }
    await setImmediate();
  }
  return found;
}
