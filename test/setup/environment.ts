import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestEnvironment } from 'jest-environment-node';
import { openApiChecker } from './openapi-checker.ts';

declare global {
  // eslint-disable-next-line no-var
  var openApiProblem: import('./openapi-checker.ts').OpenApiChecker;
}

const openApiProblem = openApiChecker(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));

/**
 * Jest loads the modules of each spec file again. This one is loaded once by each of its processes: the schemas of
 * `openapi.json`, which take a second to compile, are shared by all spec files.
 */
export default class SharedOpenApi extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    this.global.openApiProblem = openApiProblem;
  }
}
