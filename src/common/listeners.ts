/**
 * What follows a change, for areas below the one that makes it: they register it in `onModuleInit`. It runs in the
 * transaction of the change, one listener after the other, and an error of one undoes all of it. See ADR 7.
 */
export class Listeners<Arguments extends readonly unknown[]> {
  private readonly listeners: ((...args: Arguments) => Promise<void>)[] = [];

  /** Before any change, in `onModuleInit`. */
  register(listener: (...args: Arguments) => Promise<void>): void {
    this.listeners.push(listener);
  }

  /** Call it in the transaction of the change. */
  async notify(...args: Arguments): Promise<void> {
    for (const listener of this.listeners) await listener(...args);
  }
}
