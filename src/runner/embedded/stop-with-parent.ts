/** How long it may take to stop builds after the parent has died, in milliseconds. */
const STOP_WITHIN = 5000;

/**
 * Ends this process soon after the server that started it has died: its builds could not report to anyone, and the next
 * start of the server brings another runner. Does nothing in a runner that was started on its own.
 */
export function stopWithParent(): void {
  // The server starts it with a channel, which the system closes when the server is gone, however that ended.
  if (process.channel === undefined || process.channel === null) return;
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), STOP_WITHIN).unref();
  });
  process.channel.unref();
}
