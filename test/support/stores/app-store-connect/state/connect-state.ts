import { randomInt, randomUUID } from 'node:crypto';
import { type Team } from '../api-keys.ts';
import { type AppleError, noResource } from '../apple-error.ts';
import type { BuildUpload, BuildUploadFile } from './uploads.ts';
import type { Build } from './builds.ts';

export const PLATFORMS = ['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** https://developer.apple.com/documentation/appstoreconnectapi/appversionstate */
export const VERSION_STATES = [
  'ACCEPTED',
  'DEVELOPER_REJECTED',
  'IN_REVIEW',
  'INVALID_BINARY',
  'METADATA_REJECTED',
  'PENDING_APPLE_RELEASE',
  'PENDING_DEVELOPER_RELEASE',
  'PREPARE_FOR_SUBMISSION',
  'PROCESSING_FOR_DISTRIBUTION',
  'READY_FOR_DISTRIBUTION',
  'READY_FOR_REVIEW',
  'REJECTED',
  'REPLACED_WITH_NEW_VERSION',
  'WAITING_FOR_EXPORT_COMPLIANCE',
  'WAITING_FOR_REVIEW',
] as const;

/** A version in the App Store. */
export interface StoreVersion {
  readonly id: string;
  readonly platform: Platform;
  readonly versionString: string;
  state: (typeof VERSION_STATES)[number];
}

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
  readonly versions: StoreVersion[];
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

  private find<T extends { readonly id: string }>(
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
  readonly versions?: readonly Partial<Omit<StoreVersion, 'id'>>[];
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
    versions: [],
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

export function addVersion(app: AppleApp, values: Partial<Omit<StoreVersion, 'id'>>): StoreVersion {
  const usual = { platform: 'IOS', versionString: '1.0', state: 'READY_FOR_DISTRIBUTION' } as const;
  const version = { id: randomUUID(), ...usual, ...values };
  app.versions.push(version);
  return version;
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
