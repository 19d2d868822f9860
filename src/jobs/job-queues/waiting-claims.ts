import { Injectable } from '@nestjs/common';
import type { GrantedJob } from '../job-leases/job-leases.queries.js';

/** How waiting ends: with a job, without one, or because the session is no longer the runner's. */
export type ClaimResult = GrantedJob | 'none' | 'ended';

/** A request of a runner that waits for a job. */
export interface WaitingClaim {
  readonly runnerId: string;
  /** `null`: the runner serves all organizations. */
  readonly organizationId: string | null;
  readonly sessionId: string;
  readonly claimId: string;
  readonly free: number;
  /** Its client has gone: it gets no job. */
  readonly gone: AbortSignal;
  /** @returns whether the client gets it: it is there, and has got nothing else */
  settle(result: ClaimResult): boolean;
}

/** The claims that wait at this replica. They hold no connection of the database. */
@Injectable()
export class WaitingClaims {
  /** The one that waits longest first. */
  private readonly claims = new Set<WaitingClaim>();

  get size(): number {
    return this.claims.size;
  }

  /** Those whose clients are still there, the one that waits longest first. */
  present(): WaitingClaim[] {
    return [...this.claims].filter(({ gone }) => !gone.aborted);
  }

  add(claim: WaitingClaim): void {
    this.claims.add(claim);
  }

  remove(claim: WaitingClaim): void {
    this.claims.delete(claim);
  }

  /** Ends the claims of other sessions of a runner. */
  endOthers(runnerId: string, sessionId: string): void {
    for (const claim of this.claims) {
      if (claim.runnerId === runnerId && claim.sessionId !== sessionId) claim.settle('ended');
    }
  }

  /** Ends the claims of a session of a runner: sessions of others stay, although their ids may be known. */
  endSession(runnerId: string, sessionId: string): void {
    for (const claim of this.claims) {
      if (claim.runnerId === runnerId && claim.sessionId === sessionId) claim.settle('ended');
    }
  }

  /** Ends all claims without a job. */
  endAll(): void {
    for (const claim of this.claims) claim.settle('none');
  }
}
