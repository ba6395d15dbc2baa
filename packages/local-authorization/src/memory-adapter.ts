import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** More than one machine needs; the least recently used are evicted. */
const MAX_RECORDS = 10_000;

/**
 * Returns a store for the sessions, codes and grants of one authorization server. In memory: after a restart users sign in
 * again. (The library's own store does the same, but prints a warning.)
 */
export function createMemoryAdapter(): AdapterFactory {
  const records = new LRUCache<string, AdapterPayload>({ max: MAX_RECORDS });
  return (model) => adapterOf(model, records);
}

function adapterOf(model: string, records: LRUCache<string, AdapterPayload>): Adapter {
  const keyOf = (id: string): string => `${model}:${id}`;
  const findBy = (member: 'uid' | 'userCode', value: string): AdapterPayload | undefined =>
    [...records.values()].find((record) => record.kind === model && record[member] === value);
  return {
    upsert: async (id, payload, expiresIn) => {
      records.set(keyOf(id), payload, expiresIn === undefined ? {} : { ttl: expiresIn * 1000 });
    },
    find: async (id) => records.get(keyOf(id)),
    findByUid: async (uid) => findBy('uid', uid),
    findByUserCode: async (userCode) => findBy('userCode', userCode),
    consume: async (id) => {
      const record = records.get(keyOf(id));
      if (record !== undefined) record.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => {
      records.delete(keyOf(id));
    },
    revokeByGrantId: async (grantId) => {
      for (const [key, { grantId: other }] of [...records.entries()]) if (other === grantId) records.delete(key);
    },
  };
}
