import type { BetaGroup } from '../stores/app-store-connect/apple-resources.js';
import { failed, passed } from './check-results.js';
import type { DestinationCheckDto } from './destination-check.dto.js';

/** Names that a sentence lists. */
const MOST_NAMES = 10;

/** Whether an app has the TestFlight groups that a destination names. @param groups all of the app */
export function checkGroups(names: readonly string[], groups: readonly BetaGroup[]): DestinationCheckDto {
  if (names.length === 0) {
    return passed('groups', 'The destination names no TestFlight groups: a build goes to TestFlight alone.');
  }
  const found = (name: string): BetaGroup[] => groups.filter((group) => group.name === name);
  const missing = names.filter((name) => found(name).length === 0);
  if (missing.length > 0) {
    return failed(
      'groups',
      `The app has no TestFlight group ${listOf(missing)}. It has ${listOf(groups.map(({ name }) => name))}: names are compared exactly.`,
    );
  }
  const twice = names.filter((name) => found(name).length > 1);
  if (twice.length > 0) {
    return failed('groups', `The app has several TestFlight groups ${listOf(twice)}: rename all but one.`);
  }
  const isExternal = names.some((name) => found(name).some(({ isInternal }) => !isInternal));
  return passed(
    'groups',
    `The app has the TestFlight groups ${listOf(names)}.${isExternal ? ' Testers who are external get a build after its beta review.' : ''}`,
  );
}

function listOf(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
