import pg from 'pg';

/**
 * Uses a separate connection: for what a process does beside its pools, or without any, because it only starts others.
 *
 * @param databaseUrl as in `DATABASE_URL`
 * @param use what is done with it; the connection ends afterwards
 * @throws what `use` throws, and what pg throws when the database is lost
 */
export async function withConnection<T>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'slipway' });
  // Without a listener, a lost connection would end the process. The statement fails as well, or the next one.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
