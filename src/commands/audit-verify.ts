import { readFile, writeFile } from 'node:fs/promises';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { AuditChain } from '../organizations/audit-log/audit-chain.entity.js';
import { AuditChainsModule } from '../organizations/audit-log/audit-chains.module.js';
import type { ChainHead } from '../organizations/audit-log/audit-chains.queries.js';
import { AuditEvent } from '../organizations/audit-log/audit-event.entity.js';
import { ChainVerifier } from '../organizations/audit-log/chain-verifier.js';
import { command } from './command.js';
import { withModules } from './with-application.js';

const NO_HEADS = `WARNING: there were no heads to compare with. Without heads that are stored outside of the database, this does not
detect a log that was rewritten as a whole. Pass them with --heads: --write-heads writes them, and the server
logs them every day as "Audit head".`;

/** `slipway audit verify`: recomputes the chains of all audit events. See docs/audit-log.md. */
export const auditVerify = command({
  options: {
    heads: { type: 'string', value: 'FILE', help: 'compare with the heads in this file' },
    'write-heads': {
      type: 'string',
      value: 'FILE',
      help: 'write the heads to this file, unless a chain is broken',
    },
  },
  details:
    'Prints the number of events and the head of each organization. The exit code is 1 if a chain is broken.',
  run: async ({ heads: headsFile, 'write-heads': newHeadsFile }) => {
    const kept = headsFile === undefined ? [] : parseHeads(await readFile(headsFile, 'utf8'));
    await withModules(
      (config) => [
        ConfigModule.with(config),
        DatabaseModule.with([AuditChain, AuditEvent], 0),
        AuditChainsModule,
      ],
      async (app) => {
        const heads = await verify(app.get(ChainVerifier), kept);
        if (kept.length === 0) console.error(NO_HEADS);
        // A broken chain must not pass for a good one at the next run.
        if (newHeadsFile !== undefined && process.exitCode !== 1) {
          await writeFile(newHeadsFile, heads.map(toLine).join(''));
        }
      },
    );
  },
});

/** Verifies and reports all chains; the exit code becomes 1 when one is broken. @returns the heads */
async function verify(chains: ChainVerifier, kept: readonly ChainHead[]): Promise<ChainHead[]> {
  const keptBy = Map.groupBy(kept, ({ organizationId }) => organizationId);
  const heads: ChainHead[] = [];
  for await (const organizationId of chains.organizationIds()) {
    const { head, problem } = await chains.verify(organizationId, keptBy.get(organizationId));
    keptBy.delete(organizationId);
    heads.push(head);
    report(head, problem);
  }
  for (const organizationId of keptBy.keys()) {
    const none = { organizationId, sequence: 0, hash: '-' };
    report(none, 'There are no events any more, but the file has a head.');
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

/** @throws Error with the number of a line that is not a head */
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
