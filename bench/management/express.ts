import express, { type Request, type Response } from 'express';
import pg from 'pg';
import { hashToken } from '../../src/common/access/api-token.ts';
import { ACCESS, CHANNEL, CHANNELS, COUNT, SUMMARIES, TOKEN } from './sql.ts';

/**
 * A program: answers a channel, and the first page of channels, as one would write it by hand for nothing but that, by
 * the statements that Slipway sends.
 */
const { databaseUrl } = JSON.parse(process.argv[2] ?? '') as { databaseUrl: string };
/** As many connections as Slipway keeps by default. */
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });

interface Channel {
  readonly id: string;
  readonly appId: string;
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly pausedAt: Date | null;
  readonly protectedAt: Date | null;
  readonly requiredApprovals: number;
  readonly freezeWindows: unknown[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface Summary {
  readonly id: string;
  readonly latestDeploymentId: string | null;
  readonly totalDeployments: number;
  readonly totalDevices: number;
}

async function rows<T extends object>(sql: string, ...values: unknown[]): Promise<T[]> {
  return (await pool.query<T>(sql, values)).rows;
}

/** Whether the caller may read the app; otherwise the request is answered. */
async function isAllowed(request: Request<{ appId: string }>, response: Response): Promise<boolean> {
  const token = /^Bearer (.+)$/.exec(request.get('Authorization') ?? '')?.[1];
  if (token === undefined) {
    response.status(401).end();
    return false;
  }
  const [caller] = await rows<{ userId: string }>(TOKEN, hashToken(token), '00:05:00');
  if (caller === undefined) {
    response.status(401).end();
    return false;
  }
  const [access] = await rows<{ role: string }>(ACCESS, caller.userId, request.params.appId);
  if (access === undefined) response.status(404).end();
  return access !== undefined;
}

async function shown(channels: readonly Channel[]): Promise<object[]> {
  const ids = channels.map(({ id }) => id);
  const summaries = new Map((await rows<Summary>(SUMMARIES, ids)).map((row) => [row.id, row]));
  return channels.map((channel) => ({
    id: channel.id,
    appId: channel.appId,
    name: channel.name,
    appDeploymentId: summaries.get(channel.id)?.latestDeploymentId ?? null,
    expiresAt: channel.expiresAt,
    pausedAt: channel.pausedAt,
    protectedAt: channel.protectedAt,
    requiredApprovals: channel.requiredApprovals,
    freezeWindows: channel.freezeWindows,
    totalAppDeployments: summaries.get(channel.id)?.totalDeployments ?? 0,
    totalAppDevices: summaries.get(channel.id)?.totalDevices ?? 0,
    createdAt: channel.createdAt,
    updatedAt: channel.updatedAt,
  }));
}

const app = express();
app.disable('x-powered-by');
app.get('/v1/apps/:appId/channels/:channelId', async (request, response) => {
  if (!(await isAllowed(request, response))) return;
  const { appId, channelId } = request.params;
  const [dto] = await shown(await rows<Channel>(CHANNEL, appId, channelId));
  if (dto === undefined) response.status(404).end();
  else response.json(dto);
});
app.get('/v1/apps/:appId/channels', async (request, response) => {
  if (!(await isAllowed(request, response))) return;
  const { appId } = request.params;
  const channels = await rows<Channel>(CHANNELS, appId);
  const [count] = await rows<{ cnt: string }>(COUNT, appId);
  response.set('X-Total-Count', count?.cnt).json(await shown(channels));
});
const server = app.listen(0, '127.0.0.1', () => process.send?.(server.address()));
