import { Injectable } from '@nestjs/common';
import type { Visitor, Visitors } from '../../pages/requests/visitors.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { UsersService } from '../users/users.service.js';

/** Visitors of pages carry the token of a browser session in their cookie. */
@Injectable()
export class SessionVisitors implements Visitors {
  constructor(
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
  ) {}

  async find(token: string): Promise<Visitor | null> {
    const principal = await this.sessions.authenticate('browser', token);
    if (principal === null) return null;
    const { userId, sessionId, method, secondFactorAt, provedAt } = principal;
    const { email } = await this.users.get(userId);
    return { userId, sessionId, email, method, secondFactorAt, provedAt };
  }
}
