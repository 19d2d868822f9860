import { expectCreated } from '../support/http/expect-created.js';
import { uniqueName } from '../support/unique-name.js';
import type { TestApp } from './app.js';
import type { Actor } from './identities.js';

/** An automation as the API shows it. */
export interface TestAutomation {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly stoppedReason: string | null;
  readonly lastTriggeredAt: string | null;
  /** `/v1/apps/{appId}/automations/{id}` */
  readonly path: string;
}

/** An automation of the app that builds every branch for the web, unless `values` say another. @param actor who saves it */
export async function createAutomation(
  app: TestApp,
  values: object = {},
  actor: Pick<Actor, 'api'> = app,
): Promise<TestAutomation> {
  const path = `${app.path}/automations`;
  const body = { name: uniqueName('automation'), platform: 'web', triggerType: 'branch', ...values };
  const created = expectCreated<TestAutomation>(await actor.api.post(path, body));
  return { ...created, path: `${path}/${created.id}` };
}
