import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { eventually } from '@svc/test-kit';

import { createTopic } from '../../../services/stream/src/testing/test-topic.ts';
import type { CliWorld } from './cli-world.ts';

const TRANSFORM = String.raw`\(key: binary nullable, value: binary, topic: string, partitionNo: int, offset: long, at: timestamp, atType: int) ->
  PARSE_JSON(DECODE(value) AS record(id: long))`;

/** `svc stream`. */
export function streamTests(world: () => CliWorld): void {
  test('a stream is created, watched, paused, resumed and deleted, and its dead letters are shown and replayed', async () => {
    const { svc, folder } = world();
    const topic = await createTopic();
    await topic.send([{ value: '{"id": 1}' }, { value: 'no JSON' }]);
    const file = join(folder, 'transform.rql');
    await writeFile(file, TRANSFORM);
    expect((await svc(['stream', 'validate', '-f', file])).stdout).toBe('collection(record(id: long))\n');
    const where = ['--host', topic.host, '--port', String(topic.port), '--topic', topic.name];
    expect(await svc(['stream', 'create', 'events', ...where, '-f', file, '--index', 'id'])).toEqual({ code: 0, stdout: '', stderr: '' });
    await eventually(async () => {
      expect((await svc(['stream', 'get', 'events'])).stdout).toMatch(/^data +running +1 rows? stored, 1 dead letters?, lag 0$/m);
    });
    expect((await svc(['stream', 'list'])).stdout).toMatch(/^events +20/m);
    expect((await svc(['stream', 'logs', 'events'])).stdout).toMatch(/^\d\d:\d\d:\d\d\.\d{3} (INFO|WARN|DEBUG) /);
    expect((await svc(['stream', 'dead-letters', 'events'])).stdout).toMatch(/^ID +PARTITION +OFFSET +REASON\n\d+ +0 +1 +\S.*\n$/);
    expect((await svc(['stream', 'replay', 'events'])).stdout).toBe('1 replayed, 0 rows stored, 1 still dead\n');
    for (const verb of ['pause', 'resume', 'kill', 'delete']) expect(await svc(['stream', verb, 'events'])).toMatchObject({ code: 0 });
    expect(await svc(['stream', 'get', 'events'])).toMatchObject({ code: 1, stderr: expect.stringContaining('code stream_not_found') });
    expect(await svc(['table', 'delete', 'events'])).toMatchObject({ code: 0 });
    await topic.close();
  });

  test('errors in a transform are drawn', async () => {
    const { code, stderr } = await world().svc(['stream', 'validate', TRANSFORM.replace('id: long', 'id: lung')]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\^{4}\n/)]);
  });
}
