import { SetMetadata } from '@nestjs/common';

export const SIGNED_IN = 'slipway:signed-in';

/** The page, or every page of the controller, is for visitors who have signed in. Others go to the sign-in first. */
export function SignedIn(): ClassDecorator & MethodDecorator {
  return SetMetadata(SIGNED_IN, true);
}
