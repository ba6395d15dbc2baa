import { readFile } from 'node:fs/promises';

import { areContainersChosen, KAFKA_IMAGE, POSTGRES_IMAGE } from './container-servers.ts';

test('containers of tests have the images of compose.yaml', async () => {
  const compose = await readFile(new URL('../../../../compose.yaml', import.meta.url), 'utf8');
  const images = [...compose.matchAll(/^ {4}image: (\S+)$/gm)].map(([, image]) => image);
  expect(images).toEqual(expect.arrayContaining([POSTGRES_IMAGE, KAFKA_IMAGE]));
});

test('own servers are the default, and a misspelt choice is refused', () => {
  expect([{}, { SVC_TEST_SERVERS: 'own' }, { SVC_TEST_SERVERS: 'testcontainers' }].map(areContainersChosen)).toEqual([false, false, true]);
  expect(() => areContainersChosen({ SVC_TEST_SERVERS: 'docker' })).toThrow(
    'SVC_TEST_SERVERS is "docker": expected "own" or "testcontainers".',
  );
});
