import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import { Config } from '../../config/config.js';
import { KeptRows } from './kept-rows.js';
import { ChangeSignals, RELEASES } from '../change-signals.js';

beforeAll(() => Logger.overrideLogger(false));

function keptRows(staleMaxSeconds = 60) {
  const config = new Config();
  config.updateChecks.staleMaxSeconds = staleMaxSeconds;
  const signals = new ChangeSignals(config);
  const rows = new KeptRows(signals, config);
  rows.onModuleInit();
  return { rows, signals };
}

const unavailable = (): Promise<never> => Promise.reject(new DatabaseUnavailableError('ECONNREFUSED'));
const away = expect.objectContaining({ reason: 'ECONNREFUSED' }) as Error;

describe('KeptRows', () => {
  it('asks the database while it responds, and its memory while it does not', async () => {
    const { rows } = keptRows();
    await rows.find('app', 'file', async () => ({ n: 1 }));
    expect(await rows.find('app', 'file', async () => ({ n: 2 }))).toEqual({ n: 2 });
    expect(await rows.find('app', 'file', unavailable)).toEqual({ n: 2 });
    await expect(rows.find('app', 'other', unavailable)).rejects.toEqual(away);
    await expect(rows.find('other', 'file', unavailable)).rejects.toEqual(away);
    expect(rows.staleCount).toBe(1);
  });

  it('drops what a change of the app may have deleted, also one during the read', async () => {
    const { rows, signals } = keptRows();
    for (const app of ['app', 'other']) await rows.find(app, 'file', async () => ({}));
    signals.notifyLocally(RELEASES, 'app');
    await expect(rows.find('app', 'file', unavailable)).rejects.toEqual(away);
    expect(await rows.find('other', 'file', unavailable)).toEqual({});
    await rows.find('app', 'file', async () => {
      signals.notifyLocally(RELEASES, 'app');
      return {};
    });
    await expect(rows.find('app', 'file', unavailable)).rejects.toEqual(away);
    await rows.find('other', 'file', async () => null);
    await expect(rows.find('other', 'file', unavailable)).rejects.toEqual(away);
  });

  it('does not wait for a database that does not respond', async () => {
    jest.useFakeTimers();
    try {
      const { rows } = keptRows();
      await rows.find('app', 'file', async () => ({ n: 1 }));
      const hanging = (): Promise<object> => new Promise(() => undefined);
      const found = rows.find('app', 'file', hanging);
      await jest.advanceTimersByTimeAsync(4000);
      rows.lost();
      await jest.advanceTimersByTimeAsync(1100);
      expect(await found).toEqual({ n: 1 });
    } finally {
      jest.useRealTimers();
    }
  });

  it('drops rows that were read while changes were not announced', async () => {
    const { rows } = keptRows();
    for (const disturb of [() => rows.lost(), () => rows.connected()]) {
      await rows.find('app', 'file', async () => {
        disturb();
        return {};
      });
      await expect(rows.find('app', 'file', unavailable)).rejects.toEqual(away);
    }
  });

  it('keeps nothing when that is turned off, and other errors are no outage', async () => {
    const { rows } = keptRows(0);
    await rows.find('app', 'file', async () => ({}));
    await expect(rows.find('app', 'file', unavailable)).rejects.toEqual(away);
    const bug = new Error('A bug.');
    await expect(keptRows().rows.find('app', 'file', () => Promise.reject(bug))).rejects.toBe(bug);
  });

  it('blames the outage for bytes that are gone, which another server may have deleted', async () => {
    const { rows } = keptRows();
    const missing = (): Promise<never> => Promise.reject(new Error('gone'));
    await expect(rows.opening(missing)).rejects.toThrow('gone');
    await rows.find('app', 'file', async () => ({}));
    await rows.find('app', 'file', unavailable);
    await expect(rows.opening(missing)).rejects.toBeInstanceOf(DatabaseUnavailableError);
  });
});
