import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Logger } from '@nestjs/common';
import { Config } from '../../../src/config/config.js';
import { ChangeSignals, RELEASES, type TopicListener } from '../../../src/database/change-signals.js';
import { dataSourceOptions } from '../../../src/database/schema/data-source-options.js';
import { Sql } from '../../../src/database/sql.js';
import { transaction } from '../../../src/database/transactions/transaction.js';
import {
  setAway,
  TransactionalDataSource,
} from '../../../src/database/transactions/transactional-data-source.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { DatabaseProxy } from '../../support/servers/database-proxy.js';

const POOL_SIZE = 2;

let proxy: DatabaseProxy;
let database: TransactionalDataSource;
let sql: Sql;
let signals: ChangeSignals;

beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  proxy = await DatabaseProxy.start(testEnvironment().databaseUrl);
  database = new TransactionalDataSource(dataSourceOptions(proxy.url, POOL_SIZE));
  await database.initialize();
  sql = new Sql(database);
});
afterEach(async () => {
  await signals.stop();
  setAway(null);
  await database.destroy();
  await proxy.stop().catch(() => undefined);
});

function listening(url: string, listener: Partial<TopicListener> = {}): ChangeSignals {
  const config = new Config();
  config.database.url = url;
  signals = new ChangeSignals(config);
  signals.listen(RELEASES, {
    connected: () => undefined,
    lost: () => undefined,
    notified: () => undefined,
    ...listener,
  });
  return signals;
}

/** Accepts connections, and never says anything. */
async function silentServer(): Promise<Server & { url: string }> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(server, {
    url: `postgres://slipway@127.0.0.1:${(server.address() as AddressInfo).port}/slipway`,
  });
}

/** How often the signals lose their connection. */
async function losses(count: number, url: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let lost = 0;
  void listening(url, { lost: () => ++lost === count && resolve() }).start();
  await promise;
}

describe('signals that cannot connect', () => {
  it('are no reason to refuse statements while the pool works', async () => {
    const server = await silentServer();
    try {
      await losses(3, server.url);
      expect(database.away).toBeNull();
      // Nor while all connections of the pool are busy.
      const busy = Array.from({ length: POOL_SIZE }, () =>
        transaction(async () => {
          for (let n = 0; n < 25; n++) await sql.query('SELECT pg_sleep(0.2)');
        }),
      );
      await Promise.all(busy);
      expect(database.away).toBeNull();
    } finally {
      await signals.stop();
      server.close();
    }
  });

  it('are one when the pool does not respond either', async () => {
    await sql.query('SELECT 1');
    proxy.freeze();
    void listening(proxy.url).start();
    await eventually(() => expect(database.away).toBe('connection lost'));
    await expect(sql.query('SELECT 1')).rejects.toMatchObject({ reason: 'connection lost' });
    proxy.thaw();
    await eventually(() => expect(database.away).toBeNull());
    await sql.query('SELECT 1');
  });

  it('are one at once when the connection is refused', async () => {
    await proxy.stop();
    await listening(proxy.url).start();
    expect(database.away).toBe('ECONNREFUSED');
    await proxy.resume();
    await eventually(() => expect(database.away).toBeNull());
  });
});

it('subscribes no listener to a connection that was lost meanwhile', async () => {
  const events: string[] = [];
  const first = Promise.withResolvers<void>();
  listening(proxy.url, {
    connected: async () => {
      events.push('first connected');
      await first.promise;
    },
  });
  signals.listen(RELEASES, {
    connected: () => void events.push('second connected'),
    lost: () => {
      events.push('second lost');
      first.resolve();
    },
    notified: () => undefined,
  });
  const started = signals.start();
  await eventually(() => expect(events).toEqual(['first connected']));
  await proxy.stop();
  await started;
  expect(events).toEqual(['first connected', 'second lost']);
});
