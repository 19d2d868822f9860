import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { TransactionalDataSource } from './database/transactional-data-source.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { AuditChain } from './organizations/audit-log/audit-chain.entity.js';
import { AuditEvent } from './organizations/audit-log/audit-event.entity.js';
import {
  chainedOrganizations,
  type ChainHead,
  verifyChain,
} from './organizations/audit-log/chain-verification.js';
import { runCommand, withDatabase } from './start/command.js';

const USAGE = 'Usage: npm run audit:verify -- [--heads FILE] [--write-heads FILE]';

/** `npm run audit:verify`: recomputes the chains of all audit events. See docs/audit-log.md. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { heads: { type: 'string' }, 'write-heads': { type: 'string' } },
  });
  const kept = values.heads === undefined ? [] : parseHeads(await readFile(values.heads, 'utf8'));
  await withDatabase(async (config) => {
    const options = dataSourceOptions(config.database.url ?? '', 2, 0);
    const database = new TransactionalDataSource({
      ...options,
      entities: [AuditChain, AuditEvent],
      migrations: [],
    });
    await database.initialize();
    try {
      const heads = await verify(kept);
      const file = values['write-heads'];
      // Never in place of good heads: what is broken must not pass for good at the next time.
      if (file !== undefined && process.exitCode !== 1) await writeFile(file, heads.map(toLine).join(''));
    } finally {
      await database.destroy();
    }
  });
}

/** Verifies and reports all chains; the exit code becomes 1 when one is broken. @returns the heads */
async function verify(kept: readonly ChainHead[]): Promise<ChainHead[]> {
  const keptBy = Map.groupBy(kept, ({ organizationId }) => organizationId);
  const heads: ChainHead[] = [];
  for await (const organizationId of chainedOrganizations()) {
    const { head, problem } = await verifyChain(organizationId, keptBy.get(organizationId));
    keptBy.delete(organizationId);
    heads.push(head);
    report(head, problem);
  }
  for (const organizationId of keptBy.keys()) {
    const none = { organizationId, sequence: 0, hash: '-' };
    report(none, 'There are no events any more, but the hash of one was kept.');
  }
  return heads;
}

function report({ organizationId, sequence, hash }: ChainHead, problem: string | null): void {
  if (problem === null) {
    console.log(`${organizationId}: ${sequence} events, head ${hash}`);
    return;
  }
  console.error(`${organizationId}: BROKEN after ${sequence} events. ${problem}`);
  process.exitCode = 1;
}

/** @throws Error that names the line that is no head */
function parseHeads(ndjson: string): ChainHead[] {
  return ndjson.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const head = parse(line);
    if (head === null) throw new Error(`Line ${index + 1} of the heads is not one.`);
    return [head];
  });
}

function parse(line: string): ChainHead | null {
  try {
    const { organizationId, sequence, hash } = JSON.parse(line) as Record<string, unknown>;
    if (typeof organizationId !== 'string' || typeof sequence !== 'number' || typeof hash !== 'string') {
      return null;
    }
    return { organizationId, sequence, hash };
  } catch {
    return null;
  }
}

function toLine(head: ChainHead): string {
  return `${JSON.stringify(head)}\n`;
}

runCommand(main, USAGE);
