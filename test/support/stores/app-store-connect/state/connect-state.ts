import { randomInt, randomUUID } from 'node:crypto';
import { type Team } from '../api-keys.ts';
import { type AppleError, noResource, noSubmission } from '../apple-error.ts';
import type { ReviewSubmission } from './app-store/review-submission.ts';
import {
  addVersion,
  type LiveRelease,
  type NewStoreVersion,
  type Requirement,
  type StoreVersion,
} from './app-store/store-version.ts';
import type { Build } from './builds.ts';
import type { BuildUpload, BuildUploadFile } from './uploads.ts';

export const PLATFORMS = ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** A group of testers. */
export interface BetaGroup {
  readonly id: string;
  readonly app: AppleApp;
  readonly name: string;
  readonly isInternal: boolean;
  /** Only internal groups can have it. */
  readonly hasAccessToAllBuilds: boolean;
  /** Ids. */
  readonly builds: Set<string>;
}

/** Test Information in a language. */
export interface AppLocalization {
  readonly id: string;
  readonly locale: string;
  /** What App Review needs; `null`: it is missing. */
  description: string | null;
}

/** An app of App Store Connect. Tests change what they need. */
export interface AppleApp {
  readonly id: string;
  readonly team: Team;
  readonly name: string;
  readonly bundleId: string;
  readonly primaryLocale: string;
  readonly localizations: AppLocalization[];
  /** Languages of its pages in the App Store. */
  readonly storeLocales: readonly string[];
  readonly versions: StoreVersion[];
  readonly reviewSubmissions: ReviewSubmission[];
  /** Everything that ever went live, the oldest first. */
  readonly releases: LiveRelease[];
  /** The builds of all versions that were sent to App Review, the oldest first: their ids. */
  readonly reviews: string[];
  /** What App Review misses. */
  readonly missing: Set<Requirement>;
  readonly groups: BetaGroup[];
  readonly uploads: BuildUpload[];
  readonly builds: Build[];
  hasBetaContract: boolean;
  /** There is an approved declaration for encryption that is not exempt. */
  hasEncryptionDeclaration: boolean;
  /** How many beta reviews Apple still takes today. */
  reviewsLeft: number;
}

/** What the stand-in knows. */
export class ConnectState {
  readonly apps = new Map<string, AppleApp>();

  /** @throws AppleError 404, also for apps of other teams */
  app(team: Team, id: string): AppleApp {
    const app = this.apps.get(id);
    if (app?.team !== team) throw noResource('apps', id);
    return app;
  }

  appsOf(team: Team): AppleApp[] {
    return [...this.apps.values()].filter((app) => app.team === team);
  }

  /** @throws AppleError 404 */
  upload(team: Team, id: string): BuildUpload {
    return this.find(team, (app) => app.uploads, id, noResource('buildUploads', id));
  }

  /** @throws AppleError 404 */
  file(team: Team, id: string): BuildUploadFile {
    const files = (app: AppleApp): BuildUploadFile[] => app.uploads.flatMap(({ file }) => file ?? []);
    return this.find(team, files, id, noResource('buildUploadFiles', id));
  }

  /** @throws AppleError 404 */
  build(team: Team, id: string): Build {
    return this.find(team, (app) => app.builds, id, noResource('builds', id));
  }

  /** @throws AppleError 404 */
  group(team: Team, id: string): BetaGroup {
    return this.find(team, (app) => app.groups, id, noResource('betaGroups', id));
  }

  /** @throws AppleError 404 */
  version(team: Team, id: string): StoreVersion {
    return this.find(team, (app) => app.versions, id, noResource('appStoreVersions', id));
  }

  /** @throws AppleError 404 */
  reviewSubmission(team: Team, id: string): ReviewSubmission {
    return this.find(team, (app) => app.reviewSubmissions, id, noSubmission(id));
  }

  /** One of the team's own. @throws AppleError `missing` */
  find<T extends { readonly id: string }>(
    team: Team,
    list: (app: AppleApp) => readonly T[],
    id: string,
    missing: AppleError,
  ): T {
    const found = this.appsOf(team)
      .flatMap(list)
      .find((one) => one.id === id);
    if (found === undefined) throw missing;
    return found;
  }
}

/** What a test wants of an app. */
export interface NewAppleApp {
  /** By default, the first one. */
  readonly team?: Team;
  readonly id?: string;
  readonly name?: string;
  readonly bundleId?: string;
  readonly primaryLocale?: string;
  /** Languages of the Test Information, beside the primary one. */
  readonly locales?: readonly string[];
  /** With `null`, the Test Information has no description. */
  readonly description?: string | null;
  /** Languages of its pages in the App Store; by default, the primary one. */
  readonly storeLocales?: readonly string[];
  readonly versions?: readonly NewStoreVersion[];
  /** By name. */
  readonly groups?: Readonly<Record<string, 'internal' | 'external' | 'all-builds'>>;
  readonly hasBetaContract?: boolean;
  readonly hasEncryptionDeclaration?: boolean;
  readonly reviewsLeft?: number;
}

export function newApp(team: Team, values: NewAppleApp): AppleApp {
  const { primaryLocale = 'en-US', bundleId = 'com.example.app', description = 'An example.' } = values;
  const app: AppleApp = {
    id: values.id ?? String(randomInt(1_000_000_000, 6_999_999_999)),
    team,
    name: values.name ?? 'Example',
    bundleId,
    primaryLocale,
    localizations: [...new Set([primaryLocale, ...(values.locales ?? [])])].map((locale) => ({
      id: randomUUID(),
      locale,
      description,
    })),
    storeLocales: values.storeLocales ?? [primaryLocale],
    versions: [],
    reviewSubmissions: [],
    releases: [],
    reviews: [],
    missing: new Set(),
    groups: [],
    uploads: [],
    builds: [],
    hasBetaContract: values.hasBetaContract ?? true,
    hasEncryptionDeclaration: values.hasEncryptionDeclaration ?? false,
    reviewsLeft: values.reviewsLeft ?? Infinity,
  };
  for (const version of values.versions ?? []) addVersion(app, version);
  for (const [name, kind] of Object.entries(values.groups ?? {})) addGroup(app, name, kind);
  return app;
}

export function addGroup(
  app: AppleApp,
  name: string,
  kind: 'internal' | 'external' | 'all-builds',
): BetaGroup {
  const group: BetaGroup = {
    id: randomUUID(),
    app,
    name,
    isInternal: kind !== 'external',
    hasAccessToAllBuilds: kind === 'all-builds',
    builds: new Set(),
  };
  app.groups.push(group);
  return group;
}
