/** What the token of a request identifies. A class only so that decorated handlers can name it at run time. */
export abstract class Lease {
  abstract readonly id: string;
  abstract readonly jobId: string;
  /** The attempt that this is, or becomes when the runner starts the job. */
  abstract readonly attempt: number;
  abstract readonly runnerId: string;
  abstract readonly organizationId: string;
  abstract readonly appId: string;
}
