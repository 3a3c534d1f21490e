import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors/index.ts';
import { lazyGateway } from '../../../src/agent-service/index.ts';

const passThrough = () => Promise.reject(new Error('no provider'));

describe('the gateway of a process', () => {
  it.each([
    ['what is no URL', {}, 'nonsense'],
    ['a URL with a password', {}, 'http://me:secret@10.0.0.5:8400'],
    ['https without a place to listen', {}, 'https://agents.example'],
    ['a variable that is no URL', { TAUFLOW_GATEWAY_URL: 'ftp://x' }, undefined],
    ['a place to listen that is no address', { TAUFLOW_GATEWAY_LISTEN: '8400' }, undefined],
  ])('refuses %s before anything is asked', (_what, env, url) => {
    expect(() => lazyGateway(env, passThrough, url)).toThrow(UsageError);
  });

  it('is at the URL that is given, and listens when it is needed', async () => {
    const gateway = lazyGateway({ TAUFLOW_GATEWAY_LISTEN: '127.0.0.1:0' }, passThrough, 'http://agents.test:8400/x');
    await gateway.close();
    const { open } = await gateway.open();
    const turn = open({
      ...{ episode: 'e', request: 1, attempt: 1 },
      toolCall: () => Promise.reject(new Error('no tools')),
      modelCall: () => Promise.reject(new Error('no models')),
    });
    expect(turn.toolsUrl).toMatch(/^http:\/\/agents\.test:8400\/x\/t\/[\w-]{43}\/tools$/);
    await turn.close();
    await gateway.close();
  });
});
