import { Injectable, Logger } from '@nestjs/common';
import { Limits } from '../../common/background/limits.js';
import { orAfter } from '../../common/background/or-after.js';
import { databaseNow } from '../../common/database-clock.js';
import { ServerBusyError } from '../../common/errors/app-error.js';
import { NO_MAXIMA } from '../../common/native-maxima.js';
import { nameKey } from '../../common/validation/name.decorator.js';
import {
  Consequences,
  type PlannedChange,
  versionFields,
  type VersionFields,
} from '../../common/warnings/consequences.js';
import type { Counted, Warning } from '../../common/warnings/warning.js';
import { Config } from '../../config/config.js';
import { unavailableReason } from '../../database/outages/unavailable.js';
import { postgresErrorOf } from '../../database/postgres-error.js';
import { allowStatements, snapshot } from '../../database/transactions/transaction.js';
import { ReleaseCache } from '../releases/release-cache.js';
import { channelWithId, newestFirst } from '../releases/release-index.js';
import type { ReleaseChannel, ReleaseDeployment, ReleaseTable } from '../releases/release-table.js';
import { ReleaseTableLoader } from '../releases/release-table-loader.js';
import { withMaxima } from '../releases/version-maxima.js';
import { ConsequencesQueries } from './consequences.queries.js';
import {
  countConstraints,
  countHidden,
  countLosses,
  type Counting,
  type DeviceGroup,
  findBlocked,
  withChannel,
} from './fleet.js';
import { channelFor, deployedAs, newestOf } from './lookups.js';
import { fallbackWarnings, olderCodeWarnings } from './older-code.js';
import { forceWarnings } from './force-warnings.service.js';
import { hasConstraints, isForAll, newDeployment } from './planned-deployment.js';
import {
  approvalWarning,
  blockedWarning,
  channelStateWarnings,
  constraintWarnings,
  hiddenWarning,
  lossWarnings,
  notCountedWarning,
  planWarning,
} from './sentences.js';

type ChangeOf<Kind extends PlannedChange['kind']> = Extract<PlannedChange, { readonly kind: Kind }>;

/** What is to be found out, and what has been. */
interface Look extends Counting {
  readonly app: { readonly id: string; readonly organizationId: string };
  readonly table: ReleaseTable;
  readonly found: Warning[];
}

const SEEN_WITHIN = 30 * 86_400_000;
/** About so many devices from which on a sample is read. */
const MANY_DEVICES = 20_000;
/** Roll-backs that are read at most. */
const MAX_ROLLED_BACK = 10_000;
/** SQLSTATE of a statement that exceeded its limit. */
const QUERY_CANCELED = '57014';

/** The time is over. */
class LateError extends Error {}

/** Finds out what changes mean, with the function that decides about update checks. */
@Injectable()
export class ConsequencesService extends Consequences {
  private readonly logger = new Logger(ConsequencesService.name);
  private readonly limit: number;

  constructor(
    private readonly releases: ReleaseCache,
    private readonly tables: ReleaseTableLoader,
    private readonly queries: ConsequencesQueries,
    private readonly limits: Limits,
    { devices }: Config,
  ) {
    super();
    this.limit = devices.warningsMaxMilliseconds;
  }

  override async of(app: Look['app'], change: PlannedChange): Promise<Warning[]> {
    const deadline = performance.now() + this.limit;
    const left = (): number => {
      const milliseconds = Math.ceil(deadline - performance.now());
      if (milliseconds <= 0) throw new LateError();
      return milliseconds;
    };
    const found: Warning[] = [];
    const isComplete = await orAfter(this.look(app, change, left, found), this.limit, false);
    return isComplete ? found : [...found, notCountedWarning(app.id, this.limit)];
  }

  /** @returns whether everything was found out */
  private async look(
    app: Look['app'],
    change: PlannedChange,
    left: Look['left'],
    found: Warning[],
  ): Promise<boolean> {
    try {
      const table = await this.releases.load(app.id);
      if (table !== null) await this.find({ app, table, now: databaseNow(), left, found }, change);
      return true;
    } catch (err) {
      const isExpected =
        err instanceof LateError ||
        err instanceof ServerBusyError ||
        unavailableReason(err) !== null ||
        postgresErrorOf(err).code === QUERY_CANCELED;
      if (!isExpected) this.logger.warn({ err, appId: app.id }, 'Warnings could not be found');
      return false;
    }
  }

  private async find(look: Look, change: PlannedChange): Promise<void> {
    switch (change.kind) {
      case 'publish':
        return this.ofBundle(look, change);
      case 'register': {
        const { channelName, versions, share } = change;
        const channel = channelFor(look.table, channelName);
        if (channel !== undefined) await this.ofDeployment(look, channel, null, versions, share);
        return;
      }
      case 'deploy': {
        const { buildId, channelId, channelName, share, maxima } = change;
        const channel = channelId
          ? channelWithId(look.table, channelId)
          : channelFor(look.table, channelName);
        if (channel) await this.ofDeployment(look, channel, buildId, {}, share, maxima);
        return;
      }
      case 'submit': {
        const build = await this.read(look, () => this.queries.nativeBuild(look.app.id, change.buildId));
        if (build !== null) look.found.push(...olderCodeWarnings(look.table, build, look.now));
        return;
      }
      case 'share':
        return this.ofShare(look, change);
      case 'start-plan': {
        const [channel, deployment] = deployedAs(look.table, change.deploymentId);
        if (channel === undefined || deployment === undefined) return;
        look.found.push(...channelStateWarnings(look.app.id, channel, look.now));
        return this.addBlocked(look, look.table, channel.id, deployment);
      }
      case 'versions':
        return this.ofVersions(look, change.buildId, change.versions);
      case 'force': {
        const { deviceId, channelId } = change;
        const channel = channelWithId(look.table, channelId);
        if (channel === null) return;
        const devices = await this.read(look, () => this.queries.devices(look.app.id, [deviceId]));
        look.found.push(...forceWarnings(look.table, channel, devices, look.now));
        return;
      }
      case 'channel':
        return this.ofChannel(look, change);
    }
  }

  private async ofBundle(look: Look, change: ChangeOf<'publish'>): Promise<void> {
    const { bundleId, isReady, versions, share } = change;
    if (!isReady && isEmpty(versions)) return;
    const bundle = await this.read(look, () => this.queries.bundle(look.app.id, bundleId));
    if (bundle === null) return;
    const { buildId, channelId } = bundle;
    if (bundle.status === 'ready' || !isReady) return this.ofVersions(look, buildId, versions);
    const channel = channelWithId(look.table, channelId);
    await this.ofDeployment(look, channel, buildId, versions, share ?? bundle.share);
  }

  /** @param channel `null`: it goes to none yet @param buildId `null`: it does not exist yet @param maxima of the deployment itself */
  private async ofDeployment(
    look: Look,
    channel: ReleaseChannel | null,
    buildId: string | null,
    versions: VersionFields,
    share: number,
    maxima = NO_MAXIMA,
  ): Promise<void> {
    const { app, table, now, found } = look;
    const { release, plans } = await this.read(look, async () => ({
      release: buildId === null ? null : await this.tables.releaseOf(app.id, buildId),
      plans: channel === null ? [] : await this.queries.activePlans(app.id, channel.id),
    }));
    if (buildId !== null && release === null) return;
    const added = newDeployment(release, versions, now);
    const deployment = { ...added, constraints: withMaxima(added.constraints, maxima) };
    if (channel !== null) {
      found.push(...channelStateWarnings(app.id, channel, now));
      found.push(...fallbackWarnings(app.id, channel, maxima, now));
      found.push(...plans.map((plan) => planWarning(plan, false)));
      if (share === 1 && !hasConstraints(deployment)) {
        const pending = channel.deployments.filter(({ approvalStatus }) => approvalStatus === 'pending');
        found.push(...pending.map(({ id }) => approvalWarning(app.id, id)));
      }
      await this.addBlocked(look, table, channel.id, deployment);
    }
    await this.addConstraints(look, deployment, channel === null ? null : [channel.id], buildId);
  }

  private async ofShare(look: Look, { deploymentId, buildId, share }: ChangeOf<'share'>): Promise<void> {
    const { app, table, now, found } = look;
    const [channel, deployment] = deployedAs(table, deploymentId);
    if (channel === undefined || deployment === undefined) return;
    if (share > 0) found.push(...channelStateWarnings(app.id, channel, now));
    if (share !== deployment.rolloutPercentage) {
      const plans = await this.read(look, () => this.queries.activePlans(app.id, channel.id));
      const own = plans.filter((plan) => plan.deploymentId === deploymentId);
      found.push(...own.map((plan) => planWarning(plan, true)));
    }
    if (share > 0) await this.addBlocked(look, table, channel.id, deployment);
    await this.addHidden(look, channel, deployment, buildId);
  }

  private async ofVersions(look: Look, buildId: string, versions: VersionFields): Promise<void> {
    if (isEmpty(versions)) return;
    const release = await this.read(look, () => this.tables.releaseOf(look.app.id, buildId));
    if (release === null) return;
    const deployment = newDeployment(release, versions, look.now);
    const channelIds = look.table.channels
      .filter(({ deployments }) => deployments.some(({ bundle }) => bundle.id === release.bundle.id))
      .map(({ id }) => id);
    await this.addConstraints(look, deployment, channelIds.length === 0 ? null : channelIds, buildId);
  }

  private async ofChannel(look: Look, { channelId, changes }: ChangeOf<'channel'>): Promise<void> {
    const { app, table, now, found } = look;
    const channel = channelWithId(table, channelId);
    if (channel === null) return;
    const { name, expiresAt, rollbackLimit } = { ...channel, ...definedOf(changes) };
    const protectedAt = changes.protected === true ? (channel.protectedAt ?? now) : channel.protectedAt;
    const after = withChannel(table, channel.id, { name, expiresAt, protectedAt, rollbackLimit });
    const newest = newestOf(channel);
    if (rollbackLimit !== null && rollbackLimit < (channel.rollbackLimit ?? Infinity) && newest)
      await this.addBlocked(look, after, channel.id, newest);
    const isExpired = expiresAt !== null && expiresAt <= now;
    const isRenamed = nameKey(name) !== nameKey(channel.name);
    if (!isRenamed && !isExpired && protectedAt === channel.protectedAt) return;
    await this.count(look, async (groups, counted) => {
      found.push(...lossWarnings(app.id, channel, await countLosses(table, after, groups, look), counted));
    });
  }

  private async addConstraints(
    look: Look,
    deployment: ReleaseDeployment,
    channelIds: readonly string[] | null,
    buildId: string | null,
  ): Promise<void> {
    if (!hasConstraints(deployment)) return;
    const build = { appId: look.app.id, buildId };
    await this.count(look, async (groups, counted) => {
      const counts = await countConstraints(look.table, groups, deployment, channelIds, look);
      look.found.push(...counts.flatMap((each) => constraintWarnings(each, build, counted)));
    });
  }

  private async addHidden(
    look: Look,
    channel: ReleaseChannel,
    { id: deploymentId, sequence }: ReleaseDeployment,
    appBuildId: string,
  ): Promise<void> {
    if ((newestOf(channel)?.sequence ?? 0) <= sequence) return;
    const { id: appId } = look.app;
    await this.count(look, async (groups, counted) => {
      const of = { channelId: channel.id, deploymentId };
      const { devices, hidden, newerId } = await countHidden(look.table, groups, of, look);
      const isHidden = devices > 0 && hidden === devices;
      const newer = devices === 0 ? newestFirst(channel).find((each) => isForAll(each, sequence)) : undefined;
      const hiding = isHidden ? newerId : (newer?.id ?? null);
      const target = { appId, appBuildId, appChannelId: channel.id };
      if (hiding !== null) look.found.push(hiddenWarning(hiding, target, devices, counted));
    });
  }

  private async addBlocked(
    look: Look,
    table: ReleaseTable,
    channelId: string,
    deployment: ReleaseDeployment,
  ): Promise<void> {
    const { app, found } = look;
    if (table.rollbacks.isEmpty) return;
    await this.inTurn(look, async () => {
      const seen = seenIn(look);
      const { id } = deployment.bundle;
      const devices = await this.read(look, () => this.queries.rolledBack(seen, id, MAX_ROLLED_BACK));
      const blocked = await findBlocked(table, devices, deployment, channelId, look);
      found.push(...blockedWarning(app.id, id, blocked.length, devices.length < MAX_ROLLED_BACK));
    });
  }

  /** Reads all devices, or a sample of many, and counts something. */
  private count(
    look: Look,
    work: (groups: readonly DeviceGroup[], counted: Counted) => Promise<void>,
  ): Promise<void> {
    return this.inTurn(look, async () => {
      const seen = seenIn(look);
      const { sampled, groups } = await this.read(look, async () => {
        const areMany = await this.queries.areMany(seen, MANY_DEVICES);
        return { sampled: areMany, groups: await this.queries.groups(seen, areMany) };
      });
      const devices = groups.reduce((sum, group) => sum + group.devices, 0);
      await work(groups, { devices, sampled });
    });
  }

  private inTurn(look: Look, work: () => Promise<void>): Promise<void> {
    return this.limits.run('warning-counts', look.app.organizationId, work, { seconds: look.left() / 1000 });
  }

  /** Reads on a connection of its own, so that neither an error nor the time limit is one of the change. */
  private read<T>({ left }: Look, work: () => Promise<T>): Promise<T> {
    return snapshot(async () => {
      await allowStatements(left());
      return work();
    });
  }
}

function seenIn({ app, now }: Look): { appId: string; seenSince: Date } {
  return { appId: app.id, seenSince: new Date(now.getTime() - SEEN_WITHIN) };
}

/** Without the fields that are absent: an instance of a class may have them as `undefined`. */
function definedOf({
  name,
  expiresAt,
  rollbackLimit,
}: ChangeOf<'channel'>['changes']): Partial<ReleaseChannel> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(rollbackLimit === undefined ? {} : { rollbackLimit }),
  };
}

function isEmpty(versions: VersionFields): boolean {
  return versionFields.every((field) => versions[field] === undefined);
}
