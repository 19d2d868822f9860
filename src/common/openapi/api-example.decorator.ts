/** The extension of a schema that holds its example until `documentExamples` reads and removes it. */
export const EXAMPLE = 'x-example';

/** Where Nest keeps the extensions of a class. */
const EXTENSIONS = 'swagger/apiExtension';

/**
 * Completes the example of a body or a response. Without it, the example has the required fields, each with its own
 * example or the simplest value of its type. Swagger UI fills in the example of a body, so it must be a valid request;
 * `test/e2e/try-it-out.spec.ts` sends it.
 *
 * @param fields take the place of those of the same name
 */
export function ApiExample(fields: Readonly<Record<string, unknown>>): ClassDecorator {
  return (target) => {
    const extensions = Reflect.getOwnMetadata(EXTENSIONS, target) as object | undefined;
    Reflect.defineMetadata(EXTENSIONS, { ...extensions, [EXAMPLE]: fields }, target);
  };
}
