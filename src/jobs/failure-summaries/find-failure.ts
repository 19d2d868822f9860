import type { Diagnosis, FailureRule } from './failure-rule.js';

/** Lines before and after a mark that belong to the same failure: compilers list many errors. */
const BEFORE = 200;
const AFTER = 60;
/** Lines that are shown. */
const MAX_SHOWN = 10;

/** Where a rule applies. */
interface Match {
  readonly rule: FailureRule;
  readonly index: number;
}

/** Frames of a stack that lie in libraries. */
const libraryFrame = /^(?:npm (?:error|ERR!))? {2,}at [^\n]{0,500}(?:node:|node_modules\/|<anonymous>\)?$)/;

/** Whether a line says nothing about a failure. */
export function isNoise(line: string): boolean {
  return libraryFrame.test(line) || /^npm (?:error|ERR!) A complete log of this run/.test(line);
}

/**
 * The failure that ended a job: the last one, because earlier ones were survived.
 *
 * @returns what the rule says; `null`: none applies
 */
export function findFailure(rules: readonly FailureRule[], lines: readonly string[]): Diagnosis | null {
  const special = lastMatch(
    rules.filter(({ isGeneral }) => isGeneral !== true),
    lines,
  );
  const general = lastMatch(
    rules.filter(({ isGeneral }) => isGeneral === true),
    lines,
  );
  const isNear =
    special !== null && (general === null || general.index - special.index <= (general.rule.reach ?? AFTER));
  const match = isNear ? special : general;
  return match === null ? null : diagnose(match, lines);
}

function lastMatch(rules: readonly FailureRule[], lines: readonly string[]): Match | null {
  for (let index = lines.length - 1; index >= 0; index--) {
    const rule = rules.find(({ mark }) => mark.test(lines[index] ?? ''));
    if (rule !== undefined) return { rule, index };
  }
  return null;
}

function diagnose({ rule, index }: Match, lines: readonly string[]): Diagnosis {
  const mark = lines[index] ?? '';
  const around = lines.slice(Math.max(0, index - BEFORE), index + AFTER);
  const detail =
    rule.detail === undefined ? rule.mark.exec(mark)?.[1] : firstGroup(rule.detail, lines, index);
  const { shows } = rule;
  const shown =
    typeof shows === 'number'
      ? lines.slice(index, index + 1 + shows)
      : around.filter((line) => line === mark || shows?.test(line) === true);
  return {
    cause: rule.cause(detail),
    lines: [...new Set(shown)].filter((line) => !isNoise(line)).slice(0, MAX_SHOWN),
    advice: typeof rule.advice === 'function' ? rule.advice(detail) : rule.advice,
  };
}

/** What the nearest line says: first those from the mark on, then those before it. */
function firstGroup(pattern: RegExp, lines: readonly string[], index: number): string | undefined {
  const nearest = [
    ...lines.slice(index, index + AFTER),
    ...lines.slice(Math.max(0, index - AFTER), index).toReversed(),
  ];
  for (const line of nearest) {
    const group = pattern.exec(line)?.[1];
    if (group !== undefined) return group;
  }
  return undefined;
}
