/** A submission with its job, as the database has them. */
export interface SubmissionRow extends Record<string, unknown> {
  readonly id: string;
  readonly jobId: string;
  readonly artifactId: string;
  readonly destinationId: string;
  readonly packageName: string;
  readonly versionCode: string;
  readonly track: string;
  readonly state: string;
  readonly status: string;
  readonly message: string | null;
  readonly statusMessage: string | null;
  readonly editId: string | null;
  readonly commitSentAt: Date | null;
  readonly waitsFor: string | null;
  readonly sealedUpload: string | null;
  /** Whether its row of `store_turns` is there. */
  readonly hasEdit: boolean;
  /** Whether the removal of what it has left at the store is still to be done. */
  readonly isCleaning: boolean;
}

/** A build of the simulation, in the only app that has its package with this version code. */
export interface SimulatedBuild {
  readonly id: string;
  readonly app: number;
  readonly packageName: string;
  readonly versionCode: string;
}

/** Where builds of an app go. */
export interface SimulatedDestination {
  readonly id: string;
  readonly app: number;
  readonly packageName: string;
  readonly track: string;
}

/** What the simulation knows. */
export class SubmissionModel {
  /** Deployments whose creation was acknowledged. */
  readonly created = new Set<string>();
  /** How many requests got no answer, and may have created one. */
  unknownCreates = 0;
  /** Whose cancellation was acknowledged. */
  readonly canceled = new Set<string>();
  readonly cancelAsked = new Set<string>();
  readonly doneAsked = new Set<string>();
  last: readonly SubmissionRow[] = [];

  get open(): SubmissionRow[] {
    return this.last.filter(({ state }) => isOpen(state));
  }
}

export const isOpen = (state: string): boolean => ['created', 'preprocessing', 'preparing'].includes(state);
