import { SetMetadata } from '@nestjs/common';

export const SIGNED_IN = 'slipway:signed-in';

/** The pages of this controller, or this page, are for visitors who have signed in; others are asked to. */
export function SignedIn(): ClassDecorator & MethodDecorator {
  return SetMetadata(SIGNED_IN, true);
}
