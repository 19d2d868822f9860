import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpenApiDocument } from './openapi-document.ts';
import ProfiledEnvironment from './profiled-environment.ts';

/** What spec files check responses with. */
export interface OpenApiChecks {
  document: OpenApiDocument;
  /** Checks responses of this spec file against another document from now on. @param text JSON */
  use(text: string): void;
}

declare global {
  var openApi: OpenApiChecks;
}

const committed = new OpenApiDocument(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));

/**
 * Jest loads the modules of each spec file again. This one is loaded once by each of its processes: all spec files share
 * the schemas of the OpenAPI document, which take a second to compile.
 */
export default class SharedOpenApiEnvironment extends ProfiledEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    const checks: OpenApiChecks = {
      document: committed,
      use: (text) => (checks.document = new OpenApiDocument(text)),
    };
    this.global.openApi = checks;
  }
}
