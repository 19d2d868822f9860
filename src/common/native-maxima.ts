import type { VersionedPlatform } from './compare-versions.js';

/** The highest native versions that may get something, by platform; `null`: there is no such limit. */
export type NativeMaxima = Readonly<Record<VersionedPlatform, string | null>>;

/** No limit on any platform. */
export const NO_MAXIMA: NativeMaxima = { android: null, ios: null, electron: null };

/** The columns of `builds` that limit the native versions which get them. */
export const constraintColumns = ['android', 'ios', 'electron'].flatMap((platform) =>
  ['min', 'max', 'eq'].map((bound) => `${bound}_${platform}_app_version_code`),
);

/** What people call platforms. */
export const platformNames = { android: 'Android', ios: 'iOS', electron: 'Electron' } as const;
