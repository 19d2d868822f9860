/**
 * What teams ask of apps, which live further down and may not be imported here: the apps module provides it. Whether an
 * app may be assigned is not asked here but in the statement that assigns it, so that it cannot change in between: see
 * `TeamAppsQueries`.
 */
export abstract class AppPresenter {
  /** Apps as the API shows them, by id. */
  abstract present(ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
}
