import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ChangeSignals, EMPTY_CHANNELS, EVENTS, RELEASES } from '../../database/change-signals.js';
import { outsideTransaction } from '../../database/transactions/transaction.js';
import { signaledOrganizations } from '../../notifications/dispatcher/signal-payload.js';
import { AppCounts } from './app-counts.js';
import type { AppCount } from './app-counts.queries.js';
import {
  AppFactsQueries,
  type AppRow,
  type ChannelOrder,
  type ChannelRow,
  CHANNELS_PER_PAGE,
  type DayRow,
  type SubmissionRow,
} from './app-facts.queries.js';

/** Milliseconds for which they are kept without a signal: a few changes have none. */
const MAX_AGE = 10_000;
/** Apps in memory: about 20 MB. */
const MAX_APPS = 1000;

/** What a summary has besides the counts of devices. */
export interface AppFacts {
  readonly app: AppRow;
  readonly channels: readonly ChannelRow[];
  readonly openSubmissions: readonly SubmissionRow[];
  readonly days: readonly DayRow[];
}

/** An app with its last count, which orders its channels. */
export interface CountedApp {
  readonly appId: string;
  readonly count: AppCount | null;
}

interface Kept {
  readonly organizationId: string;
  readonly count: AppCount | null;
  /** `null`: there is no such app. */
  readonly facts: Promise<AppFacts | null>;
}

/** Keeps the facts of apps until something changes: loaded once for all who look at an app. */
@Injectable()
export class AppFactsCache implements OnModuleInit {
  private readonly kept = new LRUCache<string, Kept>({ max: MAX_APPS, ttl: MAX_AGE });

  constructor(
    private readonly queries: AppFactsQueries,
    private readonly counts: AppCounts,
    private readonly signals: ChangeSignals,
  ) {}

  onModuleInit(): void {
    const clear = (): void => this.kept.clear();
    const ofApp = (appId: string): void => {
      this.kept.delete(appId);
      this.counts.outdate(appId);
    };
    const ofEvents = (payload: string): void => this.drop(signaledOrganizations(payload));
    this.signals.listen(RELEASES, { connected: clear, lost: clear, notified: ofApp });
    this.signals.listen(EMPTY_CHANNELS, { connected: clear, lost: clear, notified: ofApp });
    this.signals.listen(EVENTS, { connected: clear, lost: clear, notified: ofEvents });
  }

  /** The facts of apps of an organization, in their order, with the first page of channels. `null`: there is no such app. */
  async of(organizationId: string, apps: readonly CountedApp[]): Promise<(AppFacts | null)[]> {
    const kept = apps.map(({ appId, count }) => {
      const found = this.kept.get(appId);
      return found?.count === count ? found.facts : null;
    });
    const missing = apps.filter((_, index) => kept[index] === null);
    const loading = outsideTransaction(() => this.load(missing, 0));
    return Promise.all(
      apps.map(
        ({ appId, count }, index) => kept[index] ?? this.keep(organizationId, { appId, count }, loading),
      ),
    );
  }

  /** As `of`, of one app, with another page of channels; not kept. */
  async page(app: CountedApp, channelOffset: number): Promise<AppFacts | null> {
    return (await this.load([app], channelOffset)).get(app.appId) ?? null;
  }

  private keep(
    organizationId: string,
    { appId, count }: CountedApp,
    loading: Promise<Map<string, AppFacts>>,
  ): Promise<AppFacts | null> {
    const facts = loading.then((loaded) => loaded.get(appId) ?? null);
    const kept = { organizationId, count, facts };
    // From now on, so that a change while they are loaded drops them.
    this.kept.set(appId, kept);
    facts.catch(() => {
      if (this.kept.peek(appId) === kept) this.kept.delete(appId);
    });
    return facts;
  }

  /** @param organizationIds `null`: all */
  private drop(organizationIds: readonly string[] | null): void {
    for (const [appId, { organizationId }] of this.kept.entries()) {
      if (organizationIds?.includes(organizationId) !== false) this.kept.delete(appId);
    }
  }

  private async load(apps: readonly CountedApp[], offset: number): Promise<Map<string, AppFacts>> {
    if (apps.length === 0) return new Map();
    const appIds = apps.map(({ appId }) => appId);
    const found = await this.queries.apps(appIds);
    const channels = groupedByApp(await this.queries.channels(appIds, orderOf(apps, offset), offset));
    const submissions = groupedByApp(await this.queries.openSubmissions(appIds));
    const days = groupedByApp(await this.queries.days(appIds));
    return new Map(
      found.map((app) => [
        app.appId,
        {
          app,
          channels: channels.get(app.appId) ?? [],
          openSubmissions: submissions.get(app.appId) ?? [],
          days: days.get(app.appId) ?? [],
        },
      ]),
    );
  }
}

/** The channels of each app that may be in its page, besides those without devices. */
function orderOf(apps: readonly CountedApp[], offset: number): ChannelOrder {
  const ordered = apps.flatMap(({ count }) =>
    [...(count?.channels ?? [])]
      .map(([id, { monthly }]) => ({ id, monthly }))
      .sort((a, b) => b.monthly - a.monthly || (a.id < b.id ? -1 : 1))
      .slice(0, offset + CHANNELS_PER_PAGE),
  );
  return { channelIds: ordered.map(({ id }) => id), devices: ordered.map(({ monthly }) => monthly) };
}

function groupedByApp<T extends { readonly appId: string }>(rows: readonly T[]): Map<string, T[]> {
  return Map.groupBy(rows, ({ appId }) => appId);
}
