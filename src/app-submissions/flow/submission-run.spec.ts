import type { WorkerRun } from '../../jobs/jobs/worker-run.js';
import type { StoreSession } from '../calls/store-session.js';
import type { Submission } from '../submissions/submission.entity.js';
import { RunOver, type RunTools, SubmissionRun } from './submission-run.js';

interface State {
  readonly hasFile: boolean;
  readonly editId: string;
}

/** What a flow does in one run that begins at a step: the steps that it does, and where the next run begins. */
async function play(
  step: string,
  flow: (run: SubmissionRun<State>, did: (step: string) => () => Promise<void>) => Promise<void>,
  external: Record<string, unknown> = {},
) {
  const submission = { id: 's', step, stepAttempts: 2, external } as unknown as Submission;
  const done: string[] = [];
  const write = (_: string, changes: Partial<Submission>): Promise<void> =>
    Promise.resolve(void Object.assign(submission, changes));
  const worker = {
    hold: <R>(work: () => Promise<R>) => work(),
    log: () => Promise.resolve(),
    goOn: async ({ publish }: { publish?: () => Promise<void> }) => publish?.(),
  } as unknown as WorkerRun;
  const tools = { progress: { write } } as unknown as RunTools;
  const run = new SubmissionRun<State>(submission, {} as StoreSession, worker, tools);
  const did = (name: string) => () => Promise.resolve(void done.push(name));
  const isOver = await flow(run, did).then(
    () => false,
    (error: unknown) => {
      if (!(error instanceof RunOver)) throw error;
      return true;
    },
  );
  return {
    done,
    isOver,
    next: submission.step,
    attempts: submission.stepAttempts,
    external: submission.external,
  };
}

describe('a run', () => {
  it.each([
    ['first', ['first'], 'second'],
    ['second', ['second'], 'third'],
  ])('at the step %s does it, and stores the next one', async (step, done, next) => {
    const run = await play(step, async (one, did) => {
      await one.once('first', did('first'));
      await one.once('second', did('second'));
      await one.once('third', did('third'));
    });
    expect(run).toMatchObject({ done, next, isOver: true, attempts: 0 });
  });

  it('leaves out a step that is not needed when it would be the next one, and does it when it is stored', async () => {
    const flow =
      (hasFile: boolean) => async (one: SubmissionRun<State>, did: (step: string) => () => Promise<void>) => {
        await one.once('edit', did('edit'));
        await one.once('upload', did('upload'), { unless: hasFile });
        await one.once('track', did('track'));
      };
    expect(await play('edit', flow(true))).toMatchObject({ done: ['edit'], next: 'track' });
    expect(await play('edit', flow(false))).toMatchObject({ done: ['edit'], next: 'upload' });
    expect(await play('upload', flow(true))).toMatchObject({ done: ['upload'], next: 'track' });
  });

  it('does both parts of a step that comes twice, when nothing is between them', async () => {
    const flow =
      (needsReview: boolean) =>
      async (one: SubmissionRun<State>, did: (step: string) => () => Promise<void>) => {
        await one.once('groups', did('internal'));
        await one.once('review', did('review'), { unless: !needsReview });
        await one.once('groups', did('all'));
      };
    expect(await play('groups', flow(true))).toMatchObject({ done: ['internal'], next: 'review' });
    expect(await play('review', flow(true))).toMatchObject({ done: ['review'], next: 'groups' });
    expect(await play('groups', flow(false))).toMatchObject({ done: ['internal', 'all'], isOver: false });
  });

  it('does nothing at a step that the flow does not have', async () => {
    const run = await play('other', (one, did) => one.once('first', did('first')));
    expect(run).toMatchObject({ done: [], next: 'other', isOver: false });
  });

  it('counts attempts, and begins again where a step says', async () => {
    const run = await play('track', (one) => one.tryAgain({ from: 'edit', afterSeconds: 1 }));
    expect(run).toMatchObject({ next: 'edit', attempts: 3, isOver: true });
  });

  it('keeps parts of the state, and forgets some', async () => {
    const run = await play(
      'track',
      async (one) => {
        await one.keep({ editId: '7' });
        expect(one.reached('editId')).toBe('7');
        await one.forget(['editId']);
        expect(() => one.reached('editId')).toThrow('has no editId at this step');
      },
      { hasFile: true },
    );
    expect(run.external).toEqual({ hasFile: true });
  });
});
