import { type FieldError, invalidFields } from '../../../common/errors/app-error.js';
import type { RolloutStep } from '../rollout-plan.entity.js';

/** A step of the request, valid by itself. */
interface StepInput {
  readonly percentage: number;
  readonly durationMinutes?: number | null;
}

/**
 * Validates steps together.
 *
 * @throws InvalidRequestError unless shares grow strictly, and all steps but the last one have a duration
 */
export function toSteps(inputs: readonly StepInput[]): RolloutStep[] {
  const errors: FieldError[] = [];
  const refuse = (index: number, name: string, message: string): void => {
    errors.push({ field: `steps.${index}.${name}`, message });
  };
  inputs.forEach(({ percentage, durationMinutes }, index) => {
    const isLast = index === inputs.length - 1;
    if (percentage <= (inputs[index - 1]?.percentage ?? 0)) {
      refuse(index, 'percentage', 'percentage must be more than in the step before, and more than 0.');
    }
    if (isLast && durationMinutes != null) {
      refuse(index, 'durationMinutes', 'durationMinutes must be absent in the last step, which has no end.');
    }
    if (!isLast && durationMinutes == null) {
      refuse(index, 'durationMinutes', 'durationMinutes is required in every step but the last one.');
    }
  });
  if (errors.length > 0) throw invalidFields(errors);
  return inputs.map(({ percentage, durationMinutes }) => ({
    percentage,
    durationMinutes: durationMinutes ?? null,
  }));
}
