/**
 * Deletes rows in short statements or transactions, so that no lock is held for long, until one finds fewer than it may
 * delete.
 *
 * @param size most rows of a batch
 * @param deleteBatch @returns how many rows it deleted
 * @returns how many rows all batches deleted
 */
export async function deleteInBatches(
  size: number,
  deleteBatch: (size: number) => Promise<number>,
): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await deleteBatch(size);
    total += deleted;
    if (deleted < size) return total;
  }
}
