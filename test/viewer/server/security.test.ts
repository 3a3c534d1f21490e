/** The view shows what models have written: who is answered, and what an address can reach. */

import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { PortTakenError } from '../../../src/io/index.ts';
import { startViewServer } from '../../../src/viewer/server/index.ts';
import { findViewed } from '../../../src/viewer/server/testing.ts';
import { scratchFolder } from '../../results/fixtures.ts';
import { BUNDLE, makeViewedRun, rawStatus, startView } from '../viewed.ts';

describe('who is answered', () => {
  it('listens on loopback, and says it if the port is taken', async () => {
    const view = await startView();
    expect(view.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const port = Number(new URL(view.url).port);
    const again = startViewServer({ place: view.place, port, bundle: () => Promise.resolve(BUNDLE) });
    await expect(again).rejects.toThrow(PortTakenError);
    await expect(again).rejects.toThrow(`port ${port} is taken by another program; choose another with --port`);
  });

  it.each([
    ['127.0.0.1:8235', 200],
    ['localhost', 200],
    ['[::1]:9000', 200],
    ['evil.example:8235', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost@evil.example', 403],
    ['', 403],
  ])('answers the host "%s" with %i', async (host, status) => {
    const view = await startView();
    expect(await rawStatus(view, `GET /api/runs HTTP/1.1\r\nHost: ${host}`)).toBe(status);
    expect(await rawStatus(view, `GET / HTTP/1.1\r\nHost: ${host}`)).toBe(status);
  });

  it('refuses pages of other origins', async () => {
    const view = await startView();
    await makeViewedRun(view.logDir, 'mine');
    const note = { labels: [], text: 'hello' };
    const at = 'api/runs/mine/episodes/0/0/note';
    for (const origin of ['http://evil.example', 'null', view.url.replace('http', 'https')]) {
      expect(await view.put(at, note, { Origin: origin })).toMatchObject({
        status: 403,
        json: { problem: `pages of ${origin} are not answered` },
      });
      expect((await view.get('api/runs', { Origin: origin })).status).toBe(403);
    }
    // As a browser sends what an image, a script or a form of another page asks for.
    for (const site of ['cross-site', 'same-site']) {
      const head = `Host: 127.0.0.1\r\nSec-Fetch-Site: ${site}\r\nSec-Fetch-Mode: no-cors`;
      expect(await rawStatus(view, `GET /api/runs HTTP/1.1\r\n${head}`)).toBe(403);
    }
    const link = 'Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate';
    expect(await rawStatus(view, `GET / HTTP/1.1\r\n${link}`)).toBe(200);
    expect((await view.put(at, note, { Origin: view.url })).status).toBe(200);
  });

  it('takes JSON of a bounded size only', async () => {
    const view = await startView();
    await makeViewedRun(view.logDir, 'mine');
    const at = 'api/runs/mine/episodes/0/0/note';
    expect((await view.put(at, '{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await view.put(at, '{}', { 'Content-Encoding': 'gzip' })).status).toBe(415);
    expect((await view.put(at, 'x'.repeat(300_000))).status).toBe(413);
    expect((await view.put(at, '{"labels":')).status).toBe(400);
    const post = await fetch(`${view.url}/${at}`, { method: 'POST', body: '{}' });
    expect(post.status).toBe(405);
    expect(post.headers.get('allow')).toBe('GET, PUT');
  });
});

describe('what is answered', () => {
  it('runs the one script of the page, which asks this server alone', async () => {
    const view = await startView();
    const { headers, text } = await view.get('');
    expect(text).toContain(`<script>${BUNDLE.script}</script>`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[\w+/]+='; /);
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('is never sniffed, never shown in a frame, and names itself to no other site', async () => {
    const view = await startView();
    for (const at of ['', 'api/runs', 'nowhere', 'api/runs/none']) {
      const { headers } = await view.get(at);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('is compressed where the browser takes it, and not sent again', async () => {
    const view = await startView();
    await makeViewedRun(view.logDir, 'mine');
    const tag = (await view.get('api/runs/mine')).headers.get('etag') ?? '';
    expect((await view.get('api/runs/mine', { 'If-None-Match': tag })).status).toBe(304);
    expect((await view.get('api/runs/mine', { 'If-None-Match': 'W/"other"' })).status).toBe(200);
    const zipped = await fetch(`${view.url}/api/runs/mine`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.headers.get('vary')).toBe('Accept-Encoding');
    expect(await zipped.json()).toMatchObject({ run: { subject: { runId: 'mine' } } });
    const plain = await fetch(`${view.url}/api/runs/mine`, { headers: { 'Accept-Encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
  });
});

describe('addresses', () => {
  it('lead to nothing outside of the log folder', async () => {
    const outside = scratchFolder();
    const logDir = path.join(outside, 'results');
    mkdirSync(logDir);
    await makeViewedRun(outside, 'secret');
    writeFileSync(path.join(outside, 'secret.json'), '[]');
    await makeViewedRun(logDir, 'mine');
    const view = await startView(logDir);
    const ids = [
      '..%2fsecret',
      '..%2Fsecret.json',
      '%2e%2e%2fsecret',
      '..%5csecret',
      '%2e%2e',
      '.',
      'mine%00',
      '%00',
      '%ff',
      '%',
    ];
    for (const id of [...ids, 'mine%2f..%2f..%2fsecret', encodeURIComponent(path.join(outside, 'secret'))]) {
      expect(await rawStatus(view, `GET /api/runs/${id} HTTP/1.1\r\nHost: 127.0.0.1`), id).toBe(404);
      const put = `PUT /api/runs/${id}/episodes/0/0/note HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json`;
      expect(await rawStatus(view, put, '{"labels":["x"],"text":""}'), id).toBe(404);
    }
    for (const at of ['/../secret', '//evil.example/api/runs', '/api/runs/mine/../../secret', '/api/runs/mine/']) {
      expect(await rawStatus(view, `GET ${at} HTTP/1.1\r\nHost: 127.0.0.1`), at).toBe(404);
    }
    expect(existsSync(path.join(outside, 'secret', 'notes'))).toBe(false);
  });

  it('name episodes by numbers only', async () => {
    const view = await startView();
    await makeViewedRun(view.logDir, 'mine');
    for (const at of ['0/-1', '00/0', '0x0/0', '1e0/0', '0/0.5', '0/%30', '9'.repeat(30) + '/0', '../0']) {
      expect(await rawStatus(view, `GET /api/runs/mine/episodes/${at} HTTP/1.1\r\nHost: 127.0.0.1`), at).toBe(404);
    }
    expect((await view.get('api/runs/mine/episodes/0/9')).json).toEqual({
      problem: 'there is no record of task 0, trial 9',
    });
  });

  it('find nothing but names in the folder, whatever the id', async () => {
    const logDir = scratchFolder();
    await makeViewedRun(logDir, 'mine');
    symlinkSync('/', path.join(logDir, 'root'));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc
            .array(fc.constantFrom('..', '/', '\\', '\0', 'mine', 'root', 'etc', '.json'))
            .map((parts) => parts.join('')),
        ),
        (id) => {
          if (id === 'mine') return;
          expect(() => findViewed({ logDir, folder: logDir }, id)).toThrow(/^there is no run/);
        },
      ),
    );
    expect(findViewed({ logDir, folder: logDir }, 'mine').kind).toBe('run');
  });
});

describe('a symbolic link in a run folder', () => {
  it.each(['run.json', 'episodes/task-7.trial-1.json', 'notes', 'notes/task-7.trial-1.json'])(
    'is not followed: %s',
    async (name) => {
      const view = await startView();
      const { paths } = await makeViewedRun(view.logDir, 'mine');
      const outside = scratchFolder();
      const secret = path.join(outside, 'secret.json');
      mkdirSync(paths.notes, { recursive: true });
      const file = path.join(paths.folder, name);
      if (name === 'notes') writeFileSync(secret, 'secret');
      else if (existsSync(file)) copyFileSync(file, secret);
      rmSync(file, { recursive: true, force: true });
      symlinkSync(name === 'notes' ? outside : secret, file);
      const before = readdirSync(outside);
      const at = 'api/runs/mine/episodes/7/1';
      for (const asked of ['api/runs/mine', at, `${at}.json`, `${at}/note`]) {
        expect((await view.get(asked)).status).toBe(403);
      }
      expect((await view.put(`${at}/note`, { labels: [], text: 'written outside' })).status).toBe(403);
      expect(readdirSync(outside)).toEqual(before);
      const { runs, problems } = (await view.get('api/runs')).json as { runs: unknown[]; problems: string[] };
      expect(runs).toEqual([]);
      expect(problems).toEqual([expect.stringContaining(`has a symbolic link, ${name}`)]);
    },
  );
});
