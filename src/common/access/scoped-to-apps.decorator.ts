import { SetMetadata } from '@nestjs/common';

export const SCOPED_TO_APPS = 'slipway:scoped-to-apps';

/**
 * A route of an organization that shows what belongs to its apps: a token that is limited to apps may call it. The handler
 * limits the response to the apps that the caller can see.
 */
export function ScopedToApps(): MethodDecorator {
  return SetMetadata(SCOPED_TO_APPS, true);
}
