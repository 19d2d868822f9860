import { crossedThresholds, thresholdsThatAreOver } from './storage-quota-watch.task.js';

it.each([
  [0, [], [80, 95, 100]],
  [0.7499, [], [80, 95, 100]],
  [0.75, [], [95, 100]],
  [0.8, [80], [95, 100]],
  [0.9, [80], [100]],
  [0.95, [80, 95], []],
  [1, [80, 95, 100], []],
  [3, [80, 95, 100], []],
])('with a share of %d crosses %j, and %j are over', (share, crossed, over) => {
  expect([crossedThresholds(share), thresholdsThatAreOver(share)]).toEqual([crossed, over]);
});
