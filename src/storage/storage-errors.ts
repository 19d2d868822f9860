/** Thrown by reads of a key under which nothing is stored. */
export class ObjectNotFoundError extends Error {
  override readonly name = 'ObjectNotFoundError';

  constructor(readonly key: string) {
    super(`No object is stored under "${key}".`);
  }
}
