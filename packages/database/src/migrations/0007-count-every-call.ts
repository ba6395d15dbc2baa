import { sql } from 'kysely';

import type { Migration } from './migration.ts';

/** A rate limit counts every call, also rejected ones: a client that does not slow down is not admitted again. */
export const countEveryCall: Migration = {
  version: 7,
  name: 'count every call',
  up: async (transaction) => {
    await sql`
      CREATE OR REPLACE FUNCTION take_api_key_call(
        taken_key uuid, most integer, window_seconds integer, OUT is_allowed boolean, OUT remaining integer, OUT wait_ms integer
      ) LANGUAGE plpgsql AS $$
      DECLARE
        calls api_key_calls;
        slot_ms float8 := window_seconds * 1000.0 / 60;
        now_ms float8;
        current_slot bigint;
        used bigint;
        old_count integer;
      BEGIN
        INSERT INTO api_key_calls (key_id, seconds, slot, counts)
          VALUES (taken_key, window_seconds, 0, array_fill(0, ARRAY[61])) ON CONFLICT DO NOTHING;
        SELECT * INTO STRICT calls FROM api_key_calls WHERE key_id = taken_key FOR UPDATE;
        now_ms := extract(epoch FROM clock_timestamp()) * 1000;
        current_slot := floor(now_ms / slot_ms);
        IF calls.seconds <> window_seconds OR calls.slot < current_slot - 60 OR calls.slot > current_slot + 1 THEN
          calls.counts := array_fill(0, ARRAY[61]);
        ELSE
          current_slot := greatest(current_slot, calls.slot);
          FOR step IN 1 .. (current_slot - calls.slot)::integer LOOP
            calls.counts[(calls.slot + step) % 61 + 1] := 0;
          END LOOP;
        END IF;
        SELECT coalesce(sum(n), 0) INTO used FROM unnest(calls.counts) AS n;
        is_allowed := used < most;
        IF calls.counts[current_slot % 61 + 1] < 2147483647 THEN
          calls.counts[current_slot % 61 + 1] := calls.counts[current_slot % 61 + 1] + 1;
        END IF;
        used := used + 1;
        remaining := greatest(most - used, 0);
        FOR step IN 1 .. 61 LOOP
          old_count := calls.counts[(current_slot + step) % 61 + 1];
          used := used - old_count;
          wait_ms := greatest(ceil((current_slot + step) * slot_ms - now_ms), 0);
          EXIT WHEN old_count > 0 AND used < most;
        END LOOP;
        UPDATE api_key_calls SET seconds = window_seconds, slot = current_slot, counts = calls.counts WHERE key_id = taken_key;
      END
      $$
    `.execute(transaction);
  },
};
