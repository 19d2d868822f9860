import { type PlanPosition, planEvents } from './rollout-plan-writer.service.js';

const NOW = new Date(0);
const LATER = new Date(1);

const draft: PlanPosition = { state: 'draft', stepIndex: null, stepStartedAt: null };
const first: PlanPosition = { state: 'running', stepIndex: 0, stepStartedAt: NOW };
const second: PlanPosition = { state: 'running', stepIndex: 1, stepStartedAt: NOW };
/** A store has not taken the share of the second step. */
const requested: PlanPosition = { ...second, stepStartedAt: null };

const typesOf = (before: PlanPosition, changes: Partial<PlanPosition>): string[] =>
  planEvents(before, { ...before, ...changes }).map(({ type }) => type.replace('app_rollout_', ''));

describe('the events of a plan', () => {
  it('are its steps, from the first one on', () => {
    expect(typesOf(draft, first)).toEqual(['step_reached']);
    expect(typesOf(first, second)).toEqual(['step_reached']);
  });

  it('do not repeat a step that starts again', () => {
    expect(typesOf({ ...first, state: 'held' }, { state: 'running', stepStartedAt: LATER })).toEqual([
      'resumed',
    ]);
    expect(typesOf(first, {})).toEqual([]);
  });

  it('wait for the store to take the share of a step', () => {
    expect(typesOf(draft, { ...requested, stepIndex: 0 })).toEqual([]);
    expect(typesOf(first, requested)).toEqual([]);
    expect(typesOf(requested, { stepStartedAt: NOW })).toEqual(['step_reached']);
    expect(typesOf({ ...requested, state: 'held' }, { stepStartedAt: NOW })).toEqual(['step_reached']);
    expect(typesOf({ ...requested, state: 'held' }, { state: 'running' })).toEqual(['resumed']);
    expect(typesOf({ ...requested, state: 'held' }, second)).toEqual(['resumed', 'step_reached']);
  });

  it('say that it is held, also at a step that a store refuses', () => {
    expect(typesOf(first, { state: 'held' })).toEqual(['held']);
    expect(typesOf(first, { ...requested, state: 'held' })).toEqual(['held']);
  });

  it('end with one of its completion or abortion', () => {
    expect(typesOf(second, { state: 'completed', stepIndex: 2 })).toEqual(['completed']);
    expect(typesOf(draft, { state: 'completed', stepIndex: 0, stepStartedAt: NOW })).toEqual(['completed']);
    expect(typesOf(first, { state: 'aborted' })).toEqual(['aborted']);
    expect(typesOf({ ...requested, state: 'held' }, { state: 'aborted' })).toEqual(['aborted']);
    expect(typesOf({ ...second, state: 'aborted' }, { state: 'aborted' })).toEqual([]);
  });
});
