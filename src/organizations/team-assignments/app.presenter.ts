/**
 * Presents apps. The apps module provides it, because organizations may not import apps. It does not decide whether an
 * app can be assigned to a team: `TeamAssignmentsQueries` does, in the statement that assigns it.
 */
export abstract class AppPresenter {
  /** Presents apps, by id. */
  abstract present(ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
}
