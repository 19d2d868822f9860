import { rm } from 'node:fs/promises';
import { builtDatabase } from './built.ts';
import { problemsOfEvents } from './event-checks.ts';
import { takeForTeardown } from './running.ts';
import { testEnvironment } from './test-environment.ts';

/**
 * Stops what the global setup has started. A server that does not stop cleanly fails the run, and so do events
 * that do not fit their documents.
 */
export default async function globalTeardown(): Promise<void> {
  const running = takeForTeardown();
  if (running === undefined) return;
  const code = await running.server.stop();
  const errors = running.server.log.filter((line) => line.includes('"status":500'));
  if (errors.length > 0) process.stderr.write(`Responses with status 500:\n${errors.join('\n')}\n`);
  const problems = await problemsOfEvents(testEnvironment().databaseUrl);
  await running.postgres.stop();
  const { removeEmbeddedPostgresData } = await builtDatabase();
  await removeEmbeddedPostgresData(running.folder);
  await rm(running.folder, { recursive: true, force: true });
  if (problems.length > 0) {
    throw new Error(
      `${problems.length} events are wrong (npm run docs:generate after changes of *.events.ts):\n${problems.slice(0, 10).join('\n')}`,
    );
  }
  if (code !== 0) throw new Error(`The server under test ended with ${code}.`);
}
