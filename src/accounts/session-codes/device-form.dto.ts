import { FormText } from '../../pages/forms/form-text.decorator.js';

/** A code that a program shows, and the decision on it. */
export class DeviceForm {
  @FormText(100)
  code: string = '';

  /** `approve` or `deny`; empty to look at the request first. */
  @FormText(10)
  decision: string = '';
}
