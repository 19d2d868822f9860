import { TestEnvironment } from 'jest-environment-node';
import { openApiProblem } from './openapi-problem.ts';

declare global {
  // eslint-disable-next-line no-var
  var openApiProblem: typeof import('./openapi-problem.ts').openApiProblem;
}

/**
 * Jest loads the modules of each spec file again. This one is loaded once by each of its processes: the schemas of the
 * OpenAPI document, which take a second to compile, are shared by all spec files.
 */
export default class SharedOpenApi extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    this.global.openApiProblem = openApiProblem;
  }
}
