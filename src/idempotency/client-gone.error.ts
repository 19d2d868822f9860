import { AppError } from '../common/errors/app-error.js';

/** The client left before the response, so its write is undone. Only logs show this error. */
export class ClientGoneError extends AppError {
  constructor() {
    super('The client closed the connection before the response.', 'client_closed_request');
  }
}
