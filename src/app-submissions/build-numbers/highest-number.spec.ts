import { highestNumberOf } from './build-numbers.service.js';

describe('highestNumberOf', () => {
  it.each<[readonly string[], number | null]>([
    [[], null],
    [['9', '10', '2'], 10],
    [['007'], 7],
    [['1.0.3', '2', '12.99'], 12],
    [['202611261305'], 202_611_261_305],
    [['0'], 0],
    [['', 'x', '1a', '-5', '1.', '.5', '1e9', ' 3 '], 3],
    [['1'.repeat(19)], null],
  ])('of %j is %j', (texts, highest) => {
    expect(highestNumberOf(texts)).toBe(highest);
  });
});
