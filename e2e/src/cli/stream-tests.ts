import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { eventually } from '@svc/test-kit';

import { createTopic } from '../../../services/stream/src/testing/test-topic.ts';
import type { CliWorld } from './cli-world.ts';

const TRANSFORM = String.raw`\(key: binary nullable, value: binary, topic: string, partitionNo: int, offset: long, at: timestamp, atType: int) ->
  PARSE_JSON(DECODE(value) AS record(id: long))`;

/** `svc stream`. */
export function streamTests(world: () => CliWorld): void {
  /** Waits by the service itself: a program that is started for each look would take the processor from the stream. */
  const untilAnswered = async (path: string, expected: RegExp): Promise<void> =>
    eventually(async () => {
      const answer = await fetch(`${world().urls.stream}/stream/${path}`, {
        headers: { Authorization: `Bearer ${world().env['SVC_TOKEN'] ?? ''}` },
      });
      expect(await answer.text()).toMatch(expected);
    });
  const untilStored = async (name: string, rows: number): Promise<void> =>
    untilAnswered(name, new RegExp(`"${rows} rows stored, \\d+ dead letters, lag 0"`));

  test('a stream is created, watched, paused, resumed and deleted, and its dead letters are shown and replayed', async () => {
    const { svc, folder } = world();
    const topic = await createTopic();
    await topic.send([{ value: '{"id": 1}' }, { value: 'no JSON' }]);
    const file = join(folder, 'transform.rql');
    await writeFile(file, TRANSFORM);
    expect((await svc(['stream', 'validate', '-f', file])).stdout).toBe('collection(record(id: long))\n');
    const where = ['--host', topic.host, '--port', String(topic.port), '--topic', topic.name, '--interval', '100'];
    expect(await svc(['stream', 'create', 'events', ...where, '-f', file, '--index', 'id'])).toEqual({ code: 0, stdout: '', stderr: '' });
    await untilStored('events', 1);
    expect((await svc(['stream', 'get', 'events'])).stdout).toMatch(/^data +running +1 rows? stored, 1 dead letters?, lag 0$/m);
    expect((await svc(['stream', 'list'])).stdout).toMatch(/^events +20/m);
    expect((await svc(['stream', 'logs', 'events'])).stdout).toMatch(/^\d\d:\d\d:\d\d\.\d{3} (INFO|WARN|DEBUG) /);
    expect((await svc(['stream', 'dead-letters', 'events'])).stdout).toMatch(/^ID +PARTITION +OFFSET +REASON\n\d+ +0 +1 +\S.*\n$/);
    expect((await svc(['stream', 'replay', 'events'])).stdout).toBe('1 replayed, 0 rows stored, 1 still dead\n');
    for (const verb of ['pause', 'resume', 'kill', 'delete']) expect(await svc(['stream', verb, 'events'])).toMatchObject({ code: 0 });
    expect(await svc(['stream', 'get', 'events'])).toMatchObject({ code: 1, stderr: expect.stringContaining('code stream_not_found') });
    expect(await svc(['table', 'delete', 'events'])).toMatchObject({ code: 0 });
    await topic.close();
  });

  test('a stream keeps the latest row of a key, deletes old rows, and widens its table', async () => {
    const { svc, folder } = world();
    const topic = await createTopic();
    const key = 'k';
    await topic.send([
      { key, value: '{"id": 1, "seen": "2001-01-01T00:00:00"}' },
      { key, value: '{"id": 2, "seen": "2999-01-01T00:00:00"}' },
      { key, value: '{"id": 2, "seen": "2999-02-02T00:00:00"}' },
    ]);
    const file = join(folder, 'latest.rql');
    await writeFile(file, TRANSFORM.replace('id: long)', 'id: long, seen: timestamp)'));
    const where = ['--host', topic.host, '--port', String(topic.port), '--topic', topic.name, '-f', file];
    await eventually(async () => {
      const { stdout } = await svc(['stream', 'validate', ...where, '--sample', '1']);
      expect(stdout).toMatch(/^collection\(.*\)\n\nPARTITION +OFFSET +ROW\n0 +2 +\{"id":2,"seen":"2999-02-02T00:00:00.000"\}\n$/);
    });
    const life = ['--interval', '100', '--key-fields', 'id', '--keep', 'P3650D', '--keep-from', 'seen', '--evolve'];
    expect(await svc(['stream', 'create', 'latest', ...where, ...life])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse((await svc(['stream', 'list', '--json'])).stdout)).toEqual([
      expect.objectContaining({ mode: 'upsert', keyFields: ['id'], retention: { interval: 'P3650D', field: 'seen' }, evolve: true }),
    ]);
    await untilStored('latest', 3);
    await untilAnswered('latest/logs/retention', /1 row/);
    expect((await svc(['stream', 'logs', 'latest', 'retention'])).stdout).toMatch(/1 row/);
    expect((await svc(['query', 'SELECT id, seen FROM latest'])).stdout).toBe('{"id":2,"seen":"2999-02-02T00:00:00.000"}\n');
    for (const what of ['stream', 'table']) expect(await svc([what, 'delete', 'latest'])).toMatchObject({ code: 0 });
    await topic.close();
  });

  test('options of a stream that belong together are missed', async () => {
    const { svc } = world();
    const create = ['stream', 'create', 'x', TRANSFORM, '--host', 'localhost', '--topic', 't'];
    expect((await svc([...create, '--keep', 'P1D'])).stderr).toContain('--keep and --keep-from belong together.');
    expect((await svc([...create, '--ca', '/no/such/file'])).stderr).toContain('/no/such/file cannot be read: ENOENT.');
    expect((await svc(['stream', 'validate', TRANSFORM, '--sample', '3'])).stderr).toContain(
      '--sample, --host and --topic belong together.',
    );
  });

  test('errors in a transform are drawn', async () => {
    const { code, stderr } = await world().svc(['stream', 'validate', TRANSFORM.replace('id: long', 'id: lung')]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\^{4}\n/)]);
  });
}
