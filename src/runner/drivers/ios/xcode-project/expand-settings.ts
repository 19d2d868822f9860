/** @param skipped levels that are not asked, for `$(inherited)` @returns `null`: it is not set */
export type Lookup = (
  name: string,
  skipped: number,
) => { readonly value: string; readonly level: number } | null;

const MAX_DEPTH = 32;
const MAX_LOOKUPS = 200;
const MAX_LENGTH = 2000;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/** What an expansion is in the middle of. */
interface Scope {
  /** The setting whose value is expanded, and where it was found. */
  readonly name: string | null;
  readonly level: number;
  /** Names and levels that are being expanded: a cycle ends. */
  readonly open: ReadonlySet<string>;
}

/**
 * Replaces `$(NAME)`, `${NAME}`, `$(NAME:operator)` and `$(inherited)`, also inside of each other.
 *
 * What is not set is empty, as in Xcode.
 *
 * @returns `null`: a name is part of a cycle, or has an operator that Slipway does not know; or it gets too long
 */
export function expand(text: string, lookup: Lookup): string | null {
  const budget = { lookups: MAX_LOOKUPS };
  return expandIn(text, lookup, { name: null, level: -1, open: new Set() }, budget);
}

function expandIn(text: string, lookup: Lookup, scope: Scope, budget: { lookups: number }): string | null {
  if (scope.open.size > MAX_DEPTH || text.length > MAX_LENGTH) return null;
  let result = '';
  for (let at = 0; at < text.length;) {
    const end = text[at] === '$' ? endOfVariable(text, at + 1) : null;
    if (end === null) {
      result += text[at++];
    } else {
      const value = valueOf(text.slice(at + 2, end), lookup, scope, budget);
      if (value === null) return null;
      result += value;
      at = end + 1;
    }
    if (result.length > MAX_LENGTH) return null;
  }
  return result;
}

/** @returns where its bracket closes; `null`: no variable begins here */
function endOfVariable(text: string, open: number): number | null {
  const closing = CLOSING[text[open] ?? ''];
  if (closing === undefined) return null;
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === text[open]) depth++;
    else if (text[at] === closing && --depth === 0) return at;
  }
  return null;
}

function valueOf(inner: string, lookup: Lookup, scope: Scope, budget: { lookups: number }): string | null {
  if (--budget.lookups < 0) return null;
  const expanded = inner.includes('$') ? expandIn(inner, lookup, nested(scope, inner), budget) : inner;
  if (expanded === null) return null;
  const [name = '', ...operators] = expanded.split(':');
  const value = name === 'inherited' ? inherited(lookup, scope, budget) : named(name, lookup, scope, budget);
  return applyOperators(value, operators);
}

/** What lower levels say; nothing, if they say nothing. */
function inherited(lookup: Lookup, scope: Scope, budget: { lookups: number }): string | null {
  if (scope.name === null) return null;
  const found = lookup(scope.name, scope.level + 1);
  if (found === null) return '';
  return expandIn(found.value, lookup, entered(scope, scope.name, found.level), budget);
}

function named(name: string, lookup: Lookup, scope: Scope, budget: { lookups: number }): string | null {
  // A setting that names itself means what lower levels say.
  const found = lookup(name, name === scope.name ? scope.level + 1 : 0);
  if (found === null) return '';
  if (scope.open.has(`${name} ${found.level}`)) return null;
  return expandIn(found.value, lookup, entered(scope, name, found.level), budget);
}

function entered(scope: Scope, name: string, level: number): Scope {
  return { name, level, open: new Set([...scope.open, `${name} ${level}`]) };
}

function nested(scope: Scope, inner: string): Scope {
  return { ...scope, open: new Set([...scope.open, `(${inner}`]) };
}

/** Operators of Apple's build system (swift-build, MacroExpressionParser): what each does to a value. */
const OPERATORS: Readonly<Record<string, (value: string) => string>> = {
  lower: (value) => value.toLowerCase(),
  upper: (value) => value.toUpperCase(),
  identifier: (value) => value.replaceAll(/[^A-Za-z0-9_]/gu, '_').replace(/^\d/, '_'),
  c99extidentifier: (value) => value.replaceAll(/[^\p{L}\p{N}_]/gu, '_').replace(/^\d/, '_'),
  rfc1034identifier: (value) => value.replaceAll(/[^A-Za-z0-9-]/gu, '-').replace(/^\d/, '-'),
  file: (value) => value.slice(value.lastIndexOf('/') + 1),
  base: (value) => value.slice(value.lastIndexOf('/') + 1).replace(/(?<=.)\.[^.]*$/, ''),
};

function applyOperators(value: string | null, operators: readonly string[]): string | null {
  let result = value;
  for (const operator of operators) {
    if (operator.startsWith('default=')) result = (result ?? '') === '' ? operator.slice(8) : result;
    else if (result === null || !Object.hasOwn(OPERATORS, operator)) return null;
    else result = OPERATORS[operator]?.(result) ?? null;
  }
  return result;
}
