import { FormText } from './form-text.decorator.js';

/** An object of a list. */
export class IdForm {
  @FormText(36)
  id: string = '';
}
