import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AppsService } from '../../apps/apps/apps.service.js';
import { LinkedRepositoryService, sourceOf } from '../../apps/repository/linked-repository.service.js';
import { RepositoryGoneError } from '../../apps/repository/repository-not-found.error.js';
import { RepositoryRefsService, type SourcedRefs } from '../../apps/repository/repository-refs.service.js';
import { BackgroundLoop } from '../../common/background/background-loop.js';
import { AppError, ServerBusyError } from '../../common/errors/app-error.js';
import { Config } from '../../config/config.js';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { insertOrThrow } from '../../database/rows.js';
import { afterCommit, transaction } from '../../database/transactions/transaction.js';
import type { RemoteRefs } from '../../organizations/git-remotes/remote-refs.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import {
  AutomationStops,
  OTHER_REPOSITORY,
  repositoryKeyOf,
} from '../automations/automation-stops.service.js';
import type { Automation } from '../automations/automation.entity.js';
import { AutomationsService } from '../automations/automations.service.js';
import { listedPrefixes, triggerMatcher } from '../automations/trigger.js';
import { AutomationAuthority } from './automation-authority.service.js';
import { Gate, type PassedRefs } from './gate.service.js';
import type { ReportedPush } from './expected-push.entity.js';
import { GitEvent } from './git-event.entity.js';
import { GitLooksQueries } from './git-looks.queries.js';
import { type AwaitedPush, LooksQueries } from './looks.queries.js';
import { RepositoryLook } from './repository-look.entity.js';

/** A look that fails because of the git server ends, and says when it is repeated; retries are for servers that end during one. */
const LOOKS: QueueDefinition = {
  name: 'repository-looks',
  retryLimit: 3,
  retryDelay: 30,
  retryDelayMax: 300,
  expireInSeconds: 600,
};
/** Apps that are linked to one repository by the same connection. */
interface LookJob {
  readonly appIds: readonly string[];
}

/** Apps of one job: each has calls of the git server of its own where refs have changed. */
const APPS_OF_JOB = 20;
/** How long refs that were read for one app are good for others, in milliseconds. */
const FRESH = 10_000;

/** Refs that a job has read. */
interface SharedRefs {
  readonly refs: SourcedRefs;
  readonly prefixes: readonly string[];
  /** Milliseconds, of a clock that does not jump. */
  readonly readAt: number;
}

/** Looks that one round requests. */
const BATCH = 100;
/** In milliseconds. */
const REST = 2000;
/** Seconds until a server is asked again that still shows the older commit. */
const AGAIN = 5;
const EVENT_DAYS = 30;
const EVENT_BATCH = 1000;

/** Looks at the repositories of apps with automations, again and again, and lets the gate decide what has changed. */
@Injectable()
export class LooksService extends BackgroundLoop implements OnModuleInit {
  constructor(
    private readonly apps: AppsService,
    private readonly automations: AutomationsService,
    private readonly stops: AutomationStops,
    private readonly authority: AutomationAuthority,
    private readonly gate: Gate,
    private readonly links: LinkedRepositoryService,
    private readonly repositories: RepositoryRefsService,
    private readonly queries: GitLooksQueries,
    private readonly looks: LooksQueries,
    @InjectRepository(GitEvent) private readonly gitEvents: Repository<GitEvent>,
    @InjectRepository(RepositoryLook) private readonly states: Repository<RepositoryLook>,
    private readonly queue: QueueService,
    private readonly config: Config,
  ) {
    super();
  }

  onModuleInit(): void {
    this.queue.handle<LookJob>(LOOKS, ({ appIds }) => this.look(appIds));
    this.queue.schedule({
      name: 'git-event-retention',
      cron: '25 1 * * *',
      timeoutSeconds: 3600,
      run: async () => {
        await deleteInBatches(EVENT_BATCH, (size) => this.queries.deleteEvents(EVENT_DAYS, size));
        await deleteInBatches(EVENT_BATCH, (size) => this.looks.deleteExpected(1, size));
      },
    });
    this.automations.saved.register(({ appId }) => this.plan(appId));
    this.links.linked.register(({ appId }) => this.plan(appId));
  }

  override async start(): Promise<void> {
    await this.looks.hasten(this.config.queue.automationPollSeconds);
    await super.start();
  }

  /** When the repository of an app was and will be looked at; `null`: no automation was ever saved. */
  find(appId: string): Promise<RepositoryLook | null> {
    return this.states.findOneBy({ appId });
  }

  /** Plans a look because a hook has reported a push, in the running transaction. @param push `null`: it may be any ref */
  async expect(appId: string, push: ReportedPush | null): Promise<void> {
    await this.looks.expect(appId, push);
    afterCommit(() => this.wake());
  }

  /** Requests the looks that are due. */
  protected override async round(): Promise<number> {
    const taken = await transaction(async () => {
      const due = await this.looks.takeDue(BATCH, this.config.queue.automationPollSeconds);
      const jobs = due.flatMap(({ organizationId: tenantId, appIds }) =>
        inPieces(appIds, APPS_OF_JOB).map((piece) => ({ tenantId, data: { appIds: piece } })),
      );
      await this.queue.sendAll(LOOKS, jobs);
      return due.flatMap(({ appIds }) => appIds).length;
    });
    return taken < BATCH ? REST : 0;
  }

  private async plan(appId: string): Promise<void> {
    await this.looks.plan(appId);
    afterCommit(() => this.wake());
  }

  /** Looks for one app after the other, whatever becomes of those before. @throws the first error that is no answer */
  private async look(appIds: readonly string[]): Promise<void> {
    const shared: SharedRefs[] = [];
    const failures: unknown[] = [];
    for (const appId of appIds) await this.lookFor(appId, shared).catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** A look that fails because of the git server stops nothing, says why, and is repeated soon. */
  private async lookFor(appId: string, shared: SharedRefs[]): Promise<void> {
    const pushes = await this.looks.begin(appId);
    try {
      await this.lookAt(appId, pushes, shared);
    } catch (error) {
      if (!(error instanceof AppError) || (error.status >= 500 && !(error instanceof ServerBusyError)))
        throw error;
      await this.looks.fail(appId, error.message, this.config.queue.automationPollSeconds);
    }
  }

  private async lookAt(appId: string, pushes: readonly AwaitedPush[], shared: SharedRefs[]): Promise<void> {
    const waiting = await this.automations.listWaiting(appId);
    const none = { hasChanged: false, wasReported: false, again: null };
    if (waiting.length === 0) return this.looks.end(appId, none);
    const key = repositoryKeyOf(await this.links.get(appId));
    const able: Automation[] = [];
    for (const automation of waiting) {
      const isOther = automation.repositoryKey !== key;
      const lost = isOther ? OTHER_REPOSITORY : await this.authority.findLost(automation);
      if (lost === null) able.push(automation);
      else await this.loseRights(automation, lost);
    }
    if (able.length === 0) {
      await this.looks.settle(appId, pushes);
      return this.looks.end(appId, none);
    }
    const refs = await this.readRefs(appId, able, shared);
    const app = await this.apps.get(appId);
    const passed: PassedRefs[] = [];
    for (const automation of able) passed.push(await this.gate.pass(app, automation, refs));
    const changed = new Set(passed.flatMap((each) => each.changed));
    const pending = pushes.filter((push) => !changed.has(push.ref) && isPending(push, refs.commits));
    const settled = pushes.filter((push) => !pending.includes(push));
    for (const push of settled) {
      if (!changed.has(push.ref) && push.after !== null) await this.explain(appId, push, { able, waiting });
    }
    await this.looks.settle(appId, settled);
    const isOpen = pending.length > 0 || passed.some(({ isStale }) => isStale);
    await this.looks.end(appId, {
      hasChanged: changed.size > 0,
      wasReported: pushes.length > 0,
      again: isOpen ? AGAIN : null,
    });
  }

  /**
   * Reads what the automations of an app may match, unless that was just read for another app with the same repository and
   * connection. Without their repository, automations stop: another one may come to its path.
   */
  private async readRefs(
    appId: string,
    automations: readonly Automation[],
    shared: SharedRefs[],
  ): Promise<RemoteRefs> {
    const prefixes = listedPrefixes(automations);
    const source = sourceOf(await this.links.getWithConnection(appId));
    const known = shared.find((read) => covers(read, source, prefixes));
    if (known !== undefined) return known.refs;
    const readAt = performance.now();
    try {
      const userId = automations[0]?.savedByUserId ?? '';
      const refs = await this.repositories.listRefs(appId, prefixes, userId);
      shared.push({ refs, prefixes, readAt });
      return refs;
    } catch (error) {
      if (error instanceof RepositoryGoneError)
        for (const { id } of automations) await this.stops.stop(id, error.message);
      throw error;
    }
  }

  private async loseRights(automation: Automation, message: string): Promise<void> {
    await transaction(async () => {
      await this.stops.stop(automation.id, message);
      const { id: automationId, appId } = automation;
      const event = { appId, automationId, outcome: 'skipped', reason: 'rights_lost', message } as const;
      await insertOrThrow(this.gitEvents, event);
    });
  }

  /** Why a push that a hook has reported started nothing. One for an automation that has just stopped is explained by that. */
  private async explain(
    appId: string,
    { ref, after }: AwaitedPush,
    { able, waiting }: { readonly able: readonly Automation[]; readonly waiting: readonly Automation[] },
  ): Promise<void> {
    const matches = (automation: Automation): boolean => triggerMatcher(automation)(ref);
    const about = { appId, ref, commitSha: after, outcome: 'skipped' } as const;
    if (able.some(matches)) {
      const message = `${ref} leads to a commit that was decided before.`;
      await insertOrThrow(this.gitEvents, { ...about, reason: 'same_commit', message });
    } else if (!waiting.some(matches)) {
      const message = `No automation of the app matches ${ref}.`;
      await insertOrThrow(this.gitEvents, { ...about, reason: 'pattern', message });
    }
  }
}

function inPieces<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}

/** Whether refs were read recently from where, and with what, an app reads them, and are all that it looks for. */
function covers({ refs, prefixes, readAt }: SharedRefs, source: string, wanted: readonly string[]): boolean {
  const isFresh = performance.now() - readAt < FRESH;
  return (
    isFresh && refs.source === source && wanted.every((own) => prefixes.some((each) => own.startsWith(each)))
  );
}

/** Whether the server still shows what was there before a push. */
function isPending(
  { ref, before, after, isRecent }: AwaitedPush,
  commits: ReadonlyMap<string, string>,
): boolean {
  const tip = commits.get(ref) ?? null;
  return isRecent && tip === before && tip !== after;
}
