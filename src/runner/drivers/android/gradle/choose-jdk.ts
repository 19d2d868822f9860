import { StepError } from '../../../steps/build-run.js';
import type { Jdk } from '../../../steps/tools/jdks.js';

/** The first version of the plugin that is built with Java 21. */
const JAVA_21_SINCE = [8, 7, 2];
/** For projects that do not name their plugin, the first that is there. */
const USUAL = [21, 17];

/**
 * The JDK of a build.
 *
 * @param wanted `JAVA_VERSION`, such as `17` or `17.0.9`: the major version counts
 * @param pluginVersion of the Android Gradle plugin; `null`: not known
 * @throws StepError when this machine does not have it, with those that it has
 */
export function chooseJdk(
  jdks: readonly Jdk[],
  wanted: string | undefined,
  pluginVersion: string | null,
): Jdk {
  const there = jdks.map(({ major }) => major).join(', ');
  if (jdks.length === 0) {
    throw missing('This runner has no JDK: its operator installs one, or sets RUNNER_JDK_DIR.');
  }
  const text = wanted?.trim() ?? '';
  if (text !== '') {
    const [, major] = /^(?:1\.)?(\d{1,3})(?:[._+-][\w.+-]{0,50})?$/.exec(text) ?? [];
    const found = jdks.find((jdk) => jdk.major === Number(major));
    if (found !== undefined) return found;
    throw missing(
      `This runner does not have the JDK that JAVA_VERSION names (${JSON.stringify(text.slice(0, 50))}): it has ${there}.`,
    );
  }
  const majors = pluginVersion === null ? USUAL : [javaOf(pluginVersion)];
  const found = majors
    .map((major) => jdks.find((jdk) => jdk.major === major))
    .find((jdk) => jdk !== undefined);
  if (found !== undefined) return found;
  const reason =
    pluginVersion === null
      ? `JDK ${USUAL.join(' or ')}`
      : `JDK ${majors[0]}, which the Android Gradle plugin ${pluginVersion.slice(0, 30)} of the project takes`;
  throw missing(`This runner does not have ${reason}: it has ${there}. JAVA_VERSION chooses another one.`);
}

/** The Java that builds with this version of the Android Gradle plugin. */
export function javaOf(pluginVersion: string): number {
  const parts = pluginVersion.split(/[.-]/).map(Number);
  for (const [index, least] of JAVA_21_SINCE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least ? 21 : 17;
  }
  return 21;
}

function missing(message: string): StepError {
  return new StepError('configuration', message);
}
