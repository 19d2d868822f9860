import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { builtDatabase } from '../../test/setup/built.ts';
import { SHIPPED_OPTIONS } from '../../test/setup/node-options.ts';
import { type ServerProcess, startServer } from '../../test/setup/server.ts';
import { Api } from './api.ts';
import { note } from './print.ts';

/** What a demo plays. */
export interface Demo {
  readonly title: string;
  /** Of the server, besides the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** @throws Error when anything is not as it should be */
  play(api: Api): Promise<void>;
  /** Ends what the demo started. */
  stop?(): Promise<void>;
}

/**
 * Starts an instance of its own (temporary folder, embedded PostgreSQL, free port), plays a demo against it over HTTP, and
 * leaves nothing behind. The process ends with 1 when anything is not as expected, and with the usual code of a signal when
 * interrupted.
 */
export async function runDemo({ title, env = {}, play, stop }: Demo): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-demo-'));
  const starting = startServer(
    { DATA_DIR: dataDir, LOG_LEVEL: 'info', ...env },
    { nodeOptions: SHIPPED_OPTIONS },
  );
  starting.catch(() => undefined);
  let cleaning: Promise<void> | undefined;
  const cleanUp = (): Promise<void> => (cleaning ??= removeEverything(starting, dataDir, stop));
  const interrupt = async (code: number): Promise<void> => {
    // Also when the user interrupts it: nothing must stay behind.
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', () => undefined);
    process.exitCode = code;
    note('Interrupted: cleaning up …');
    await cleanUp();
  };
  process.once('SIGINT', () => void interrupt(130));
  process.once('SIGTERM', () => void interrupt(143));
  try {
    console.log(styleText('bold', title));
    note('Starting a server with an embedded PostgreSQL in a temporary folder …');
    const server = await starting;
    note(`It answers at ${server.origin}.`);
    await play(new Api(server.origin, (await readFile(join(dataDir, 'token'), 'utf8')).trim()));
    console.log(`\n${styleText(['bold', 'green'], 'All of it went as it should.')}`);
  } catch (error) {
    // An interruption makes whatever is under way fail.
    if (cleaning === undefined) {
      console.error(`\n${styleText(['bold', 'red'], 'This is not as it should be:')}`, error);
      process.exitCode = 1;
    }
  } finally {
    await cleanUp();
  }
}

async function removeEverything(
  starting: Promise<ServerProcess>,
  dataDir: string,
  stop: Demo['stop'],
): Promise<void> {
  const server = await starting.catch((): ServerProcess | undefined => undefined);
  const code = await server?.stop();
  if (code !== undefined && code !== 0) {
    console.error(`The server ended with ${code}.`);
    process.exitCode ??= 1;
  }
  await stop?.();
  const { removeEmbeddedPostgresData } = await builtDatabase();
  await removeEmbeddedPostgresData(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}
