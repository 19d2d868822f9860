/** Milliseconds that the clock of the database is ahead of the clock of this process; negative when it is behind. */
let ahead = 0;

/**
 * The time by the clock of the database, as far as this process knows it. Whatever expires is compared with it, so that
 * all servers agree and a server with a wrong clock does no harm.
 *
 * @param later milliseconds to add
 */
export function databaseNow(later = 0): Date {
  return new Date(Date.now() + ahead + later);
}

/**
 * Compares the two clocks. What is known already stays as long as the measurement allows it, so clocks that agree are
 * never set apart by a slow response.
 *
 * @param read reads the clock of the database, in a single row
 */
export async function compareClocks(read: () => Promise<readonly { readonly now: Date }[]>): Promise<void> {
  const before = Date.now();
  const rows = await read();
  const after = Date.now();
  const time = rows[0]?.now.getTime() ?? before;
  // The database read its clock between the two.
  ahead = Math.min(Math.max(ahead, time - after), time - before);
}
