import { currentActor } from '../../database/transactions/actor.js';
import type { Deployment } from './deployment.entity.js';

/** Why approvals and freezes are overridden. The caller has checked `deployments:override`. */
export interface Emergency {
  readonly reason: string;
}

/** What a deployment remembers of an emergency: who called it, when and why. Nothing changes without one. */
export function emergencyColumns(
  emergency: Emergency | null,
): Partial<Pick<Deployment, 'emergencyAt' | 'emergencyByUserId' | 'emergencyReason'>> {
  if (emergency === null) return {};
  return {
    emergencyAt: new Date(),
    emergencyByUserId: currentActor()?.userId ?? null,
    emergencyReason: emergency.reason,
  };
}
