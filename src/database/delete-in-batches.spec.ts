import { deleteInBatches } from './delete-in-batches.js';

it.each([
  [[], 0, 1],
  [[3], 3, 1],
  [[5], 5, 2],
  [[5, 5, 2, 5], 12, 3],
])('of a size of 5 ends after the first that is smaller: %j', async (batches, total, calls) => {
  const left = [...batches];
  const sizes: number[] = [];
  const deleteBatch = async (size: number): Promise<number> => {
    sizes.push(size);
    return left.shift() ?? 0;
  };
  expect(await deleteInBatches(5, deleteBatch)).toBe(total);
  expect(sizes).toEqual(Array(calls).fill(5));
});
