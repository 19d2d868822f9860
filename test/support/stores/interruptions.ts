import type { Submission } from '../../../src/app-submissions/submissions/submission.entity.js';
import { isDeep } from '../../setup/depth.js';
import type { Ended, StoreBench } from './store-bench.js';

/** A submission, or a change of its release, and how it has to end, whatever goes wrong in between. */
export interface Scenario {
  /** Prepares it, and names what runs. */
  readonly begin: () => Submission | Promise<Submission>;
  readonly expect: (ended: Ended) => void;
}

/**
 * Tests scenarios with processes that end and answers that are lost, each at every moment.
 *
 * @param renew makes a bench with a stand-in that has forgotten everything
 * @param known what the previous release stores at the same moments: during an update, its servers go on with what is
 *   stored here, and the other way round
 */
export function describeInterruptions<Name extends string, Call extends string>(
  scenarios: Readonly<Record<string, Scenario>>,
  renew: () => Promise<StoreBench<Name, Call>>,
  known: readonly string[],
): void {
  const stored = new Set<string>();

  describe.each(Object.entries(scenarios))('%s', (_, scenario) => {
    /** @param interrupt makes something go wrong @param when names it in failures */
    async function play(when: string, interrupt: (bench: StoreBench<Name, Call>) => void = () => undefined) {
      const bench = await renew();
      const submission = await scenario.begin();
      const before = { moments: bench.moments, calls: bench.standIn.calls.length };
      interrupt(bench);
      try {
        const ended = await bench.run(submission);
        bench.killAfter = null;
        await bench.clean(submission);
        scenario.expect(ended);
        expect(bench.turns).toEqual(new Set());
      } catch (error) {
        throw new Error(`It ends in another way when it is interrupted ${when}.`, { cause: error });
      }
      for (const line of bench.stored) stored.add(line);
      const { moments, standIn } = bench;
      return { moments: moments - before.moments, calls: standIn.calls.length - before.calls };
    }

    it('when nothing goes wrong', async () => {
      await play('never');
    });

    it('when the process ends before or after any of its calls and writes', async () => {
      const { moments } = await play('never');
      expect(moments).toBeGreaterThan(3);
      for (let moment = 1; moment <= moments; moment++)
        await play(`at moment ${moment}`, (bench) => void (bench.killAfter = bench.moments + moment));
    });

    // The tables of refusals have the others, at some calls.
    it.each(['lost-response', ...(isDeep ? (['cut', 'truncated'] as const) : [])] as const)(
      'when any of its answers is lost: %s',
      async (kind) => {
        const { calls } = await play('never');
        for (let after = 0; after < calls; after++)
          await play(`at call ${after + 1}`, ({ standIn }) => standIn.faults.add({ kind }, { after }));
      },
    );
  });

  it('stores what the previous release stores', () => {
    expect([...stored].sort()).toEqual(known);
  });
}
