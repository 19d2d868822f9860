import { FormText } from './form-text.decorator.js';

/** Which page to return to after a sign-in. */
export class NextQuery {
  @FormText(1000)
  next: string = '';
}
