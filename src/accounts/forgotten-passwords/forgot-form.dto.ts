import { FormText } from '../../pages/forms/form-text.decorator.js';

/** Whose password is forgotten. */
export class ForgotForm {
  @FormText(320)
  email: string = '';
}
