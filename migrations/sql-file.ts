import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads a file of SQL statements beside this one. @param name such as `jobs.sql` */
export function sqlFile(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, name), 'utf8');
}
