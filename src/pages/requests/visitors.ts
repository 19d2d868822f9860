import type { SignedInVisit, Visit } from '../views/page.js';

/** A user who has signed in with a browser. */
export type Visitor = Omit<SignedInVisit, keyof Visit>;

/** What pages need from accounts: who is visiting? The accounts provide it. */
export abstract class Visitors {
  /**
   * Finds the user that a browser has signed in.
   *
   * @param token the value of the page cookie
   * @returns `null` when it is not the token of a session, or the session has ended
   */
  abstract find(token: string): Promise<Visitor | null>;
}
