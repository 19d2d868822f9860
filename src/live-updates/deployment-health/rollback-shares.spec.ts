import { clearedShares, crossedShares } from './rollback-shares.task.js';

describe('the share of devices that rolled back', () => {
  it.each([
    [19, 19, []],
    [20, 2, []],
    [20, 3, ['0.05']],
    [60, 3, ['0.05']],
    [61, 3, []],
    [100, 19, ['0.05']],
    [100, 20, ['0.05', '0.2']],
    [0, 0, []],
  ])('of %d is high when it is %d: %j', (applied, rolledBack, crossed) => {
    expect(crossedShares({ applied, rolledBack })).toEqual(crossed);
  });

  it.each([
    [100, 20, []],
    [100, 10, []],
    [100, 9, ['0.2']],
    [200, 5, ['0.2']],
    [200, 4, ['0.05', '0.2']],
    [0, 0, []],
  ])('of %d with %d may be crossed again: %j', (applied, rolledBack, cleared) => {
    expect(clearedShares({ applied, rolledBack })).toEqual(cleared);
  });
});
