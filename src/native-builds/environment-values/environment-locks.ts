import type { Principal } from '../../common/access/principal.js';
import type { Environment } from '../environments/environment.entity.js';

/**
 * What variables and secrets need of their environments. `EnvironmentsService` provides it: environments import their
 * values, to present them, and not the other way round.
 */
export abstract class EnvironmentLocks {
  /** @throws NotFoundError */
  abstract get(appId: string, id: string): Promise<Environment>;

  /**
   * Locks an environment, and thereby its variables and secrets, against other changes until the transaction ends.
   *
   * @throws NotFoundError
   * @throws ForbiddenError when the environment is restricted, and the caller may not use it
   */
  abstract lockForChange(
    caller: Principal,
    environment: Pick<Environment, 'appId' | 'id'>,
  ): Promise<Environment>;
}
