import { type BuildRun, StepError, variableOf } from '../../../../steps/build-run.js';
import { quoted, quotedList } from './quoted.js';

const NAME = 'IOS_PROVISIONING_PROFILE_MAP';
/** Apple's characters for bundle ids, and a wildcard as its last part. */
const BUNDLE_ID = /^(\*|[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(\.\*)?)$/;
const MAX_LENGTH = 255;
const EXAMPLE = '{"com.example.app.widget": "WidgetExtension"}';

/**
 * Which target gets the profiles of which bundle id, as the variable `IOS_PROVISIONING_PROFILE_MAP` says:
 * `{bundleId: targetName}`.
 *
 * @param targets names of those that are signed
 * @returns bundle ids by target; empty: the variable is not set
 * @throws StepError when the variable is not such an object, or names other targets
 */
export function readProfileMap(
  run: Pick<BuildRun, 'payload'>,
  targets: readonly string[],
): ReadonlyMap<string, string> {
  const text = (variableOf(run, NAME) ?? '').trim();
  const map = new Map<string, string>();
  if (text === '') return map;
  for (const [bundleId, target] of entriesOf(text)) {
    if (bundleId.length > MAX_LENGTH || !BUNDLE_ID.test(bundleId)) {
      throw new StepError('sign', `${NAME} has the key ${quoted(bundleId)}, which is no bundle id.`);
    }
    if (typeof target !== 'string') {
      throw new StepError('sign', `${NAME} must have the name of a target for ${quoted(bundleId)}.`);
    }
    if (!targets.includes(target)) {
      throw new StepError(
        'sign',
        `${NAME} names the target ${quoted(target)}, and the targets that are signed are ${quotedList(targets)}.`,
      );
    }
    const other = map.get(target);
    if (other !== undefined) {
      throw new StepError(
        'sign',
        `${NAME} has two bundle ids for the target ${quoted(target)}: ${quotedList([other, bundleId])}.`,
      );
    }
    map.set(target, bundleId);
  }
  return map;
}

function entriesOf(text: string): [string, unknown][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StepError(
      'sign',
      `${NAME} must be a JSON object of bundle ids and names of targets, such as ${EXAMPLE}.`,
    );
  }
  return Object.entries(value);
}
