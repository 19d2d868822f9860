import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AppsService } from '../../apps/apps/apps.service.js';
import { LinkedRepositoryService } from '../../apps/repository/linked-repository.service.js';
import { RepositoryGoneError } from '../../apps/repository/repository-not-found.error.js';
import { RepositoryRefsService } from '../../apps/repository/repository-refs.service.js';
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
import { Gate } from './gate.service.js';
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

/** An app whose automations a look is for. */
interface WatchingApp {
  readonly appId: string;
  readonly pushes: readonly AwaitedPush[];
  /** All that wait for pushes. */
  readonly waiting: readonly Automation[];
  /** Those that may do what they do. */
  readonly able: readonly Automation[];
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
      const jobs = due.map(({ organizationId, appIds }) => ({ tenantId: organizationId, data: { appIds } }));
      await this.queue.sendAll(LOOKS, jobs);
      return due.length;
    });
    return taken < BATCH ? REST : 0;
  }

  private async plan(appId: string): Promise<void> {
    await this.looks.plan(appId);
    afterCommit(() => this.wake());
  }

  private async look(appIds: readonly string[]): Promise<void> {
    const watching: WatchingApp[] = [];
    for (const appId of appIds) {
      await this.failSoftly([appId], async () => {
        const app = await this.begin(appId);
        if (app !== null) watching.push(app);
      });
    }
    const able = watching.flatMap((app) => app.able);
    const [first] = able;
    if (first === undefined) return;
    const ids = watching.map(({ appId }) => appId);
    await this.failSoftly(ids, async () => {
      const refs = await this.readRefs(first.appId, able, first.savedByUserId ?? '');
      for (const app of watching) await this.failSoftly([app.appId], () => this.lookFor(app, refs));
    });
  }

  /** A look that fails because of the git server stops nothing, says why, and is repeated soon. */
  private async failSoftly(appIds: readonly string[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError) || (error.status >= 500 && !(error instanceof ServerBusyError)))
        throw error;
      const usual = this.config.queue.automationPollSeconds;
      for (const appId of appIds) await this.looks.fail(appId, error.message, usual);
    }
  }

  /** Finds what a look of an app is for, and stops automations that may no longer do what they do. @returns `null`: nothing */
  private async begin(appId: string): Promise<WatchingApp | null> {
    const pushes = await this.looks.begin(appId);
    const waiting = await this.automations.listWaiting(appId);
    const able: Automation[] = [];
    if (waiting.length > 0) {
      const key = repositoryKeyOf(await this.links.get(appId));
      for (const automation of waiting) {
        const isOther = automation.repositoryKey !== key;
        const lost = isOther ? OTHER_REPOSITORY : await this.authority.findLost(automation);
        if (lost === null) able.push(automation);
        else await this.loseRights(automation, lost);
      }
    }
    if (able.length > 0) return { appId, pushes, waiting, able };
    if (waiting.length > 0) await this.looks.settle(appId, pushes);
    await this.looks.end(appId, { hasChanged: false, wasReported: false, again: null });
    return null;
  }

  private async lookFor({ appId, pushes, waiting, able }: WatchingApp, refs: RemoteRefs): Promise<void> {
    const app = await this.apps.get(appId);
    const changed = new Set<string>();
    for (const automation of able) {
      for (const ref of await this.gate.pass(app, automation, refs)) changed.add(ref);
    }
    const pending = pushes.filter((push) => !changed.has(push.ref) && isPending(push, refs.commits));
    const settled = pushes.filter((push) => !pending.includes(push));
    for (const push of settled) {
      if (!changed.has(push.ref) && push.after !== null) await this.explain(appId, push, { able, waiting });
    }
    await this.looks.settle(appId, settled);
    await this.looks.end(appId, {
      hasChanged: changed.size > 0,
      wasReported: pushes.length > 0,
      again: pending.length > 0 ? AGAIN : null,
    });
  }

  /** Without their repository, automations stop: another one may come to its path. */
  private async readRefs(
    appId: string,
    automations: readonly Automation[],
    userId: string,
  ): Promise<RemoteRefs> {
    try {
      return await this.repositories.listRefs(appId, listedPrefixes(automations), userId);
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

/** Whether the server still shows what was there before a push. */
function isPending(
  { ref, before, after, isRecent }: AwaitedPush,
  commits: ReadonlyMap<string, string>,
): boolean {
  const tip = commits.get(ref) ?? null;
  return isRecent && tip === before && tip !== after;
}
