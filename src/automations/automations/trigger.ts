import { BRANCHES, isQualified, matchesRef, refMatcher, TAGS } from '../../common/ref-patterns.js';
import type { TriggerType } from './automation.entity.js';

/** Which refs an automation builds. */
export interface Trigger {
  readonly triggerType: TriggerType;
  /** None: all of the kind. */
  readonly triggerPatterns: readonly string[];
}

/** The beginnings of the refs that a type of triggers is for. Bare names are those of the first. */
function kindsOf(type: TriggerType): readonly [string, ...string[]] {
  if (type === 'manual') return [BRANCHES, TAGS];
  return [type === 'tag' ? TAGS : BRANCHES];
}

/** The patterns as whole refs: `v*` of a tag automation is `refs/tags/v*`. */
export function wholePatterns({ triggerType, triggerPatterns }: Trigger): string[] {
  const kinds = kindsOf(triggerType);
  if (triggerPatterns.length === 0) return kinds.map((kind) => `${kind}**`);
  return triggerPatterns.map((pattern) => (isQualified(pattern) ? pattern : `${kinds[0]}${pattern}`));
}

/** Whether a ref, such as `refs/heads/main`, is one that the automation builds. */
export function triggerMatcher(trigger: Trigger): (ref: string) => boolean {
  const matches = refMatcher(wholePatterns(trigger));
  const kinds = kindsOf(trigger.triggerType);
  return (ref) => kinds.some((kind) => ref.startsWith(kind)) && matches(ref);
}

/** The whole name of the ref that a request names. */
export function wholeRef({ triggerType }: Trigger, ref: string): string {
  return isQualified(ref) ? ref : `${kindsOf(triggerType)[0]}${ref}`;
}

/** A pattern that no ref of the kind matches; `undefined`: there is none. */
export function findForeignPattern(trigger: Trigger): string | undefined {
  const kinds = kindsOf(trigger.triggerType);
  return trigger.triggerPatterns.find(
    (pattern) => isQualified(pattern) && !kinds.some((kind) => canMeet(pattern, `${kind}**`)),
  );
}

/** The beginnings that all refs of an automation have, as few as possible: for lists of refs. */
export function listedPrefixes(triggers: readonly Trigger[]): string[] {
  const all = new Set(triggers.flatMap((trigger) => wholePatterns(trigger).map(literalOf)));
  return [...all].filter((prefix) => ![...all].some((other) => other !== prefix && prefix.startsWith(other)));
}

/** Whether the patterns of an object, whose bare names are those of branches, can allow a ref of the automation. */
export function canAllow(allowedRefs: readonly string[], trigger: Trigger): boolean {
  const allowed = allowedRefs.map((pattern) => (isQualified(pattern) ? pattern : `${BRANCHES}${pattern}`));
  return wholePatterns(trigger).some((own) => allowed.some((pattern) => canMeet(own, pattern)));
}

/** Whether a ref may match both patterns: exact where one has no wildcard, otherwise by how they begin. */
function canMeet(one: string, other: string): boolean {
  const [begins, otherBegins] = [literalOf(one), literalOf(other)];
  if (begins === one) return matchesRef([other], one);
  if (otherBegins === other) return matchesRef([one], other);
  return begins.startsWith(otherBegins) || otherBegins.startsWith(begins);
}

/** What stands before the first wildcard. */
function literalOf(pattern: string): string {
  return /^[^*?]*/.exec(pattern)?.[0] ?? '';
}
