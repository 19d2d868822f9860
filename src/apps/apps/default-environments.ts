/** Names an environment; the id wins. */
export interface EnvironmentReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * The environments of an app as far as apps need them. The environments module provides it, because apps may not import
 * environments.
 */
export abstract class DefaultEnvironments {
  /** @returns the id of the app's environment with this id or name; `null`: there is none */
  abstract find(appId: string, reference: EnvironmentReference): Promise<string | null>;
}
