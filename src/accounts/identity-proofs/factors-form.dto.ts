import { FormText } from '../../pages/forms/form-text.decorator.js';

/** A password, a code, or both. */
export class FactorsForm {
  @FormText(1024)
  password: string = '';

  @FormText(100)
  code: string = '';

  @FormText(100)
  next: string = '';
}
