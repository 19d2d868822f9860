import { SetMetadata } from '@nestjs/common';

export const TWO_PHASES = 'slipway:two-phases';

/**
 * For handlers that wait for another server before they write, or count what their change means, and whose repetition would
 * not be harmless. They return the rest of their work as a function without parameters, which runs in the transaction of the request: its result is
 * the body of the response.
 */
export function TwoPhases(): MethodDecorator {
  return SetMetadata(TWO_PHASES, true);
}
