/** When builds are killed after the parent has died, in milliseconds. */
const KILL_AFTER = 1000;
/** When this process ends in any case, in milliseconds. */
const END_AFTER = 10_000;

/**
 * Ends this process soon after the server that started it has died: its builds could not report to anyone, and the next
 * start of the server brings another runner. Does nothing in a runner that was started on its own.
 */
export function stopWithParent(): void {
  // The server starts it with a channel, which the system closes when the server is gone, however that ended.
  if (process.channel === undefined || process.channel === null) return;
  process.once('disconnect', () => {
    // The first signal drains, the second kills what runs.
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGTERM'), KILL_AFTER).unref();
    setTimeout(() => process.exit(1), END_AFTER).unref();
  });
  process.channel.unref();
}
