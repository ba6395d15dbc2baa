import { setTimeout as sleep } from 'node:timers/promises';

import * as oauth from 'oauth4webapi';

import { CommandError } from '../failures/cli-errors.ts';
import { readRefusal, requestOptions, toStoredTokens, type Authorization } from './authorization.ts';
import type { StoredTokens } from './token-store.ts';

/** Options of a sign-in on another device. */
export interface DeviceSignIn {
  readonly authorization: Authorization;
  readonly scope: string;
  /** Shows the URL and the code to enter there. */
  readonly show: (prompt: { readonly url: string; readonly code: string }) => void;
  readonly signal: AbortSignal;
}

const DEFAULT_INTERVAL_SECONDS = 5;

/** Signs in by device authorization (RFC 8628): the browser can be on another machine. */
export async function signInWithDevice({ authorization, scope, show, signal }: DeviceSignIn): Promise<StoredTokens> {
  const { server, client, issuer, audience } = authorization;
  if (server.device_authorization_endpoint === undefined)
    throw new CommandError(`The authorization server ${issuer} has no device flow: svc login without --device uses a browser.`);
  try {
    const parameters = { scope, ...(audience !== undefined && { resource: audience }) };
    const options = requestOptions(authorization, signal);
    const device = await oauth.processDeviceAuthorizationResponse(
      server,
      client,
      await oauth.deviceAuthorizationRequest(server, client, oauth.None(), parameters, options),
    );
    show({ url: device.verification_uri_complete ?? device.verification_uri, code: device.user_code });
    return toStoredTokens(authorization, await pollForTokens(authorization, device, signal));
  } catch (error) {
    const refusal = readRefusal(error);
    throw refusal === undefined ? error : new CommandError(refusal, { cause: error });
  }
}

async function pollForTokens(
  authorization: Authorization,
  { device_code: code, interval, expires_in: life }: oauth.DeviceAuthorizationResponse,
  signal: AbortSignal,
): Promise<oauth.TokenEndpointResponse> {
  const { server, client } = authorization;
  const deadline = performance.now() + life * 1000;
  let seconds = interval ?? DEFAULT_INTERVAL_SECONDS;
  while (performance.now() < deadline) {
    await sleep(seconds * 1000, undefined, { signal });
    try {
      const response = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), code, requestOptions(authorization, signal));
      return await oauth.processDeviceCodeResponse(server, client, response);
    } catch (error) {
      if (!(error instanceof oauth.ResponseBodyError)) throw error;
      if (error.error === 'slow_down') seconds += 5;
      else if (error.error !== 'authorization_pending') throw error;
    }
  }
  throw new CommandError('The code has expired: svc login --device begins anew.');
}
