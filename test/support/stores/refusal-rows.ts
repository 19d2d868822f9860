import type { FaultKind } from './stand-in/faults.js';
import type { Ended, Row } from './store-bench.js';

/** What a store refuses, by name, and at which calls. */
type Refusals<Name extends string, Call extends string> = Readonly<
  Record<Name, { readonly calls: readonly Call[] }>
>;

/** Writes rows of tables about what a store answers. */
export class RefusalRows<Name extends string, Call extends string> {
  constructor(private readonly refusals: Refusals<Name, Call>) {}

  /** The store refuses a call, the usual one unless another is given. */
  refused(refusal: Name, says: string | null, call?: Call, times = 1): Row<Name, Call> {
    const [usual] = this.refusals[refusal].calls;
    const at = call ?? usual;
    if (at === undefined) throw new Error(`${refusal} has no call.`);
    return { refusal, fault: null, call: at, times, says };
  }

  /** The store refuses each call of the refusal. */
  everywhere(refusal: Name, says: string | null): Row<Name, Call>[] {
    return this.refusals[refusal].calls.map((call) => this.refused(refusal, says, call));
  }

  /** Something else goes wrong with a call. */
  failed(fault: FaultKind, call: Call, says: string | null = null, times = 1): Row<Name, Call> {
    return { refusal: null, fault, call, times, says };
  }

  /** The names of refusals that no row has. */
  untested(names: readonly string[], rows: readonly Row<Name, Call>[]): string[] {
    const tested = new Set<string | null>(rows.map(({ refusal }) => refusal));
    return names.filter((name) => !tested.has(name));
  }
}

/** With their titles, for `test.each`. */
export function titled<R extends Row<string, string>>(rows: readonly R[]): [string, R][] {
  return rows.map((row) => {
    const { refusal, fault, call, times } = row;
    const often = times === 1 ? '' : times === Infinity ? ', for ever' : `, ${times} times`;
    return [`${refusal ?? fault} at ${call}${often}`, row];
  });
}

/** It failed, and says what to do; the log has the words of the store. */
export function expectFailed(ended: Ended, { says }: Pick<Row<string, string>, 'says'>, quote: string): void {
  const { status, state, message, statusMessage, log } = ended;
  expect([status, state]).toEqual(['failed', 'failed']);
  expect(statusMessage).toMatch(/^[A-Z].{10,298}\.$/);
  expect(message).toContain(says);
  expect(message).toContain(statusMessage);
  expect(log.split('\n').at(-1)).toBe(statusMessage);
  expectQuoted(log, quote);
}

/** It went on, and the log has the words of the store. */
export function expectPrepared({ status, state, statusMessage, log }: Ended, quote: string): void {
  expect([statusMessage, status, state]).toEqual([null, 'succeeded', 'prepared']);
  expectQuoted(log, quote);
}

function expectQuoted(log: string, quote: string): void {
  expect(`\n${log}`).toContain(`\n${quote}`);
}
