import { v7 as uuid } from 'uuid';
import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';
import type { TestApp } from './app.js';

/** A native build, written to the database directly because no route creates one. @returns its id */
export async function createNativeBuild(
  app: TestApp,
  platform: 'android' | 'ios',
  number: number,
): Promise<string> {
  const id = uuid();
  await query(
    testEnvironment().databaseUrl,
    'INSERT INTO builds (id, app_id, number, platform, type) VALUES ($1, $2, $3, $4, $5)',
    [id, app.id, number, platform, platform === 'ios' ? 'simulator' : 'debug'],
  );
  return id;
}
