import type { androidpublisher_v3 } from '@googleapis/androidpublisher';
import { randomInt } from 'node:crypto';
import { GoogleError, invalid, notFound } from '../google-error.ts';

export const STATUSES = ['draft', 'inProgress', 'halted', 'completed'] as const;

/** https://developers.google.com/android-publisher/api-ref/rest/v3/applications.tracks.releases#ReleaseLifecycleState */
export type Lifecycle =
  'DRAFT' | 'NOT_SENT_FOR_REVIEW' | 'IN_REVIEW' | 'APPROVED_NOT_PUBLISHED' | 'NOT_APPROVED' | 'PUBLISHED';

/** A release of a track. */
export interface Release {
  readonly status: (typeof STATUSES)[number];
  readonly versionCodes: readonly string[];
  readonly name?: string;
  readonly userFraction?: number;
  readonly inAppUpdatePriority?: number;
  readonly releaseNotes?: readonly androidpublisher_v3.Schema$LocalizedText[];
  readonly countryTargeting?: androidpublisher_v3.Schema$CountryTargeting;
  lifecycle?: Lifecycle;
}

export type Tracks = Map<string, readonly Release[]>;

/** An uploaded aab or apk. */
export interface Artifact {
  readonly kind: 'aab' | 'apk';
  readonly versionCode: number;
  readonly sha1: string;
  readonly sha256: string;
}

/** An app of the Play Console. Tests change what they need. */
export interface PlayApp {
  readonly packageName: string;
  defaultLanguage: string;
  /** Of the store listing. */
  readonly languages: Set<string>;
  readonly tracks: Tracks;
  /** By version code: what the app ever had. */
  readonly artifacts: Map<number, Artifact>;
  /** Mapping files and native symbols by version code. */
  readonly symbols: Map<number, Set<string>>;
  /** It was never published: it takes drafts only. */
  isDraft: boolean;
  /** The last review ended with a rejection. */
  isRejected: boolean;
  /** Whether commits wait for a review; without, they are published at once. */
  hasReviews: boolean;
  /** What a review has approved waits until a person publishes it. */
  hasManagedPublishing: boolean;
  isInReview: boolean;
  /** How many of the next validations and commits find uploads that are still unpacked. */
  unfinishedUploads: number;
  /** Tracks that have no countries yet: a track does not inherit those of another one. */
  readonly tracksWithoutCountries: Set<string>;
  /** Two inserts within seconds return one edit: https://github.com/Triple-T/gradle-play-publisher/issues/629 */
  sharesEdits: boolean;
  /** Uploads use their version code up even when the edit is never committed. */
  burnsUploads: boolean;
  /** Bundles need `ackBundleInstallationWarning`, as fastlane's supply knows it. */
  warnsOfSize: boolean;
}

/** Changes that are not committed. */
export interface Edit {
  readonly id: string;
  readonly app: PlayApp;
  readonly account: string;
  state: 'open' | 'deleted' | 'expired' | 'committed';
  expiresAt: number;
  readonly tracks: Tracks;
  readonly changedTracks: Set<string>;
  readonly uploads: Map<number, Artifact>;
  readonly symbols: Map<number, Set<string>>;
}

/** A release that a commit made. */
export interface CommittedRelease {
  readonly editId: string;
  readonly account: string;
  readonly packageName: string;
  readonly track: string;
  readonly release: Release;
  readonly changesNotSentForReview: boolean;
  readonly symbols: readonly string[];
}

/** What a track had after a commit, or after a change in the Play Console. */
export interface TrackState {
  readonly packageName: string;
  readonly track: string;
  /** Such as `42 inProgress 0.2`, the highest version code first. */
  readonly releases: readonly string[];
}

/** What the stand-in knows. */
export class PlayState {
  readonly apps = new Map<string, PlayApp>();
  readonly edits = new Map<string, Edit>();
  readonly committed: CommittedRelease[] = [];
  /** In order, without repetitions. */
  readonly history: TrackState[] = [];
  editSeconds = 3600;

  /** @throws GoogleError 404 */
  app(packageName: string): PlayApp {
    const app = this.apps.get(packageName);
    if (app === undefined) throw notFound(`Package not found: ${packageName}.`);
    return app;
  }

  /**
   * An edit that can be changed. The sentences: https://github.com/Triple-T/gradle-play-publisher/issues/998,
   * https://github.com/tramlinehq/tramline/issues/335, https://github.com/fastforgedev/fastforge/pull/214
   *
   * @throws GoogleError 404; 400 when it ended
   */
  edit(app: PlayApp, id: string, account: string): Edit {
    const edit = this.edits.get(id);
    // Other users do not see it.
    if (edit === undefined || edit.app !== app || edit.account !== account) throw notFound('Edit not found.');
    if (isOpen(edit)) return edit;
    if (edit.state === 'deleted') throw invalid('This Edit has been deleted.');
    if (edit.state === 'expired') {
      throw new GoogleError(400, 'FAILED_PRECONDITION', 'This edit has expired, please create a new Edit.');
    }
    throw invalid('This edit has already been successfully committed, please create a new Edit.');
  }

  /** Begins an edit with what is live. */
  insertEdit(app: PlayApp, account: string): Edit {
    const open = this.openEdits(app).filter((edit) => edit.account === account);
    if (app.sharesEdits && open[0] !== undefined) return open[0];
    // A new edit invalidates the user's own older one, and no other:
    // https://developers.google.com/android-publisher/concurrency-considerations
    for (const edit of open) edit.state = 'deleted';
    const edit: Edit = {
      // Longer than the integers of JavaScript, with a zero in front:
      // https://github.com/rakeshgirase/app-release-manager/issues/7
      id: `0${randomInt(1, 9)}${randomDigits(9)}${randomDigits(9)}`,
      app,
      account,
      state: 'open',
      expiresAt: Date.now() + this.editSeconds * 1000,
      tracks: new Map(app.tracks),
      changedTracks: new Set(),
      uploads: new Map(),
      symbols: new Map(),
    };
    this.edits.set(edit.id, edit);
    return edit;
  }

  /** A commit, or a change in the Play Console, ends what is open (see the page above). */
  invalidateEdits(app: PlayApp, except?: Edit): void {
    for (const edit of this.openEdits(app)) if (edit !== except) edit.state = 'deleted';
  }

  /** Adds what the tracks of an app have to the history. */
  logTracks({ packageName, tracks }: PlayApp): void {
    for (const [track, present] of tracks) {
      const releases = present.toSorted((a, b) => highestCode(b) - highestCode(a)).map(toText);
      const last = this.history.findLast((one) => one.packageName === packageName && one.track === track);
      if ((last?.releases ?? []).join() !== releases.join())
        this.history.push({ packageName, track, releases });
    }
  }

  private openEdits(app: PlayApp): Edit[] {
    return [...this.edits.values()].filter((edit) => edit.app === app && isOpen(edit));
  }
}

function isOpen(edit: Edit): boolean {
  if (edit.state === 'open' && edit.expiresAt <= Date.now()) edit.state = 'expired';
  return edit.state === 'open';
}

/** The highest version code of a release; 0: it has none. */
export function highestCode({ versionCodes }: Release): number {
  return Math.max(0, ...versionCodes.map(Number));
}

function toText({ versionCodes, status, userFraction }: Release): string {
  return [versionCodes.join('+'), status, ...(userFraction === undefined ? [] : [userFraction])].join(' ');
}

function randomDigits(count: number): string {
  return String(randomInt(10 ** count)).padStart(count, '0');
}
