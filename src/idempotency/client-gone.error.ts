import { AppError } from '../common/errors/app-error.js';

/** Nobody is there to hear the answer: what was done is undone. No caller sees it; logs do. */
export class ClientGoneError extends AppError {
  constructor() {
    super('The client closed the connection before the answer.', 'client_closed_request');
  }
}
