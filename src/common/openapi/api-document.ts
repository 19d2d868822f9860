import type { OpenAPIObject } from '@nestjs/swagger';

/** The OpenAPI document of the application, which has the schemas of events, too. */
export class ApiDocument {
  private document: OpenAPIObject | undefined;

  /** @param create runs at the first `get`: it takes a good part of a start, and most processes never need it */
  constructor(private readonly create: () => OpenAPIObject = noDocument) {}

  get(): OpenAPIObject {
    return (this.document ??= this.create());
  }
}

/** Commands serve no requests. */
function noDocument(): never {
  throw new Error('There is no document.');
}
