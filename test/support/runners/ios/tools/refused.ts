import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A stand-in refuses what the manual does not describe, as the real program does or more strictly. */
export class Refused extends Error {
  readonly exitCode: number;

  /** @param exitCode those of sysexits(3): 64 usage, 65 data, 66 no input, 70 software */
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A call of a stand-in, as its log has it. */
export interface ToolCall {
  readonly tool: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly developerDir: string | null;
}

/** Where stand-ins write their calls: beside their folder. */
export const callsFile = (toolsDir: string): string => join(toolsDir, '../tool-calls.jsonl');

/** Runs a stand-in: records the call, and ends with the code of what it refuses. */
export async function runTool(
  tool: string,
  work: (args: readonly string[]) => void | Promise<void>,
): Promise<void> {
  const args = process.argv.slice(2);
  const home = process.env['HOME'] ?? '';
  const call: ToolCall = {
    tool,
    args,
    cwd: process.cwd(),
    home,
    developerDir: process.env['DEVELOPER_DIR'] ?? null,
  };
  const file = callsFile(process.env['STAND_IN_DIR'] ?? '/nonexistent');
  mkdirSync(join(file, '..'), { recursive: true });
  appendFileSync(file, `${JSON.stringify(call)}\n`);
  try {
    await work(args);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}
