import 'reflect-metadata';
import { validateSync } from 'class-validator';
import { IsWholeNumber } from './is-whole-number.decorator.js';

class Counted {
  @IsWholeNumber(1, 10)
  count: unknown;
}

/** The one sentence about a value; `undefined`: it is fine. */
function problemOf(count: unknown): string | undefined {
  const counted = Object.assign(new Counted(), { count });
  const problems = validateSync(counted, { stopAtFirstError: true }).flatMap(({ constraints }) =>
    Object.values(constraints ?? {}),
  );
  expect(problems.length).toBeLessThan(2);
  return problems[0];
}

describe('a whole number', () => {
  it.each([1, 10])('can be %d', (count) => {
    expect(problemOf(count)).toBeUndefined();
  });

  it.each([
    [0, 'count must be at least 1.'],
    [11, 'count must be at most 10.'],
    [1.5, 'count must be a whole number.'],
    ['5', 'count must be a whole number.'],
    [null, 'count must be a whole number.'],
    [[5], 'count must be a whole number.'],
    [Number.NaN, 'count must be a whole number.'],
  ])('is not %j: %s', (count, sentence) => {
    expect(problemOf(count)).toBe(sentence);
  });
});
