/** What must be removed, the newest first. */
const removals: (() => Promise<void>)[] = [];

/** Works with something, and removes it at the end, also when the process is interrupted. */
export async function withRemoval(remove: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  let removed: Promise<void> | undefined;
  const removal = (): Promise<void> => (removed ??= remove());
  if (removals.length === 0) process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  removals.unshift(removal);
  try {
    await work();
  } finally {
    await removal();
    removals.splice(removals.indexOf(removal), 1);
    if (removals.length === 0) process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

function interrupt(signal: NodeJS.Signals): void {
  void removeAll().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
}

async function removeAll(): Promise<void> {
  for (const removal of removals.slice()) await removal().catch((error: unknown) => console.error(error));
}
