import { join } from 'node:path';
import { installTool } from '../install-tool.ts';

/** Writes the program `security` into a folder of tools (`RUNNER_TOOLS_DIR`). */
export function installSecurity(toolsDir: string): void {
  installTool(toolsDir, 'security', join(import.meta.dirname, 'main.ts'));
}
