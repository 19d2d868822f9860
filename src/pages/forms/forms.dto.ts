import { FormText } from './form-text.decorator.js';

/** An object of a list. */
export class IdForm {
  @FormText(36)
  id: string = '';
}

/** Which page to return to after a sign-in. */
export class NextQuery {
  @FormText(1000)
  next: string = '';
}
