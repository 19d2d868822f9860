import { type BuildRun, StepError, variableOf } from '../../../steps/build-run.js';

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,99}$/;

/** What Gradle builds of an app. */
export interface Variant {
  /** As Gradle calls it, such as `release` or `freeRelease`. */
  readonly name: string;
  readonly buildType: string;
  /** `null`: none is chosen, so Gradle builds all of them. */
  readonly flavor: string | null;
  /** The kinds of files that it makes. */
  readonly types: readonly ('apk' | 'aab')[];
  readonly isDebug: boolean;
}

/**
 * The variant of a build: `ANDROID_BUILD_TYPE`, else the type of the build, with `ANDROID_FLAVOR`. Debug builds make an apk, and
 * release builds an aab for Google Play and an apk to install.
 *
 * @throws StepError when a name is none of Gradle's
 */
export function variantOf(run: Pick<BuildRun, 'payload'>): Variant {
  const isDebug = run.payload.build.type !== 'release';
  const buildType = nameOf(run, 'ANDROID_BUILD_TYPE') ?? (isDebug ? 'debug' : 'release');
  const flavor = nameOf(run, 'ANDROID_FLAVOR');
  const name = flavor === null ? buildType : `${flavor}${capitalized(buildType)}`;
  return { name, buildType, flavor, types: isDebug ? ['apk'] : ['aab', 'apk'], isDebug };
}

/** @param modulePath such as `:app`; `''`: the root */
export function tasksOf({ name, types }: Variant, modulePath: string): string[] {
  const verbs = { aab: 'bundle', apk: 'assemble' };
  return types.map((type) => `${modulePath}:${verbs[type]}${capitalized(name)}`);
}

/** @returns `null`: it is not set */
function nameOf(run: Pick<BuildRun, 'payload'>, variable: string): string | null {
  const value = variableOf(run, variable)?.trim() ?? '';
  if (value === '') return null;
  if (NAME.test(value)) return value;
  throw new StepError(
    'configuration',
    `${variable} must be a letter, then letters, digits and "_", as Gradle calls it; it is ${JSON.stringify(value.slice(0, 50))}.`,
  );
}

/**
 * Whether a variant that Gradle has built is one that was asked for. Without a flavor, that is each of the build type.
 *
 * @param name as Gradle calls it
 */
export function isAskedFor(name: string, { name: wanted, buildType, flavor }: Variant): boolean {
  return name === wanted || (flavor === null && name.endsWith(capitalized(buildType)));
}

function capitalized(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
