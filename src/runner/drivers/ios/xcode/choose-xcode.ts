import { StepError } from '../../../steps/build-run.js';
import type { Xcode } from '../../../steps/tools/xcodes.js';

/**
 * The Xcode of a build.
 *
 * @param xcodes the newest first
 * @param wanted `XCODE_VERSION`: a version such as `26.2`, or the beginning of one, such as `26`; default: the newest release
 * @throws StepError when this machine does not have it, with those that it has
 */
export function chooseXcode(xcodes: readonly Xcode[], wanted: string | undefined): Xcode {
  const text = wanted?.trim() ?? '';
  const isWanted = ({ version }: Xcode): boolean => text === version || version.startsWith(`${text}.`);
  const candidates = text === '' ? xcodes : xcodes.filter(isWanted);
  // A beta is used only where nothing else fits: what it builds cannot be published.
  const found = candidates.find(({ isBeta }) => !isBeta) ?? candidates[0];
  if (found !== undefined) return found;
  if (xcodes.length === 0) {
    throw missing('This runner has no Xcode: its operator installs one, or sets RUNNER_XCODE_DIR.');
  }
  const there = xcodes.map(nameOf).join(', ');
  throw missing(
    `This runner does not have the Xcode that XCODE_VERSION names (${JSON.stringify(text.slice(0, 50))}): it has ${there}.`,
  );
}

/** For people. */
export function nameOf({ version, isBeta }: Xcode): string {
  return isBeta ? `${version} beta` : version;
}

function missing(message: string): StepError {
  return new StepError('configuration', message);
}
