/** Longest version name, in characters. */
export const MAX_VERSION_NAME_LENGTH = 50;
/** The largest `versionCode` that Google Play accepts. */
export const MAX_CONFIGURED_BUILD_NUMBER = 2_100_000_000;
/** There is a number above it. */
export const MAX_BUILD_NUMBER_OFFSET = MAX_CONFIGURED_BUILD_NUMBER - 1;
/** In place of a number: the number of the build. */
export const NUMBER_OF_BUILD = 'ci';

/** In place of a number: one more than the store has. */
export const NUMBER_OF_STORE = 'store';

/** The number that builds get, `ci` or `store`. */
export type ConfiguredBuildNumber = number | typeof NUMBER_OF_BUILD | typeof NUMBER_OF_STORE;

/** No character has a meaning in shells, XML and Gradle files, and none can begin an option. */
const VERSION_NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/;

/** Whether projects can have the text as their version, such as `1.4.0-beta.2`. */
export function isVersionName(text: string): boolean {
  return text.length <= MAX_VERSION_NAME_LENGTH && VERSION_NAME.test(text);
}

/** Whether builds can get it as their number. */
export function isConfiguredBuildNumber(value: unknown): boolean {
  if (value === NUMBER_OF_BUILD || value === NUMBER_OF_STORE) return true;
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_CONFIGURED_BUILD_NUMBER;
}

/** As the API shows what the database has. */
export function toConfiguredBuildNumber(column: string | null): ConfiguredBuildNumber | null {
  if (column === null || column === NUMBER_OF_BUILD || column === NUMBER_OF_STORE) return column;
  return Number(column);
}
