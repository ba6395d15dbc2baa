import { resolveAddresses } from './profiles.ts';

const profile = { url: 'https://all.example', urls: { stream: 'https://stream.example/base/' } };

test('an address comes from the environment, then from the current profile, then from the local stack', () => {
  const env = { SVC_GATEWAY_URL: 'http://gateway:1/', SVC_URL: '' };
  expect(resolveAddresses({ env, profile, isChosen: false })).toEqual({
    gateway: 'http://gateway:1',
    executor: 'https://all.example',
    credentials: 'https://all.example',
    stream: 'https://stream.example/base',
  });
  expect(resolveAddresses({ env: { SVC_URL: 'http://one' }, profile, isChosen: false }).stream).toBe('http://one');
  expect(resolveAddresses({ env: {}, profile: undefined, isChosen: false }).executor).toBe('http://127.0.0.1:8081');
});

test('a profile that was chosen wins over the environment', () => {
  const env = { SVC_URL: 'http://one', SVC_STREAM_URL: 'http://two' };
  expect(resolveAddresses({ env, profile: { urls: { stream: 'http://three' } }, isChosen: true })).toMatchObject({
    executor: 'http://one',
    stream: 'http://three',
  });
});

test.each(['ftp://a', 'http://user@a', 'http://a?b', 'http://a#b', 'a'])('%s is no address', (text) => {
  expect(() => resolveAddresses({ env: { SVC_URL: text }, profile: undefined, isChosen: false })).toThrow(
    `must be an http or https URL such as https://svc.example.com, found ${JSON.stringify(text)}.`,
  );
});
