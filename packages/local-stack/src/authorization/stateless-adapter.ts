import type { Adapter } from 'oidc-provider';

/** The authorization server's store. Access tokens are JWTs and the one client stands in the configuration, so there is nothing to keep. */
export function statelessAdapter(model: string): Adapter {
  const refuse = (): Promise<never> => Promise.reject(new Error(`The local authorization server keeps no ${model}.`));
  const findNothing = (): Promise<undefined> => Promise.resolve(undefined);
  return {
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
    find: findNothing,
    findByUid: findNothing,
    findByUserCode: findNothing,
  };
}
