import { FormText } from '../../pages/forms/form-text.decorator.js';
import { NextQuery } from '../../pages/forms/forms.dto.js';

/** How a sign-in at the provider starts. */
export class OidcQuery extends NextQuery {
  /** `yes`: a visitor who has signed in signs in again. */
  @FormText(10)
  confirm: string = '';
}
